"""Idempotency keys of the runs that tasks start: SUB_WORKFLOW and START_WORKFLOW."""

from typing import Any

import pytest
from fermata.application import operate
from fermata.application.deliver import deliver
from fermata.application.start import StartWorkflow, start
from fermata.domain.errors import InvalidRequest
from fermata.domain.executions import Task
from fermata.domain.messages import RunTask
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.ports import WorkflowQuery

from tests.support.chaos import Crash, CrashPlan, breaking
from tests.support.world import World, step, workflow

INLINE = step("INLINE", "a", {"expression": "7"})


def key(strategy: str | None) -> dict[str, Any]:
    return {"idempotencyKey": "${workflow.input.key}", **({"idempotencyStrategy": strategy} if strategy else {})}


def sub(strategy: str | None, **fields: Any) -> dict[str, Any]:
    return workflow(step("SUB_WORKFLOW", "s", {"x": 1}, subWorkflowParam={"name": "child", **key(strategy)}, **fields))


def beside(strategy: str | None) -> dict[str, Any]:
    return workflow(step("START_WORKFLOW", "s", {"startWorkflow": {"name": "child", **key(strategy)}}))


def world_with(existing: str | None) -> tuple[World, str | None]:
    """Return a world in which a run of `child` has the key: `over`, `waiting`, or none."""
    world = World()
    world.register(workflow(step("WAIT", "w", {"duration": "9 days"}) if existing == "waiting" else INLINE, name="child"))
    return world, None if existing is None else start(world.engine, StartWorkflow("child", idempotency_key="order-7"))


def ended(world: World, definition: dict[str, Any]) -> tuple[Task, WorkflowStatus]:
    workflow_id = world.start(definition, {"key": "order-7"})
    for message in world.alarms.take_due(world.clock.now()):
        deliver(world.engine, message)
    for message in world.alarms.take_due(world.clock.now()):
        deliver(world.engine, message)
    return world.tasks(workflow_id)["s"], world.view(workflow_id).workflow.status


def runs_of_child(world: World) -> int:
    return world.executions.search(WorkflowQuery(workflow_type="child")).total_hits


@pytest.mark.parametrize("definition", [sub, beside])
@pytest.mark.parametrize("existing", ["over", "waiting"])
def test_a_key_that_is_taken_fails_the_task_and_names_the_run(definition: Any, existing: str) -> None:
    world, first = world_with(existing)
    task, status = ended(world, definition(None))
    assert (task.status, status, runs_of_child(world)) == (TaskStatus.FAILED, WorkflowStatus.FAILED, 1)
    assert f"Workflow {first} of child has the idempotency key 'order-7'" in (task.reason_for_incompletion or "")


@pytest.mark.parametrize("definition", [sub, beside])
def test_fail_on_running_starts_a_run_when_the_other_is_over(definition: Any) -> None:
    world, _ = world_with("over")
    task, status = ended(world, definition("FAIL_ON_RUNNING"))
    assert (task.status, status, runs_of_child(world)) == (TaskStatus.COMPLETED, WorkflowStatus.COMPLETED, 2)


@pytest.mark.parametrize("existing", ["over", "waiting"])
def test_start_workflow_gives_the_id_of_the_run_that_has_the_key(existing: str) -> None:
    world, first = world_with(existing)
    task, _ = ended(world, beside("RETURN_EXISTING"))
    assert (task.status, task.output, runs_of_child(world)) == (TaskStatus.COMPLETED, {"workflowId": first}, 1)


def test_a_sub_workflow_ends_as_the_run_that_has_the_key_has_ended() -> None:
    world, first = world_with("over")
    task, status = ended(world, sub("RETURN_EXISTING"))
    assert (task.status, status, runs_of_child(world)) == (TaskStatus.COMPLETED, WorkflowStatus.COMPLETED, 1)
    assert task.output == {"subWorkflowId": first, "result": 7}


def test_a_sub_workflow_does_not_wait_for_a_run_that_is_not_its_child() -> None:
    world, first = world_with("waiting")
    task, _ = ended(world, sub("RETURN_EXISTING"))
    reason = f"Workflow {first} has the idempotency key and is RUNNING; a retry of this task looks again"
    assert (task.status, task.reason_for_incompletion) == (TaskStatus.FAILED, reason)


@pytest.mark.parametrize("definition", [sub, beside])
def test_a_start_that_dies_anywhere_finds_its_own_run_again(definition: Any) -> None:
    for boundary in range(100):
        world, _ = world_with(None)
        workflow_id = world.start(definition("FAIL"), {"key": "order-7"})
        message = RunTask(workflow_id, world.tasks(workflow_id)["s"].task_id)
        plan = CrashPlan()
        plan.boundary = boundary
        try:
            deliver(breaking(world.engine, plan), message)
        except Crash:
            plan.boundary = None
            deliver(world.engine, message)
        world.run()
        assert (world.view(workflow_id).workflow.status, runs_of_child(world)) == (WorkflowStatus.COMPLETED, 1)
        if plan.boundary is not None:
            assert boundary > 6, "a start has more boundaries than that"
            return
    raise AssertionError("a start has fewer boundaries than that")


@pytest.mark.parametrize("place", ["subWorkflowParam", "startWorkflow"])
def test_a_strategy_that_is_none_is_refused_or_fails_the_task(place: str) -> None:
    world, _ = world_with(None)
    if place == "subWorkflowParam":
        with pytest.raises(InvalidRequest) as refused:
            world.register(sub("SOMETIMES"))
        assert [each.path for each in refused.value.violations] == ["tasks[0].subWorkflowParam.idempotencyStrategy"]
    else:
        task, _ = ended(world, beside("SOMETIMES"))
        assert "'SOMETIMES' is no idempotency strategy" in (task.reason_for_incompletion or "")


def test_a_child_that_could_not_be_started_is_tried_again_where_children_are_resumed() -> None:
    world = World()
    workflow_id = world.start(workflow(step("SUB_WORKFLOW", "s", {"x": 1}, subWorkflowParam={"name": "child"})))
    world.run()
    assert world.view(workflow_id).workflow.status is WorkflowStatus.FAILED
    world.register(workflow(INLINE, name="child"))
    operate.retry(world.engine, workflow_id, resume_subworkflows=True)
    world.run()
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED
