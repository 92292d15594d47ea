"""Starts with an idempotency key: one run, whatever is repeated and wherever a start dies."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fermata.application import operate
from fermata.application.once import MAKING
from fermata.application.remove import remove
from fermata.application.start import StartWorkflow, start
from fermata.application.sweep import sweep
from fermata.domain.errors import Conflict
from fermata.domain.idempotency import IdempotencyStrategy
from fermata.domain.status import WorkflowStatus
from fermata.ports import KeyHolder, WorkflowQuery

from tests.support.chaos import Crash, CrashPlan, breaking
from tests.support.world import World, step, workflow

FAIL, RETURN_EXISTING, FAIL_ON_RUNNING = IdempotencyStrategy


@pytest.fixture
def world() -> World:
    world = World()
    for name in ("flow", "other"):
        world.register(workflow(step("WAIT", "w", {"duration": "1h"}), name=name))
    return world


def begin(world: World, strategy: IdempotencyStrategy = FAIL, name: str = "flow", engine: Any = None) -> str:
    return start(engine or world.engine, StartWorkflow(name, idempotency_key="order-7", idempotency_strategy=strategy))


def runs(world: World) -> int:
    return world.executions.search(WorkflowQuery()).total_hits


def test_fail_refuses_while_any_run_has_the_key(world: World) -> None:
    first = begin(world)
    with pytest.raises(Conflict, match=first):
        begin(world)
    world.run()
    with pytest.raises(Conflict, match="COMPLETED"):
        begin(world)
    assert runs(world) == 1


def test_return_existing_answers_with_the_run_that_has_the_key(world: World) -> None:
    first = begin(world, RETURN_EXISTING)
    world.run()
    assert begin(world, RETURN_EXISTING) == first
    assert runs(world) == 1


def test_fail_on_running_refuses_a_running_and_a_paused_run_only(world: World) -> None:
    first = begin(world, FAIL_ON_RUNNING)
    for order in (operate.pause, operate.resume):
        with pytest.raises(Conflict):
            begin(world, FAIL_ON_RUNNING)
        order(world.engine, first)
    world.run()
    second = begin(world, FAIL_ON_RUNNING)
    assert second != first
    with pytest.raises(Conflict, match=second):
        begin(world, FAIL_ON_RUNNING)


def test_a_key_is_one_definitions_own(world: World) -> None:
    assert begin(world) != begin(world, name="other")


def test_without_a_key_the_strategy_means_nothing(world: World) -> None:
    for _ in range(2):
        start(world.engine, StartWorkflow("flow", idempotency_strategy=FAIL))
    assert runs(world) == 2


def test_a_removed_run_gives_its_key_back(world: World) -> None:
    first = begin(world)
    remove(world.engine, first, finished_only=False)
    assert begin(world) != first
    assert runs(world) == 1


@pytest.mark.parametrize("strategy", IdempotencyStrategy)
def test_a_start_that_dies_anywhere_and_is_repeated_makes_one_run(strategy: IdempotencyStrategy) -> None:
    for boundary in range(100):
        world, plan = World(), CrashPlan()
        world.register(workflow(step("WAIT", "w", {"duration": "1h"})))
        plan.boundary = boundary
        try:
            begin(world, strategy, engine=breaking(world.engine, plan))
        except Crash:
            pass
        else:
            assert boundary > 8
            return
        try:
            begin(world, strategy)
        except Conflict:
            assert strategy is not RETURN_EXISTING
        assert runs(world) == 1
        for _ in range(3):  # what the dead start left undone, the sweeper finds
            world.clock.advance(timedelta(minutes=10))
            sweep(world.engine)
        world.run()
        (run,) = world.executions.search(WorkflowQuery()).workflows
        assert run.status is WorkflowStatus.COMPLETED


def test_a_key_whose_run_was_never_made_is_taken_over_after_a_while(world: World) -> None:
    world.executions.hold_key("flow", "order-7", KeyHolder("gone", world.clock.now()))
    world.clock.advance(MAKING)
    assert begin(world) != "gone"


def test_two_starts_at_once_make_one_run(world: World) -> None:
    inner = world.executions

    class Overtaken:
        """Lets another start with the same key go through just before the run of the first is stored."""

        overtaken = False

        def __getattr__(self, name: str) -> Any:
            return getattr(inner, name)

        def commit(self, decision: Any) -> bool:
            if not self.overtaken:
                self.overtaken = True
                assert begin(world, RETURN_EXISTING) == decision.workflow.workflow_id
            return inner.commit(decision)

    begin(world, RETURN_EXISTING, engine=replace(world.engine, executions=Overtaken()))
    assert runs(world) == 1
    world.run()
    assert world.executions.search(WorkflowQuery()).workflows[0].status is WorkflowStatus.COMPLETED
