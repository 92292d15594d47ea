"""Every unfinished run has a stored reason to move: with each message lost, what is stored suffices for the sweeper."""

from datetime import timedelta
from typing import Any

import pytest
from fermata.application import operate
from fermata.application.sweep import sweep
from fermata.domain.messages import EndRun, RunTask
from fermata.domain.status import WorkflowStatus
from fermata.domain.tasks.registry import type_of
from hypothesis import given, settings

from tests.engine.test_deciding_twice import ByHand
from tests.support.random_workflows import workflows
from tests.support.world import World, step, workflow

FAR = timedelta(days=400)


class Watched(ByHand):
    """After each delivery, every open task that waits for more than its siblings is in the due index, or its poll is."""

    def after_a_delivery(self) -> None:
        world = self.world
        held = {entry.task_id for entry in world.engine.due_index.overdue(world.clock.now() + FAR, 10_000)}
        run = world.view(self.workflow_id)
        waiting = [view.task for view in run.tasks if not view.task.status.terminal and not type_of(view.task).waits_for_others]
        assert run.workflow.status.terminal or waiting, "the run is open and none of its tasks is"
        assert [task.task_reference_name for task in waiting if task.task_id not in held] == []


@settings(max_examples=40, deadline=None, derandomize=True)
@given(workflows())
def test_every_open_task_is_where_the_sweeper_looks(definition: dict[str, Any]) -> None:
    Watched(definition).run()


def _sweep_alone(world: World, workflow_id: str) -> None:
    """Lose every message and let the sweeper look at each of its moments, until the run is over."""
    for _ in range(20):
        world.alarms.take_due(world.clock.now() + FAR)
        if world.view(workflow_id).workflow.status.terminal:
            return
        entries = world.engine.due_index.overdue(world.clock.now() + FAR, 10)
        assert entries, "the run waits for nothing that is stored"
        world.clock.move_to(min(entry.look_at for entry in entries))
        sweep(world.engine)
    raise AssertionError("the run hangs")


@pytest.mark.parametrize("waiting", ["HUMAN", "WAIT"])
def test_a_runs_own_timeout_needs_no_alarm(waiting: str) -> None:
    world = World()
    workflow_id = world.start(workflow(step(waiting, "somebody"), timeoutSeconds=3600, timeoutPolicy="TIME_OUT_WF"))
    _sweep_alone(world, workflow_id)
    assert world.view(workflow_id).workflow.status is WorkflowStatus.TIMED_OUT


def test_the_end_of_a_wait_needs_no_alarm() -> None:
    world = World()
    workflow_id = world.start(workflow(step("WAIT", "pause", {"duration": "90 seconds"})))
    _sweep_alone(world, workflow_id)
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED


def test_a_tasks_own_timeout_needs_no_alarm() -> None:
    definition = {"name": "somebody", "timeoutSeconds": 600, "timeoutPolicy": "TIME_OUT_WF", "responseTimeoutSeconds": 1}
    world = World()
    workflow_id = world.start(workflow(step("HUMAN", "somebody", taskDefinition=definition)))
    _sweep_alone(world, workflow_id)
    assert world.view(workflow_id).workflow.status is WorkflowStatus.TIMED_OUT


def test_a_lost_request_is_sent_again_until_it_is_answered() -> None:
    world = World()
    workflow_id = world.start(workflow(step("HTTP", "submit", {"http_request": {"uri": "http://v/jobs", "method": "POST"}})))
    for _ in range(3):
        [lost] = world.alarms.take_due(world.clock.now())
        assert isinstance(lost, RunTask)
        entries = world.engine.due_index.overdue(world.clock.now() + FAR, 10)
        world.clock.move_to(min(entry.look_at for entry in entries))
        assert sweep(world.engine).tasks == 1
    world.run()
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED


PATIENCE = {"name": "s", "timeoutSeconds": 100, "timeoutPolicy": "RETRY", "responseTimeoutSeconds": 1, "retryCount": 0}


def _lose_what_ends_children(world: World) -> None:
    """Deliver what is due now, but for what tells a child to end."""
    while due := world.next_due(world.clock.now()):
        world.deliver([message for message in due if not isinstance(message, EndRun)])


@pytest.mark.parametrize("then", ["goes on", "ends", "ends, is retried", "is terminated"])
def test_a_child_whose_end_got_lost_is_found_within_the_hour(then: str) -> None:
    world = World()
    world.register({**workflow(step("HUMAN", "ever")), "name": "child"})
    after = step("HUMAN", "after") if then == "goes on" else step("NOOP", "after")
    timeout = {} if then == "is terminated" else {"taskDefinition": PATIENCE, "permissive": True}
    workflow_id = world.start(workflow(step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "child"}, **timeout), after))
    _lose_what_ends_children(world)
    child = world.tasks(workflow_id)["s"].sub_workflow_id or ""
    world.clock.advance(timedelta(seconds=101))
    if then == "is terminated":
        operate.terminate(world.engine, workflow_id, "enough")
    _lose_what_ends_children(world)
    assert world.view(workflow_id).workflow.status.terminal == (then != "goes on")
    if then == "ends, is retried":
        operate.retry(world.engine, workflow_id)
        _lose_what_ends_children(world)
    assert not world.view(child).workflow.status.terminal
    for _ in range(70):
        world.clock.advance(timedelta(minutes=1))
        sweep(world.engine)
        world.deliver(world.alarms.take_due(world.clock.now()))
    assert world.view(child).workflow.status is WorkflowStatus.TERMINATED
    world.clock.advance(timedelta(hours=2))
    sweep(world.engine)
    left = [entry.task_id for entry in world.engine.due_index.overdue(world.clock.now() + FAR, 10)]
    assert left == [], "what is over is looked at no more"
