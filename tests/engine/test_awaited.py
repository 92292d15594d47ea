"""Nothing waits for ever: an unfinished run waits for a stored moment or for a party that has a name, and says for which."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from fermata.application import awaited, operate
from fermata.application.hand_out import hand_out
from fermata.application.register import register_workflow
from fermata.application.report import TaskResult, report
from fermata.domain.awaited import Party, Waiting
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.working import WorkerQueue
from fermata.wire.definitions import workflow_definition_from_json
from hypothesis import given, settings

from tests.engine.test_deciding_twice import ByHand
from tests.support.random_workflows import workflows
from tests.support.world import Vendor, World, answer, step, workflow

MOVED_BY_TIME = {Party.VENDOR, Party.TIME, Party.ENGINE}
NAMED = {Party.WORKER, Party.CHILD, Party.TASKS}


def told(world: World, workflow_id: str) -> tuple[Waiting, ...]:
    return awaited.waiting_for(world.engine, world.view(workflow_id))


def only(world: World, workflow_id: str) -> Waiting:
    [found] = told(world, workflow_id)
    return found


# --- every run, whatever it is made of ---


def check(world: World, workflow_id: str) -> None:
    """Hold what the run says against what is stored of it."""
    view, found = world.view(workflow_id), told(world, workflow_id)
    if view.workflow.status.terminal:
        assert found == ()
        return
    still_open = {each.task.task_id for each in view.tasks if not each.task.status.terminal}
    assert still_open <= {each.task_id for each in found}
    assert any(each.party is not Party.TASKS for each in found), "its tasks wait for each other only"
    for each in found:
        assert each.due or each.party not in MOVED_BY_TIME, f"nothing stored moves {each}"
        paused = view.workflow.status is WorkflowStatus.PAUSED  # then what a loop waited for may be over, and nothing follows from it yet
        assert each.name or each.names or each.due or paused or each.party not in NAMED, f"nobody is named by {each}"
        if each.party is Party.CHILD and world.executions.load(each.name or ""):
            check(world, each.name or "")


class Asked(ByHand):
    def after_a_delivery(self) -> None:
        check(self.world, self.workflow_id)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(workflows())
def test_every_unfinished_run_names_what_it_waits_for(definition: dict[str, Any]) -> None:
    """Random runs, looked at after every delivery; workers never come, so that many end up waiting for them."""
    asked = Asked(definition)
    check(asked.world, asked.workflow_id)
    asked.run()
    check(asked.world, asked.workflow_id)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(workflows())
def test_a_paused_run_names_its_operator(definition: dict[str, Any]) -> None:
    asked = Asked(definition)
    if asked.world.view(asked.workflow_id).workflow.status.terminal:
        return
    operate.pause(asked.world.engine, asked.workflow_id)
    asked.run()
    assert told(asked.world, asked.workflow_id)[0].party is Party.OPERATOR
    check(asked.world, asked.workflow_id)


# --- each kind of task ---


@pytest.fixture
def world() -> World:
    return World()


def begins(world: World) -> datetime:
    return world.clock.now()


def test_a_person_and_a_signal(world: World) -> None:
    assert only(world, world.start(workflow(step("HUMAN", "approve")))).party is Party.PERSON
    assert only(world, world.start(workflow(step("WAIT", "hold")))).party is Party.SIGNAL


def test_a_persons_own_timeout_is_a_moment(world: World) -> None:
    definition = {"name": "approve", "timeoutSeconds": 600, "responseTimeoutSeconds": 1}
    found = only(world, world.start(workflow(step("HUMAN", "approve", taskDefinition=definition))))
    assert (found.party, found.due) == (Party.PERSON, begins(world) + timedelta(seconds=600))


def test_a_wait_names_its_end(world: World) -> None:
    found = only(world, world.start(workflow(step("WAIT", "hold", {"duration": "3 days"}))))
    assert (found.party, found.due) == (Party.TIME, begins(world) + timedelta(days=3))


def test_a_run_names_its_own_timeout_first(world: World) -> None:
    run, task = told(world, world.start(workflow(step("WAIT", "hold"), timeoutSeconds=60, timeoutPolicy="TIME_OUT_WF")))
    assert (run.party, run.task_id, run.due) == (Party.TIME, None, begins(world) + timedelta(seconds=60))
    assert task.party is Party.SIGNAL


def test_a_workers_task_names_its_queue_and_whether_anybody_polls_it(world: World) -> None:
    definition = {"name": "pack", "responseTimeoutSeconds": 30}
    world.register(workflow({**step("SIMPLE", "first", taskDefinition=definition), "name": "pack"}))
    workflow_id = world.start(name="flow")
    found = only(world, workflow_id)
    assert (found.party, found.name, found.last_poll, found.worker_id, found.due) == (Party.WORKER, "pack", None, None, None)
    [view] = hand_out(world.engine, WorkerQueue("pack", None, "ann"), 1)
    found = only(world, workflow_id)
    assert (found.last_poll, found.worker_id, found.due) == (begins(world), "ann", begins(world) + timedelta(seconds=30))
    report(world.engine, TaskResult(workflow_id, view.task.task_id, TaskStatus.IN_PROGRESS, callback_after_seconds=20))
    found = only(world, workflow_id)
    assert (found.worker_id, found.due) == (None, begins(world) + timedelta(seconds=20))


def test_a_poll_names_its_host_and_the_next_look(world: World) -> None:
    request = {"uri": "https://user:pass@jobs.example/7?key=x", "terminationCondition": "$.output.response.body.done"}
    vendor = Vendor(answer({"done": False}))
    world = World(vendor)
    workflow_id = world.start(workflow(step("HTTP_POLL", "job", {"http_request": request})))
    world.run_until(timedelta(seconds=1))
    found = only(world, workflow_id)
    assert (found.party, found.name) == (Party.VENDOR, "jobs.example")
    assert found.due == world.view(workflow_id).tasks[0].poll.due  # type: ignore[union-attr] - it polls


def test_a_request_is_its_vendors_until_it_is_made_and_then_somebodys_update(world: World) -> None:
    request = {"http_request": {"uri": "http://vendor.example/jobs", "method": "POST"}}
    workflow_id = world.start(workflow(step("HTTP", "job", request, asyncComplete=True)))
    found = only(world, workflow_id)
    assert (found.party, found.name) == (Party.VENDOR, "vendor.example")
    assert found.due
    world.run()
    found = only(world, workflow_id)
    assert (found.party, found.name, found.due) == (Party.UPDATE, "vendor.example", None)


def test_a_sub_workflow_names_its_child(world: World) -> None:
    child = workflow_definition_from_json({**workflow(step("HUMAN", "approve")), "name": "child"})
    register_workflow(world.engine, child, overwrite=True)
    workflow_id = world.start(workflow(step("SUB_WORKFLOW", "sub", subWorkflowParam={"name": "child"})))
    world.run()
    found = only(world, workflow_id)
    assert found.party is Party.CHILD
    assert only(world, found.name or "").party is Party.PERSON


def test_a_join_and_a_loop_name_the_tasks_that_are_left(world: World) -> None:
    branches = [[step("HUMAN", "a")], [step("HUMAN", "b")], [step("INLINE", "c", {"expression": "1"})]]
    fork = (step("FORK_JOIN", "fork", forkTasks=branches), step("JOIN", "join", joinOn=["a", "b", "c"]))
    found = told(world, world.start(workflow(*fork)))
    assert [(each.task_reference_name, each.party, each.names) for each in found] == [
        ("a", Party.PERSON, ()),
        ("b", Party.PERSON, ()),
        ("join", Party.TASKS, ("a", "b")),
    ]
    loop = step("DO_WHILE", "loop", loopCondition="false", loopOver=[step("HUMAN", "h")])
    assert told(world, world.start(workflow(loop)))[0].names == ("h__1",)


def test_nobody_is_read_who_polled_where_no_worker_is_waited_for(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    workflow_id = world.start(workflow(step("HUMAN", "approve")))
    monkeypatch.setattr(world.engine.work, "last_polls", lambda _queues: pytest.fail("read although nobody asked"))
    assert told(world, workflow_id)
