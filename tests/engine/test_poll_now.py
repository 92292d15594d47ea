"""A waiting poll is made at once when somebody asks: once, counted as any poll, and safe wherever a process dies."""

import contextlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fermata.adapters.dynamodb import keys
from fermata.application import operate
from fermata.application.deliver import deliver
from fermata.application.poll_now import poll_now
from fermata.application.sweep import sweep
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.messages import PollDue
from fermata.domain.polling import LedgerEntry
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.chaos import Crash, CrashPlan, breaking
from tests.support.moto_world import MotoWorld, fresh_aws
from tests.support.world import Vendor, World, answer, step, workflow

RUNNING, DONE = answer({"state": "RUNNING"}), answer({"state": "DONE"})
UNTIL_DONE = "$.output.response.body.state === 'DONE'"
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def polling(**fields: Any) -> dict[str, Any]:
    request = {"uri": "http://v/jobs/1", "terminationCondition": UNTIL_DONE, "pollingInterval": 3600, **fields}
    return workflow(step("HTTP_POLL", "await", {"http_request": request}))


def begun(world: World, **fields: Any) -> tuple[str, str]:
    """Return a run whose first poll is made and said "not yet", and the task that waits for the second, an hour later."""
    workflow_id = world.start(polling(**fields))
    world.run_until(timedelta(seconds=1))
    return workflow_id, world.tasks(workflow_id)["await"].task_id


def ledger(world: World, task_id: str) -> list[LedgerEntry]:
    return list(world.engine.polls.ledger(task_id))


def test_the_next_poll_is_made_now_and_the_interval_counts_from_it() -> None:
    world = World(Vendor(RUNNING))
    _, task_id = begun(world)
    world.run_until(10 * MINUTE)
    asked_at = world.clock.now()
    hastened = poll_now(world.engine, task_id)
    assert (hastened.poll, hastened.due, hastened.task.task_reference_name) == (2, asked_at, "await")
    world.run_until(timedelta(seconds=1))
    second = ledger(world, task_id)[-1]
    assert (second.poll, second.due, second.fired) == (2, asked_at, asked_at)
    assert second.next_due == asked_at + HOUR


def test_the_alarm_of_the_old_moment_makes_no_poll() -> None:
    vendor = Vendor(RUNNING)
    world = World(vendor)
    _, task_id = begun(world)
    world.run_until(10 * MINUTE)
    poll_now(world.engine, task_id)
    world.run_until(55 * MINUTE)  # past the moment that was armed first
    assert (vendor.polls, len(ledger(world, task_id))) == (2, 2)
    world.run_until(10 * MINUTE)
    assert (vendor.polls, len(ledger(world, task_id))) == (3, 3)


def test_two_clicks_make_one_poll() -> None:
    vendor = Vendor(RUNNING)
    world = World(vendor)
    _, task_id = begun(world)
    world.run_until(MINUTE)
    first = poll_now(world.engine, task_id)
    world.clock.advance(timedelta(seconds=2))
    assert poll_now(world.engine, task_id) == first
    assert len([message for message in world.alarms.take_due(world.clock.now()) if deliver(world.engine, message) is None]) == 1
    assert (vendor.polls, len(ledger(world, task_id))) == (2, 2)


def test_it_may_be_the_last_one_that_is_allowed_and_the_one_that_ends_it() -> None:
    world = World(Vendor(RUNNING))
    workflow_id, task_id = begun(world, maxPollCount=2)
    poll_now(world.engine, task_id)
    world.run_until(timedelta(seconds=1))
    assert world.tasks(workflow_id)["await"].output["outcome"] == "EXHAUSTED"
    world = World(Vendor(RUNNING, DONE))
    workflow_id, task_id = begun(world)
    poll_now(world.engine, task_id)
    world.run_until(timedelta(seconds=1))
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED


def test_a_retry_that_waits_for_its_delay_polls_at_once() -> None:
    world = World(Vendor(answer({}, 500), answer({"state": "DONE"})))
    delayed = {"name": "await", "retryCount": 1, "retryDelaySeconds": 900, "responseTimeoutSeconds": 1}
    definition = polling(pollErrorBudget={"consecutive": 1})
    definition["tasks"][0]["taskDefinition"] = delayed
    workflow_id = world.start(definition)
    world.run_until(timedelta(seconds=1))
    second = world.tasks(workflow_id)["await"]
    assert (second.retry_count, second.status) == (1, TaskStatus.SCHEDULED)
    poll_now(world.engine, second.task_id)
    world.run_until(timedelta(seconds=1))
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED


def test_what_waits_for_no_poll_says_why() -> None:
    world = World(Vendor(RUNNING))
    workflow_id, task_id = begun(world)
    operate.pause(world.engine, workflow_id)
    with pytest.raises(Conflict, match=f"Workflow {workflow_id} is PAUSED: resume it, then poll."):
        poll_now(world.engine, task_id)
    operate.terminate(world.engine, workflow_id, None)
    with pytest.raises(Conflict, match=f"Workflow {workflow_id} is TERMINATED: nothing is polled any more."):
        poll_now(world.engine, task_id)
    with pytest.raises(NotFound, match="No such task found by id: nobody"):
        poll_now(world.engine, "nobody")
    assert len(ledger(world, task_id)) == 1


@pytest.mark.parametrize(
    ("kind", "because"),
    [
        ("SIMPLE", "Task open is for workers: one of them asks for it, nothing is polled here"),
        ("HUMAN", "Task open is a HUMAN: only HTTP_POLL tasks and tries of actions are polled"),
    ],
)
def test_a_task_of_another_kind_says_what_it_is(kind: str, because: str) -> None:
    world = World()
    workflow_id = world.start(workflow(step("NOOP", "over"), step(kind, "open")))
    tasks = world.tasks(workflow_id)
    with pytest.raises(Conflict, match=because):
        poll_now(world.engine, tasks["open"].task_id)
    with pytest.raises(Conflict, match="Task over is COMPLETED: it waits for nothing any more"):
        poll_now(world.engine, tasks["over"].task_id)


def test_a_message_that_got_lost_is_sent_again_by_the_next_click_or_by_the_sweeper() -> None:
    for heal in (lambda world, task_id: poll_now(world.engine, task_id), lambda world, _: sweep(world.engine)):
        world = World(Vendor(RUNNING))
        _, task_id = begun(world)
        poll_now(world.engine, task_id)
        world.alarms.take_due(world.clock.now())  # lost
        world.clock.advance(2 * MINUTE)
        heal(world, task_id)
        world.deliver(world.alarms.take_due(world.clock.now()))
        assert len(ledger(world, task_id)) == 2


@pytest.mark.parametrize("on_aws", [False, True], ids=["memory", "moto"])
def test_a_click_that_dies_at_any_boundary_loses_no_poll_and_makes_none_twice(monkeypatch: pytest.MonkeyPatch, *, on_aws: bool) -> None:
    monkeypatch.setattr(keys, "DUE_SHARDS", 1)  # most calls here are the sweeper's, which reads every shard
    with fresh_aws():
        boundary = 0
        while _dies_at(MotoWorld(Vendor(RUNNING)) if on_aws else World(Vendor(RUNNING)), boundary):
            boundary += 1
    assert boundary >= 8


def _dies_at(world: World, boundary: int) -> bool:
    """Let a click die there; in the next two minutes the poll is made, by the message or by the sweeper, or the due moment never moved."""
    _, task_id = begun(world)
    plan, sound = CrashPlan(boundary), world.engine
    dying = replace(breaking(sound, plan), http=sound.http)
    with contextlib.suppress(Crash):
        poll_now(dying, task_id)
    died = plan.boundary is None
    for _ in range(3):
        world.run_until(MINUTE)
        sweep(sound)
    world.run_until(timedelta(seconds=1))
    poll = sound.polls.load(task_id)
    assert poll is not None
    made = [entry.poll for entry in ledger(world, task_id)]
    moved = poll.state.due != ledger(world, task_id)[0].next_due
    assert made == ([1, 2] if moved else [1])
    return died


def test_a_poll_that_is_made_in_the_same_moment_is_not_made_again() -> None:
    """The click has read the row, then the poll that was due is made: the click's write finds another row and sends nothing."""
    vendor = Vendor(RUNNING)
    world = World(vendor)
    workflow_id, task_id = begun(world)
    polls = world.engine.polls

    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(polls, name)

        def hasten(self, *asked: Any) -> bool:
            world.clock.advance(HOUR)
            deliver(world.engine, PollDue(workflow_id, task_id, 2))
            return polls.hasten(*asked)

    poll_now(replace(world.engine, polls=Slow()), task_id)
    world.deliver(world.alarms.take_due(world.clock.now()))
    assert (vendor.polls, [entry.poll for entry in ledger(world, task_id)]) == (2, [1, 2])
