"""A caller waits: growing pauses within a bound, each look cheap."""

from datetime import timedelta

import pytest
from fermata.application import complete
from fermata.application.hand_out import wait_for_work
from fermata.application.operate import terminate
from fermata.application.standstill import MAX_RUNS, wait_until_still
from fermata.application.waiting import bounded, wait_for
from fermata.domain.errors import NotFound, TransientError
from fermata.domain.status import TaskStatus
from fermata.domain.working import WorkerQueue

from tests.support.meanwhile import Meanwhile, with_pauses
from tests.support.world import World, step, workflow

SECOND = timedelta(seconds=1)
PACK = {**step("SIMPLE", "pack"), "name": "pack"}


@pytest.fixture
def world() -> World:
    return World()


def milliseconds(pauses: Meanwhile) -> list[int]:
    return [round(length / timedelta(milliseconds=1)) for length in pauses.lengths]


def test_pauses_grow_and_add_up_to_the_time_that_was_asked_for(world: World) -> None:
    engine, pauses = with_pauses(world)
    assert wait_for(engine, lambda: None, 2 * SECOND) is None
    assert milliseconds(pauses) == [50, 100, 200, 400, 400, 400, 400, 50]


def test_what_is_there_already_needs_no_pause_and_no_time_is_one_look(world: World) -> None:
    engine, pauses = with_pauses(world)
    looks: list[int] = []
    assert wait_for(engine, lambda: "there", SECOND) == "there"
    assert wait_for(engine, lambda: looks.append(1), timedelta(0)) is None
    assert (looks, pauses.lengths) == ([1], [])


def test_the_last_look_comes_after_the_last_pause(world: World) -> None:
    engine, pauses = with_pauses(world)
    seen: list[str] = []
    pauses.acts = [lambda: None, lambda: seen.append("just in time")]
    assert wait_for(engine, lambda: seen or None, timedelta(milliseconds=150)) == ["just in time"]


def test_a_look_that_fails_for_now_is_repeated_and_the_last_one_tells(world: World) -> None:
    engine, pauses = with_pauses(world)

    def look() -> str:
        if len(pauses.lengths) < 3:
            raise TransientError("throttled")
        return "seen"

    assert wait_for(engine, look, SECOND) == "seen"
    pauses.lengths.clear()
    with pytest.raises(TransientError):
        wait_for(engine, look, timedelta(milliseconds=60))
    assert milliseconds(pauses) == [50, 10]


def test_nobody_waits_longer_than_the_operator_allows(world: World) -> None:
    engine, _ = with_pauses(world, longest_hold=3 * SECOND)
    began = world.clock.now()
    assert bounded(engine, 60 * SECOND) == 3 * SECOND
    world.clock.advance(SECOND)
    assert bounded(engine, 60 * SECOND, began) == 2 * SECOND
    world.clock.advance(60 * SECOND)
    assert bounded(engine, SECOND, began) == timedelta(0)


def test_a_worker_that_waits_gets_its_task_as_soon_as_it_is_there(world: World) -> None:
    engine, pauses = with_pauses(world)
    name = world.register(workflow(PACK))
    pauses.acts = [lambda: None, lambda: world.start(name=name)]
    (handed,) = wait_for_work(engine, WorkerQueue("pack", None, "ann"), 5, 5 * SECOND)
    assert (handed.task.task_reference_name, handed.task.status) == ("pack", TaskStatus.IN_PROGRESS)
    assert milliseconds(pauses) == [50, 100]


@pytest.mark.parametrize(("asked", "hold", "waited"), [(0.1, 0, 0.1), (0.1, 7, 7), (5, 0, 5), (5, 7, 7), (5, 60, 20), (0, 0, 0)])
def test_a_worker_is_held_as_long_as_it_asks_or_longer_where_the_operator_wants_it(
    world: World, asked: float, hold: float, waited: float
) -> None:
    engine, pauses = with_pauses(world, worker_hold=hold * SECOND)
    assert wait_for_work(engine, WorkerQueue("pack"), 1, asked * SECOND) == []
    assert pauses.waited == waited * SECOND


def test_a_worker_that_wants_nothing_does_not_wait(world: World) -> None:
    engine, pauses = with_pauses(world, worker_hold=SECOND)
    assert wait_for_work(engine, WorkerQueue("pack"), 0, 5 * SECOND) == []
    assert pauses.lengths == []


def test_a_run_that_ends_ends_the_wait(world: World) -> None:
    engine, pauses = with_pauses(world)
    run = world.start(workflow(step("WAIT", "nap", {"duration": "2s"})))
    still = wait_until_still(engine, run, 10 * SECOND)
    assert (still.target.workflow.status, still.blocking, still.timed_out) == ("COMPLETED", None, False)
    assert 2 * SECOND <= pauses.waited < 3 * SECOND


def test_a_wait_with_an_end_does_not_block_and_the_time_runs_out(world: World) -> None:
    engine, pauses = with_pauses(world)
    run = world.start(workflow(step("WAIT", "nap", {"duration": "1 hour"})))
    still = wait_until_still(engine, run, 3 * SECOND)
    assert (still.target.workflow.status, still.blocking, still.timed_out) == ("RUNNING", None, True)
    assert pauses.waited == 3 * SECOND


def child(*steps: dict) -> dict:
    return {
        **step("SUB_WORKFLOW", "child"),
        "subWorkflowParam": {"name": "inner", "workflowDefinition": {**workflow(*steps), "name": "inner"}},
    }


def test_an_endless_wait_in_a_child_blocks_its_parent(world: World) -> None:
    engine, _ = with_pauses(world)
    run = world.start(workflow(child(step("NOOP", "first"), step("WAIT", "hold"))))
    still = wait_until_still(engine, run, 5 * SECOND)
    assert still.blocking is not None
    assert still.blocking.task.task_reference_name == "hold"
    assert (still.within.workflow.workflow_name, still.target.workflow.workflow_id, still.timed_out) == ("inner", run, False)


def test_a_task_that_is_over_ends_the_wait_by_its_name_in_any_run_and_iteration(world: World) -> None:
    engine, _ = with_pauses(world)
    loop = {**step("DO_WHILE", "loop"), "loopCondition": "$.loop['iteration'] < 2", "loopOver": [step("NOOP", "turn")]}
    inner = child(loop, step("WAIT", "nap", {"duration": "1 hour"}))
    for name in ("turn", "loop", "turn__1"):
        run = world.start(workflow(inner))
        still = wait_until_still(engine, run, SECOND, ("other", name))
        assert still.blocking is not None
        assert (still.blocking.task.task_reference_name.startswith(name), still.within.workflow.workflow_name) == (True, "inner")
    assert wait_until_still(engine, world.start(workflow(inner)), SECOND, ("None",)).timed_out


def test_an_attempt_that_is_tried_again_ends_no_wait(world: World) -> None:
    engine, pauses = with_pauses(world)
    run = world.start(workflow({**PACK, "taskDefinition": {"name": "pack", "retryCount": 1, "retryDelaySeconds": 60}}))
    (task,) = world.tasks(run).values()
    pauses.acts = [lambda: complete.complete_task(engine, run, task.task_id, TaskStatus.FAILED, {})]
    assert wait_until_still(engine, run, SECOND, ("pack",)).timed_out


def test_looks_read_tasks_only_when_something_has_happened(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, pauses = with_pauses(world)
    run = world.start(workflow(PACK, step("HUMAN", "ask")))
    reads: list[str] = []
    read = engine.executions.all_tasks
    monkeypatch.setattr(engine.executions, "all_tasks", lambda workflow_id: reads.append(workflow_id) or read(workflow_id))
    (task,) = world.tasks(run).values()
    reads.clear()

    def work() -> None:
        complete.complete_task(engine, run, task.task_id, TaskStatus.COMPLETED, {})
        del reads[1:]  # what the decision itself has read

    pauses.acts = [*[lambda: None] * 5, work]
    assert wait_until_still(engine, run, 5 * SECOND).timed_out
    assert (len(pauses.lengths) > 10, reads) == (True, [run, run])  # at first, and after the decision


def test_a_wide_family_is_looked_at_in_part(world: World) -> None:
    engine, _ = with_pauses(world)
    count = MAX_RUNS + 10
    branches = [[{**child(step("HUMAN", "ask")), "taskReferenceName": f"c{number}", "name": f"c{number}"}] for number in range(count)]
    fork = {**step("FORK_JOIN", "fork"), "forkTasks": branches}
    run = world.start(workflow(fork, {**step("JOIN", "join"), "joinOn": [f"c{number}" for number in range(count)]}))
    world.run_until(SECOND)
    asked: list[int] = []
    revisions = engine.executions.revisions
    engine.executions.revisions = lambda ids: asked.append(len(ids)) or revisions(ids)  # type: ignore[method-assign]
    assert wait_until_still(engine, run, SECOND).timed_out
    assert set(asked) == {MAX_RUNS}


def test_the_run_must_exist_and_may_end_otherwise_meanwhile(world: World) -> None:
    engine, pauses = with_pauses(world)
    with pytest.raises(NotFound):
        wait_until_still(engine, "00000000-0000-0000-0000-00000000dead", SECOND)
    run = world.start(workflow(PACK))
    pauses.acts = [lambda: terminate(engine, run, "enough")]
    assert wait_until_still(engine, run, SECOND).target.workflow.status == "TERMINATED"
