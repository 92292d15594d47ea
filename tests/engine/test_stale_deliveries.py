"""A message that comes again after its work is done changes nothing, not even at the vendor's."""

from dataclasses import replace

import pytest
from fermata.application import operate
from fermata.application.deliver import deliver
from fermata.domain.messages import PollDue, RunTask
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.chaos import Breaking, Crash, CrashPlan
from tests.support.world import World, step, workflow

SUBMIT = step("HTTP", "submit", {"http_request": {"uri": "http://v/jobs", "method": "POST"}})
AWAIT = step("HTTP_POLL", "await", {"http_request": {"uri": "http://v/jobs/1", "terminationCondition": "false"}})
AFTER_RECORD = 1  # boundaries of `executions.record` alone: before it, after it


def _crash_after_the_outcome_is_recorded(world: World, message: RunTask) -> None:
    record = Breaking(world.executions, CrashPlan(AFTER_RECORD)).record

    class Dying:
        def __getattr__(self, name: str) -> object:
            return record if name == "record" else getattr(world.executions, name)

    with pytest.raises(Crash):
        deliver(replace(world.engine, executions=Dying()), message)  # type: ignore[arg-type]


def test_a_repeat_after_the_outcome_was_recorded_sends_no_second_request() -> None:
    world = World()
    workflow_id = world.start(workflow(SUBMIT))
    [message] = world.alarms.take_due(world.clock.now())
    assert isinstance(message, RunTask)
    _crash_after_the_outcome_is_recorded(world, message)
    assert world.tasks(workflow_id)["submit"].status is TaskStatus.SCHEDULED
    deliver(world.engine, message)
    assert world.tasks(workflow_id)["submit"].status is TaskStatus.COMPLETED
    assert len(world.http.requests) == 1


def test_a_repeat_of_a_finished_task_sends_no_request_and_writes_nothing() -> None:
    world = World()
    workflow_id = world.start(workflow(SUBMIT))
    [message] = world.alarms.take_due(world.clock.now())
    deliver(world.engine, message)
    stored = world.executions.load(workflow_id)
    deliver(world.engine, message)
    assert world.executions.load(workflow_id) == stored
    assert len(world.http.requests) == 1


@pytest.mark.parametrize("waiting", [SUBMIT, AWAIT], ids=["request", "poll"])
def test_what_is_delivered_to_a_terminated_run_asks_nobody(waiting: dict[str, object]) -> None:
    world = World()
    workflow_id = world.start(workflow(waiting))
    messages = world.alarms.take_due(world.clock.now())
    assert [type(message) for message in messages] == [RunTask if waiting is SUBMIT else PollDue]
    operate.terminate(world.engine, workflow_id, "enough")
    ended = world.view(workflow_id)
    world.clock.advance(world.engine.min_poll_interval)
    for message in messages:
        deliver(world.engine, message)
    assert world.http.requests == []
    assert world.view(workflow_id) == ended
    assert ended.workflow.status is WorkflowStatus.TERMINATED
