"""A glance reads rows and nothing beside them: payloads kept apart are told by their size."""

import pytest
from fermata.adapters.dynamodb import DynamoExecutions
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.domain.effects import Decision
from fermata.domain.working import WorkKey
from fermata.wire.records import json_bytes

from tests.contracts.builders import BIG, RUN, outcome, task, task_id, workflow

SIZE = len(json_bytes(BIG))


class UnreadablePayloads(MemoryPayloads):
    def get(self, key):
        raise AssertionError(f"{key} was read")


@pytest.fixture
def unreadable(table):
    """The store of a run with big payloads, committed and settled, in which no payload can be read."""
    executions = DynamoExecutions(table, MemoryPayloads())
    executions.record(outcome(1, output=BIG))
    made = Decision(workflow(1, input=BIG), (task(1, input=BIG, output=BIG, output_recorded=True), task(2, output=BIG)))
    assert executions.commit(made)
    executions.settle_tasks(made)
    return DynamoExecutions(table, UnreadablePayloads())


def test_a_run_and_its_outbox_come_without_big_payloads(unreadable, meter):
    seen = unreadable.glance([RUN])[RUN]
    assert meter.take().calls == ["BatchGetItem"]
    assert (seen.workflow.input, seen.left_out) == ({}, {"input": SIZE})
    assert [each.task_id for each in seen.outbox.tasks] == [task_id(1), task_id(2)]


def test_tasks_come_without_big_payloads(unreadable, meter):
    found = {each.task.task_id: each.left_out for each in unreadable.glance_at([WorkKey(RUN, task_id(1)), WorkKey(RUN, task_id(2))])}
    assert found == {task_id(1): {"input": SIZE}, task_id(2): {"output": SIZE}}
    assert meter.take().calls == ["BatchGetItem"]


def test_all_tasks_are_one_query_and_tell_the_sizes_of_recorded_outputs_too(unreadable, meter):
    found = unreadable.glance_at_all(RUN)
    assert [each.left_out for each in found] == [{"input": SIZE, "output": SIZE}, {"output": SIZE}]
    assert [(each.task.input, each.task.output) for each in found] == [({}, {})] * 2
    assert meter.take().calls == ["Query"]


def test_an_outcome_recorded_while_the_rows_were_read_is_read_by_itself(table, monkeypatch):
    executions = DynamoExecutions(table, MemoryPayloads())
    made = Decision(workflow(1), (task(1, output={"a": 1}, output_recorded=True),))
    executions.record(outcome(1, output={"a": 1}))
    executions.commit(made)
    executions.settle_tasks(made)
    rows = executions._tasks._rows
    monkeypatch.setattr(executions._tasks, "_rows", lambda run: (row for row in rows(run) if not row["sk"]["S"].startswith("O#")))
    assert executions.glance_at_all(RUN)[0].task.output == {"a": 1}
