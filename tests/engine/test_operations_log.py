"""Nothing is done to a run of which nobody knows, wherever a process dies; what was not done is not told."""

import contextlib
from collections.abc import Callable

import pytest
from fermata.adapters.dynamodb import keys
from fermata.application import operate
from fermata.application.complete import complete_task
from fermata.application.engine import Engine
from fermata.application.sweep import sweep
from fermata.domain.operations import MAX_REASON_CHARACTERS, Order, Verb, operation
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.chaos import Crash, CrashPlan, breaking
from tests.support.moto_world import MotoWorld, fresh_aws
from tests.support.world import World, step, workflow

ME = Order("fk-1", "the vendor is down")
HOLD = workflow(step("HUMAN", "hold"))


def end_hold(engine: Engine, workflow_id: str) -> None:
    task_id = engine.executions.all_tasks(workflow_id)[0].task_id
    complete_task(engine, workflow_id, task_id, TaskStatus.COMPLETED, {}, order=ME)


ORDERS: dict[str, tuple[Callable[[Engine, str], None], WorkflowStatus]] = {
    "pause": (lambda engine, run: operate.pause(engine, run, ME), WorkflowStatus.PAUSED),
    "terminate": (lambda engine, run: operate.terminate(engine, run, "over", ME), WorkflowStatus.TERMINATED),
    "complete-task": (end_hold, WorkflowStatus.COMPLETED),
}


@pytest.mark.parametrize(
    ("verb", "on_aws"),
    [*((verb, False) for verb in ORDERS), ("pause", True)],
)
def test_an_order_that_dies_at_any_boundary_is_told_once_if_it_was_carried_out(
    verb: str, monkeypatch: pytest.MonkeyPatch, *, on_aws: bool
) -> None:
    monkeypatch.setattr(keys, "DUE_SHARDS", 1)  # most calls here are the sweeper's, which reads every shard
    boundary = 0
    with fresh_aws():
        while _dies_at(MotoWorld() if on_aws else World(), verb, boundary):
            boundary += 1
    assert boundary >= 8


def _dies_at(world: World, verb: str, boundary: int) -> bool:
    """Give the order and die there, then let the sweeper heal what is left; give it again as whoever got no answer would."""
    order, meant = ORDERS[verb]
    workflow_id, plan = world.start(HOLD), CrashPlan(boundary)
    with contextlib.suppress(Crash):
        order(breaking(world.engine, plan), workflow_id)
    died = plan.boundary is None
    world.clock.advance(world.engine.min_poll_interval * 10)
    sweep(world.engine)
    told = [each.verb for each in world.engine.operations.of(workflow_id)]
    stands = world.view(workflow_id).workflow.status
    assert told in ([], [verb])
    assert bool(told) or stands is not meant, "it was done and nobody knows"
    assert stands is meant or verb == "complete-task" or not told, "it was told and not done"
    with contextlib.suppress(Exception):
        order(world.engine, workflow_id)
    assert world.view(workflow_id).workflow.status is meant
    assert [each.verb for each in world.engine.operations.of(workflow_id)] == [verb]
    return died


def test_a_reason_is_kept_to_its_first_thousand_characters() -> None:
    world = World()
    workflow_id = world.start(HOLD)
    operate.pause(world.engine, workflow_id, Order("local", "x" * 5000))
    [told] = world.engine.operations.of(workflow_id)
    assert told.reason == "x" * MAX_REASON_CHARACTERS


def test_without_an_order_nothing_is_written_down() -> None:
    world = World()
    workflow_id = world.start(HOLD)
    operate.pause(world.engine, workflow_id)
    assert list(world.engine.operations.of(workflow_id)) == []


def test_an_empty_reason_is_none() -> None:
    assert operation(Order("local", ""), "w", Verb.PAUSE, World().clock.now()).reason is None
