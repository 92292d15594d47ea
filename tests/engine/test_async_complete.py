"""HTTP with `asyncComplete`: the request is made once, and an outside party ends the task."""

from datetime import timedelta
from typing import Any

import pytest
from fermata.application.deliver import deliver
from fermata.application.report import TaskResult, report
from fermata.application.sweep import sweep
from fermata.domain.messages import RunTask
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.world import World, answer, step, workflow

REQUEST = {"http_request": {"uri": "http://v/jobs", "method": "POST"}}


def waiting(**fields: Any) -> tuple[World, str]:
    world = World(lambda _: answer({"accepted": True}, 202))
    given = {**REQUEST, **fields.pop("given", {})}
    after = step("INLINE", "after", {"r": "${h.output.result}", "expression": "$.r"})
    workflow_id = world.start(workflow(step("HTTP", "h", given, **fields), after))
    world.run_until(timedelta(seconds=1))
    return world, workflow_id


@pytest.mark.parametrize("fields", [{"asyncComplete": True}, {"given": {"asyncComplete": True}}])
def test_a_successful_request_leaves_the_task_open_with_its_answer(fields: dict[str, Any]) -> None:
    world, workflow_id = waiting(**fields)
    task = world.tasks(workflow_id)["h"]
    assert task.status is TaskStatus.IN_PROGRESS
    assert task.output["response"]["statusCode"] == 202
    report(world.engine, TaskResult(workflow_id, task.task_id, TaskStatus.COMPLETED, {"result": 7}))
    world.run()
    assert world.view(workflow_id).workflow.output == {"result": 7}
    assert len(world.http.requests) == 1


def test_neither_a_repeat_nor_the_sweeper_makes_the_request_again() -> None:
    world, workflow_id = waiting(asyncComplete=True)
    task = world.tasks(workflow_id)["h"]
    deliver(world.engine, RunTask(workflow_id, task.task_id))
    world.clock.advance(timedelta(days=2))
    assert sweep(world.engine).tasks == 0
    assert len(world.http.requests) == 1
    assert world.view(workflow_id).workflow.status is WorkflowStatus.RUNNING


def test_a_failed_request_fails_the_task_as_ever() -> None:
    view = World(lambda _: answer({}, 500)).outcome(workflow(step("HTTP", "h", REQUEST, asyncComplete=True)))
    assert view.tasks[0].task.status is TaskStatus.FAILED


def test_it_is_exempt_from_the_response_timeout_and_not_from_its_own() -> None:
    policy = {"name": "h", "responseTimeoutSeconds": 60, "timeoutSeconds": 3600}
    world, workflow_id = waiting(asyncComplete=True, taskDefinition=policy)
    world.run_until(timedelta(minutes=30))
    assert world.tasks(workflow_id)["h"].status is TaskStatus.IN_PROGRESS
    world.run_until(timedelta(minutes=31))
    assert world.tasks(workflow_id)["h"].status is TaskStatus.TIMED_OUT
