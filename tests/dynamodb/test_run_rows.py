"""What the rows of a run hold and cost: one write to commit, payloads apart, nothing twice."""

import hashlib
from dataclasses import replace

import pytest
from fermata.adapters.dynamodb import DynamoDefinitions, DynamoExecutions, keys, schema
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.domain.effects import Decision
from fermata.domain.errors import EngineBug, PayloadTooLarge
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.contracts.builders import BIG, RUN, T0, decision, definition, outcome, task, task_id, workflow
from tests.dynamodb.metering import index_units, item_size

ITEM_LIMIT = 400 * 1024


class CountingPayloads(MemoryPayloads):
    def __init__(self):
        super().__init__()
        self.puts = []

    def put(self, workflow_id, content):
        key = super().put(workflow_id, content)
        self.puts.append(key)
        return key


@pytest.fixture
def payloads():
    return CountingPayloads()


@pytest.fixture
def executions(table, payloads):
    return DynamoExecutions(table, payloads)


@pytest.fixture
def row(client):
    return lambda key: client.get_item(TableName="t", Key=key)["Item"]


def test_a_small_decision_is_one_write_and_settling_it_one_for_each_row(executions, meter):
    made = decision(1, (task(1), task(2)))
    assert executions.commit(made)
    bill = meter.take()
    assert bill.calls == ["UpdateItem"]
    assert sum(bill.writes) <= 2 + 1 + 2  # the row up to 2 KB, its due entry, its two search entries
    executions.settle_tasks(made)
    executions.settled(made)
    assert meter.take().calls == ["PutItem", "PutItem", "UpdateItem"]


def test_a_run_that_goes_on_does_not_touch_the_search_indexes(executions, meter, row):
    executions.commit(decision(1))
    before = row(keys.run(RUN))
    executions.commit(decision(2, update_time=T0))
    after = row(keys.run(RUN))
    assert index_units(before, after) == 0  # and the due entry stays, because the look-at did
    executions.commit(decision(3, update_time=T0, status=WorkflowStatus.COMPLETED))
    assert index_units(after, row(keys.run(RUN))) == 4  # out of one status and into another, in both indexes


def test_settling_the_same_decision_again_costs_no_index_write(executions, meter):
    made = decision(1, (task(1, look_at=T0),))
    executions.settle_tasks(made)
    meter.take()
    executions.settle_tasks(made)
    assert meter.take().writes == [1]


def test_small_payloads_stay_in_the_row(executions, payloads):
    made = Decision(workflow(1, input={"a": "x" * 1000}), (task(1, input={"b": "y" * 1000}),))
    executions.commit(made)
    executions.settle_tasks(made)
    executions.record(outcome(1, output={"c": "z" * 7000}))
    assert payloads.puts == []


def test_a_recorded_output_is_stored_once(executions, row):
    executions.record(outcome(1, output={"body": "needle"}))
    made = Decision(workflow(1), (task(1, status=TaskStatus.COMPLETED, output={"body": "needle"}, output_recorded=True),))
    executions.commit(made)
    executions.settle_tasks(made)
    assert b"needle" in row(keys.outcome(RUN, task_id(1)))["b"]["B"]
    assert b"needle" not in row(keys.run(RUN))["x"]["B"]
    assert b"needle" not in row(keys.task(RUN, task_id(1)))["b"]["B"]


def test_a_recorded_output_that_was_never_recorded_is_a_bug(executions):
    executions.settle_tasks(decision(1, (task(1, output={"a": 1}, output_recorded=True),)))
    with pytest.raises(EngineBug):
        executions.load_tasks(RUN, [task_id(1)])
    with pytest.raises(EngineBug):
        executions.all_tasks(RUN)


def test_a_big_input_is_one_payload_whatever_else_changes(executions, payloads):
    for revision in (1, 2, 3):
        executions.commit(decision(revision, input=BIG, variables={"n": revision}))
    assert len(set(payloads.puts)) == 1


def test_the_row_of_a_run_with_thousands_of_open_tasks_fits_an_item(executions, row):
    many = tuple(task(number) for number in range(1, 9001))
    made = Decision(workflow(1, open_tasks=len(many), input=BIG, output=BIG, variables=BIG), many)
    assert executions.commit(made)
    assert item_size(row(keys.run(RUN))) < ITEM_LIMIT / 4
    assert executions.load(RUN).outbox == made


def test_a_row_with_every_payload_just_below_its_limit_fits_an_item(executions, row):
    just = {"text": "x" * 4000}
    executions.commit(Decision(workflow(1, input=just, output=just, variables=just), (task(1, input={"text": "y" * 3000}),)))
    assert item_size(row(keys.run(RUN))) < ITEM_LIMIT


def test_a_definition_too_big_for_an_item_is_the_callers_to_fix(table):
    definitions = DynamoDefinitions(table)
    noise = "".join(hashlib.sha256(str(number).encode()).hexdigest() for number in range(16_000))  # does not compress below half
    with pytest.raises(PayloadTooLarge, match="export"):
        definitions.put_workflow(definition(description=noise), overwrite=True)
    assert list(definitions.list_workflows()) == []


def test_a_long_definition_is_stored_compressed_and_read_back_whole(table, row):
    definitions = DynamoDefinitions(table)
    long = definition(description="wait for it " * 100_000)
    assert definitions.put_workflow(long, overwrite=True)
    assert definitions.get_workflow(long.name) == long
    assert definitions.pinned(definitions.pin(long)) == long
    assert item_size(row(keys.definition(long.name, long.version))) < 16 * 1024


def test_a_snapshot_is_written_and_read_once_for_a_process(table, meter):
    definitions = DynamoDefinitions(table)
    key = definitions.pin(definition())
    definitions.pin(definition())
    definitions.pinned(key)
    assert meter.take().calls == ["PutItem"]
    other_process = DynamoDefinitions(table)
    other_process.pinned(key)
    other_process.pinned(key)
    assert meter.take().calls == ["GetItem"]


def test_a_name_left_in_the_catalogue_by_a_crash_is_passed_over(client, table):
    definitions = DynamoDefinitions(table)
    definitions.put_workflow(definition(), overwrite=False)
    client.delete_item(TableName="t", Key=keys.definition("export", 1))
    assert list(definitions.list_workflows()) == []


def test_creating_the_table_again_is_success(client):
    schema.create_table(client, "t")


def test_a_decision_committed_over_another_keeps_only_its_own_outbox(executions):
    executions.commit(decision(1, (task(1),)))
    second = replace(decision(2, (task(2),)))
    executions.commit(second)
    assert executions.load(RUN).outbox == second


def test_a_long_input_rides_along_as_the_payload_that_the_row_names_and_is_stored_once(executions, payloads, row):
    listed = {"_items": [f"item-{number}" for number in range(5000)]}
    for revision in range(1, 4):  # three iterations of a loop over a long list
        made = decision(revision, (task(1, input=listed, output={"iteration": revision}),))
        executions.commit(made)
        assert executions.load(RUN).outbox == made
        assert len(row(keys.run(RUN))["x"]["B"]) < 1024
        executions.settle_tasks(made)
        executions.settled(made)
    assert len(set(payloads.puts)) == 1
    assert executions.load_tasks(RUN, [task_id(1)])[task_id(1)].input == listed
