"""Wide forks, long loops and long sequences: they run to their end, and what a decision stores does not grow with the run."""

from dataclasses import replace
from typing import Any

from fermata.adapters.memory.executions import MemoryExecutions
from fermata.application.hand_out import hand_out
from fermata.application.report import TaskResult, report
from fermata.domain.effects import Decision
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.working import WorkerQueue
from fermata.wire import records

from tests.support.world import World, answer, step, workflow

WIDE, LONG_LOOP, LONG_SEQUENCE = 1000, 5000, 300
FEW = 10
MOST_GROWTH = 2
REQUEST = {"http_request": {"uri": "http://vendor", "method": "GET"}}


class WeighedExecutions(MemoryExecutions):
    """Notes how many bytes each decision asks the store to write, without the run's input, which a store keeps once."""

    def __init__(self, due_index: Any) -> None:
        super().__init__(due_index)
        self.written: list[int] = []
        self.removed: list[int] = []

    def commit(self, decision: Decision) -> bool:
        self.written.append(len(records.dump(replace(decision, workflow=replace(decision.workflow, input={})))))
        self.removed.append(len(decision.removed))
        return super().commit(decision)


class WeighedWorld(World):
    executions_of = WeighedExecutions  # type: ignore[assignment]  # a recount would cost as much as the run is long

    @property
    def written(self) -> list[int]:
        assert isinstance(self.executions, WeighedExecutions)
        return self.executions.written


def completed(definition: dict[str, Any], given: dict[str, Any] | None = None) -> list[int]:
    """Run to the end; return the bytes of each decision."""
    world = WeighedWorld(lambda _: answer({"id": 1}))
    view = world.outcome(definition, given)
    assert view.workflow.status is WorkflowStatus.COMPLETED, view.workflow.reason_for_incompletion
    return world.written


def sequence(length: int) -> dict[str, Any]:
    return workflow(*(step("HTTP", f"h{number}", REQUEST) for number in range(length)))


def static_fork(width: int) -> dict[str, Any]:
    branches = [[step("HTTP", f"h{number}", REQUEST)] for number in range(width)]
    return workflow(step("FORK_JOIN", "fork", forkTasks=branches), step("JOIN", "join", joinOn=[branch[0]["name"] for branch in branches]))


def dynamic_fork(kind: str) -> dict[str, Any]:
    given = {"forkTaskType": kind, "forkTaskName": "work", "forkTaskInputs": "${workflow.input.all}"}
    return workflow(step("FORK_JOIN_DYNAMIC", "fork", given), step("JOIN", "join"))


def fork_of_switches(width: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a dynamic fork of SWITCHes that each choose a request, and its input."""
    cases = [{"x": [step("HTTP", f"h{number}", REQUEST)], "y": [step("HTTP", f"i{number}", REQUEST)]} for number in range(width)]
    how = {"evaluatorType": "value-param", "expression": "case"}
    listed = [step("SWITCH", f"s{number}", {"case": "x"}, decisionCases=each, **how) for number, each in enumerate(cases)]
    params = {"dynamicForkTasksParam": "all", "dynamicForkTasksInputParamName": "none"}
    fork = step("FORK_JOIN_DYNAMIC", "fork", {"all": "${workflow.input.all}", "none": {}}, **params)
    return workflow(fork, step("JOIN", "join")), {"all": listed}


def fork_of_loops(width: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a dynamic fork of loops that each make a request twice, and its input."""
    params = {"dynamicForkTasksParam": "all", "dynamicForkTasksInputParamName": "none"}
    bodies = [[step("HTTP", f"h{number}", REQUEST)] for number in range(width)]
    loops = [step("DO_WHILE", f"l{n}", loopCondition=f"$.l{n}.iteration < 2", loopOver=body) for n, body in enumerate(bodies)]
    fork = step("FORK_JOIN_DYNAMIC", "fork", {"all": "${workflow.input.all}", "none": {}}, **params)
    return workflow(fork, step("JOIN", "join")), {"all": loops}


def loop(body: dict[str, Any]) -> dict[str, Any]:
    return workflow(step("DO_WHILE", "loop", {"keepLastN": 2}, loopCondition="", items="${workflow.input.all}", loopOver=[body]))


def test_a_long_sequence_ends_and_its_late_decisions_store_no_more_than_early_ones() -> None:
    written = completed(sequence(LONG_SEQUENCE))
    assert written[LONG_SEQUENCE - 2] <= MOST_GROWTH * written[FEW]


def test_a_static_fork_of_a_thousand_ends_and_a_branch_costs_what_it_costs_among_ten() -> None:
    wide, narrow = completed(static_fork(WIDE)), completed(static_fork(FEW))
    assert wide[WIDE // 2] <= MOST_GROWTH * narrow[FEW // 2]


def test_a_dynamic_fork_of_a_thousand_ends_and_a_branch_costs_what_it_costs_among_ten() -> None:
    wide, narrow = (completed(dynamic_fork("HTTP"), {"all": [REQUEST] * width}) for width in (WIDE, FEW))
    assert wide[0] / WIDE <= MOST_GROWTH * narrow[0] / FEW
    assert wide[WIDE // 2] <= MOST_GROWTH * narrow[FEW // 2]


def test_a_dynamic_fork_of_a_thousand_switches_ends_and_a_branch_costs_what_it_costs_among_ten() -> None:
    wide, narrow = (completed(*fork_of_switches(width)) for width in (WIDE, FEW))
    assert wide[0] / WIDE <= MOST_GROWTH * narrow[0] / FEW
    assert wide[WIDE // 2] <= MOST_GROWTH * narrow[FEW // 2]


def test_an_iteration_of_a_forked_loop_costs_among_a_hundred_what_it_costs_among_ten() -> None:
    wide, narrow = (completed(*fork_of_loops(width)) for width in (10 * FEW, FEW))
    assert wide[10 * FEW] <= MOST_GROWTH * narrow[FEW]
    assert len(wide) <= MOST_GROWTH * 10 * len(narrow)


def test_a_dynamic_fork_of_a_thousand_instant_tasks_ends_and_its_late_decisions_store_no_more_than_early_ones() -> None:
    written = completed(dynamic_fork("NOOP"), {"all": [{}] * WIDE})
    assert written[-2] <= MOST_GROWTH * written[1]


def test_a_thousand_workers_tasks_side_by_side_are_handed_out_and_joined() -> None:
    world = WeighedWorld()
    workflow_id = world.start(dynamic_fork("SIMPLE"), {"all": [{"n": number} for number in range(WIDE)]})
    before = len(world.written)
    while handed := hand_out(world.engine, WorkerQueue("work", worker_id="w1"), 100):
        for each in handed:
            report(world.engine, TaskResult(workflow_id, each.task.task_id, TaskStatus.COMPLETED))
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED
    assert len(world.written) == before + WIDE
    assert world.written[-2] <= MOST_GROWTH * world.written[before]


def test_a_loop_of_five_thousand_iterations_ends_and_a_late_iteration_stores_what_an_early_one_does() -> None:
    world = WeighedWorld()
    view = world.outcome(loop(step("SET_VARIABLE", "last", {"last": "${loop.output.loopItem}"})), {"all": list(range(LONG_LOOP))})
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert view.workflow.variables == {"last": LONG_LOOP - 1}
    assert sorted(view.tasks[0].task.output) == ["4999", "5000", "iteration", "loopIndex", "loopItem"]
    assert [each.task.task_reference_name for each in view.tasks] == ["loop", "last__4999", "last__5000"]
    assert world.written[-2] <= 1.1 * world.written[1]
    assert isinstance(world.executions, WeighedExecutions)
    assert max(world.executions.removed) <= 3, "what began and was forgotten within one decision was never stored"
