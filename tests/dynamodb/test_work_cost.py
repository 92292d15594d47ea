"""What workers cost: a hand-out is one conditional write of a small row, and an index of what waits holds nothing else."""

from datetime import timedelta

import pytest
from fermata.adapters.dynamodb import DynamoExecutions, DynamoWorkQueue, keys
from fermata.adapters.memory.payloads import MemoryPayloads
from fermata.domain.effects import Decision
from fermata.domain.status import WorkflowStatus
from fermata.domain.working import WorkerQueue, WorkItem, WorkLimits, extended, handed_to, put_back

from tests.contracts.builders import BIG, RUN, T0, seconds, task, task_id, workflow
from tests.dynamodb.metering import READ_UNIT, WRITE_UNIT, item_size

LIMITS = WorkLimits(T0 + seconds(90_000), 86_400, 3600, 3600, ends_workflow=True, concurrent=10, rate=10, rate_seconds=60)
ITEM = WorkItem(task_id(1), RUN, "resize_the_picture", "production-eu:resize_the_picture", T0, LIMITS)
WORKER = "ip-10-0-12-34.eu-west-1.compute.internal"


@pytest.fixture
def work(table, meter):
    queue = DynamoWorkQueue(table, MemoryPayloads())
    queue.open(ITEM)
    return queue


def test_an_attempt_is_one_small_row_in_two_indexes(work, meter, client):
    bill = meter.take()
    assert (bill.calls, bill.writes) == (["PutItem", "PutItem"], [1, 3])  # the queue's name, once a process; row, due and queue index
    work.open(WorkItem(task_id(2), RUN, ITEM.task_name, ITEM.queue, T0, LIMITS))
    assert meter.take().calls == ["PutItem"]


def test_a_hand_out_is_one_write_and_leaves_the_queue(work, meter, client):
    meter.take()
    assert work.move(handed_to(ITEM, WORKER, T0))
    bill = meter.take()
    assert (bill.calls, bill.writes) == (["UpdateItem"], [2])  # the row, and out of the queue index
    row = client.get_item(TableName="t", Key=keys.work(RUN, task_id(1)))["Item"]
    assert item_size(row) < WRITE_UNIT
    assert {"qk", "qt"}.isdisjoint(row)


def test_a_sign_of_life_is_one_write_unit(work, meter):
    taken = handed_to(ITEM, WORKER, T0)
    work.move(taken)
    meter.take()
    assert work.move(extended(taken, T0 + seconds(20)))
    assert meter.take().writes == [1]


def test_a_poll_that_finds_nothing_reads_half_a_unit_a_shard(work, meter):
    work.move(handed_to(ITEM, WORKER, T0))
    meter.take()
    assert list(work.waiting(ITEM.queue, T0, 11)) == []
    assert meter.take().reads == [0.5] * keys.QUEUE_SHARDS


def test_a_queue_that_is_named_twice_is_counted_once(table, client):
    asked = []
    client.meta.events.register("before-call.dynamodb.Query", lambda params, **_: asked.append(params))
    assert DynamoWorkQueue(table, MemoryPayloads()).sizes([ITEM.queue, ITEM.queue]) == {ITEM.queue: 0}
    assert len(asked) == keys.QUEUE_SHARDS


def test_of_what_waits_only_as_many_rows_are_read_as_are_taken(work, meter):
    for number in range(2, 9):
        work.open(WorkItem(task_id(number), RUN, ITEM.task_name, ITEM.queue, T0, LIMITS))
    meter.take()
    first = next(iter(work.waiting(ITEM.queue, T0, 11, at_once=1)))
    assert (first.task_id, meter.take().batches) == (task_id(1), [1])
    assert [item.task_id for item in work.waiting(ITEM.queue, T0, 11, at_once=1)] == [task_id(number) for number in range(1, 9)]
    assert meter.take().batches == [1, 7]


def test_a_look_at_a_run_is_one_call_and_fetches_no_payload(table, meter, client):
    executions = DynamoExecutions(table, MemoryPayloads())
    executions.commit(Decision(workflow(1, input=BIG)))
    meter.take()
    assert executions.revisions([RUN]) == {RUN: 1}
    assert meter.take().calls == ["BatchGetItem"]
    assert item_size(client.get_item(TableName="t", Key=keys.run(RUN))["Item"]) < READ_UNIT


def test_polls_are_noted_once_a_second(work, meter):
    meter.take()
    for tenth in range(25):
        work.note_poll(WorkerQueue("pack", None, WORKER, T0 + timedelta(milliseconds=100 * tenth)))
    assert meter.take().writes == [1, 1, 1]


def test_what_a_worker_says_meanwhile_goes_to_the_payload_store_when_it_is_big(work, client):
    taken = handed_to(ITEM, WORKER, T0)
    work.move(taken)
    back = put_back(taken, BIG, WORKER, 5, T0)
    assert work.move(back)
    assert item_size(client.get_item(TableName="t", Key=keys.work(RUN, task_id(1)))["Item"]) < WRITE_UNIT
    assert work.load([ITEM.key]) == {task_id(1): back}


def test_worker_rows_expire_with_their_run(work, table, rows):
    executions = DynamoExecutions(table, MemoryPayloads(), timedelta(days=7))
    for made in (Decision(workflow(1), (task(1),)), Decision(workflow(2, status=WorkflowStatus.COMPLETED, end_time=T0))):
        assert executions.commit(made)
        executions.settle_tasks(made)
        executions.settled(made)
    executions.expire(RUN)
    mine = [row for row in rows() if row["pk"] == keys.run(RUN)["pk"]]
    assert len(mine) == 3
    assert all("ttl" in row for row in mine)
