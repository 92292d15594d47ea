"""Workers over the real adapters: the way of a task, a worker that dies, a limit, a domain; and what a hand-out asks of AWS."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from fermata.application import report
from fermata.application.start import StartWorkflow, start
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.engine.test_workers import Shop, pack
from tests.support.moto_world import MotoWorld, fresh_aws, new_client, watch
from tests.support.world import step, workflow


class MotoShop(Shop, MotoWorld):
    """Workers and a definition of theirs on moto."""


@pytest.fixture
def shop() -> Iterator[MotoShop]:
    with fresh_aws():
        shop = MotoShop(client=new_client)
        shop.define()
        yield shop


def test_a_task_goes_to_one_worker_and_its_result_brings_the_run_on(shop: MotoShop) -> None:
    workflow_id = shop.start(workflow(pack("first"), pack("second")), {"n": 7})
    (first,) = shop.take(worker="ann", count=3)
    assert shop.take(worker="bob", count=3) == []
    shop.say(first, output={"box": "x" * 20_000})
    (second,) = shop.take(worker="bob")
    shop.say(second, "IN_PROGRESS", {"half": "y" * 20_000}, callback_after_seconds=5)
    shop.pass_time(5)
    (again,) = shop.take(worker="cid")
    assert (again.output, again.poll_count, again.worker_id) == ({"half": "y" * 20_000}, 2, "cid")
    shop.say(again, output={"box": 2})
    assert (shop.status(workflow_id), shop.view(workflow_id).workflow.output) == (WorkflowStatus.COMPLETED, {"box": 2})


def test_a_worker_that_dies_loses_nothing(shop: MotoShop) -> None:
    workflow_id = shop.start(workflow(pack()))
    shop.take(worker="dies")
    shop.pass_time(35)
    shop.say(shop.take(worker="lives")[0])
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED
    assert [view.task.status for view in shop.view(workflow_id).tasks] == [TaskStatus.TIMED_OUT, TaskStatus.COMPLETED]


def test_limits_and_domains_hold(shop: MotoShop) -> None:
    shop.define(concurrentExecLimit=1)
    for _ in range(2):
        start(shop.engine, StartWorkflow(shop.register(workflow(pack())), task_to_domain={"*": "red,blue"}))
    assert shop.take(count=5) == []
    (first,) = shop.take(count=5, domain="blue")
    shop.say(first)
    shop.run_until(timedelta(seconds=60))
    assert len(shop.take(count=5, domain="blue")) == 1


def test_a_human_task_ends_by_a_report_and_logs_are_kept(shop: MotoShop) -> None:
    workflow_id = shop.start(workflow(step("HUMAN", "ask")))
    report.report_by_reference(shop.engine, workflow_id, "ask", TaskStatus.IN_PROGRESS, {"a": 1}, "me")
    task_id = report.report_by_reference(shop.engine, workflow_id, "ask", TaskStatus.COMPLETED, {"b": 2}, "me")
    report.write_log(shop.engine, task_id, "{not json")
    assert shop.tasks(workflow_id)["ask"].output == {"a": 1, "b": 2}
    assert [entry.log for entry in report.read_log(shop.engine, task_id)] == ["{not json"]


def test_what_a_hand_out_asks_of_aws_does_not_depend_on_how_many_wait(shop: MotoShop) -> None:
    made = []
    for waiting in (1, 30):
        for _ in range(waiting):
            shop.start(workflow(pack()))
        shop.pass_time(2)  # a poll is noted once a second
        calls = watch(shop.clients.values())
        assert len(shop.take()) == 1
        made.append(sorted(name for name in calls.take_names() if name != "dynamodb.Query"))
    assert made[0] == made[1]
    assert made[0].count("dynamodb.UpdateItem") == 1
