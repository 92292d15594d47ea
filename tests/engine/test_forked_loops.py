"""A DO_WHILE in the input of a dynamic fork: its body is one task, it counts its iterations itself, and the JOIN awaits the loop."""

from typing import Any

import pytest
from fermata.application import operate
from fermata.domain.commands import Rerun
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.mending import Mending
from tests.support.world import World, step, workflow

COMPLETED, FAILED = TaskStatus.COMPLETED, TaskStatus.FAILED


@pytest.fixture
def vendor() -> Mending:
    return Mending()


@pytest.fixture
def world(vendor: Mending) -> World:
    return World(vendor)


def http(reference: str, uri: str = "", **fields: Any) -> dict[str, Any]:
    return step("HTTP", reference, {"http_request": {"uri": f"http://v/{uri or reference}", "method": "POST"}}, **fields)


def switch(reference: str, cases: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return step("SWITCH", reference, fields, evaluatorType="value-param", expression="case", decisionCases=cases)


def loop(reference: str, *body: dict[str, Any], times: int = 2, **given: Any) -> dict[str, Any]:
    return step("DO_WHILE", reference, given, loopCondition=f"$.{reference}.iteration < {times}", loopOver=list(body))


def forking(*steps: dict[str, Any]) -> list[dict[str, Any]]:
    params = {"dynamicForkTasksParam": "tasks", "dynamicForkTasksInputParamName": "inputs"}
    given = {"tasks": "${workflow.input.tasks}", "inputs": {}}
    return [step("FORK_JOIN_DYNAMIC", "d", given, **params), step("JOIN", "j"), http("after")]


def ended(world: World, *steps: dict[str, Any], around: Any = workflow) -> str:
    workflow_id = world.start(around(*forking()), {"tasks": list(steps)})
    world.run()
    return workflow_id


def shown(world: World, workflow_id: str) -> list[tuple[str, TaskStatus]]:
    return [(view.task.task_reference_name, view.task.status) for view in world.view(workflow_id).tasks]


def names(world: World, workflow_id: str) -> list[str]:
    return sorted(name for name, status in shown(world, workflow_id) if status is COMPLETED)


def status(world: World, workflow_id: str) -> WorkflowStatus:
    return world.view(workflow_id).workflow.status


def test_loops_run_side_by_side_and_the_join_awaits_them(world: World) -> None:
    workflow_id = ended(world, loop("l", http("a"), times=2), loop("m", http("b"), times=3), http("c"))
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert names(world, workflow_id) == sorted(["d", "l", "a__1", "a__2", "m", "b__1", "b__2", "b__3", "c", "j", "after"])
    tasks = world.tasks(workflow_id)
    assert tasks["j"].input == {"joinOn": ["l", "m", "c"]}
    assert sorted(tasks["l"].output) == ["1", "2", "iteration"]
    assert list(tasks["m"].output["3"]) == ["b"]


def test_a_forked_loop_over_instant_tasks_reads_its_number_and_items(world: World) -> None:
    inline = step("INLINE", "a", {"i": "${l.output.loopItem}", "expression": "$.i * 2"})
    listed = step("DO_WHILE", "l", {"_items": [3, 4, 5], "keepLastN": 2}, loopCondition="", loopOver=[inline])
    workflow_id = ended(world, listed)
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    output = world.tasks(workflow_id)["l"].output
    assert {key: output[key] for key in ("2", "3")} == {"2": {"a": {"result": 8}}, "3": {"a": {"result": 10}}}
    assert "a__1" not in names(world, workflow_id)


def test_a_switch_in_a_forked_loop_and_a_loop_in_a_forked_switch(world: World) -> None:
    inner = switch("s", {"1": [http("a")], "2": [http("b")]}, case="${l.output.iteration}")
    workflow_id = ended(world, loop("l", inner), switch("t", {"x": [loop("m", http("c"))]}, case="x"))
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    expected = ["d", "l", "s__1", "a__1", "s__2", "b__2", "t", "m", "c__1", "c__2", "j", "after"]
    assert names(world, workflow_id) == sorted(expected)
    assert world.tasks(workflow_id)["j"].input == {"joinOn": ["l", "m"]}


def test_a_retry_goes_on_in_the_iteration_that_failed(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, loop("l", http("a", "fail-${l.output.iteration}")), loop("m", http("b")))
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert vendor.asked.count("fail-1") == 2
    assert vendor.asked.count("fail-2") == 1
    assert sorted(world.tasks(workflow_id)["j"].output) == ["l", "m"]


@pytest.mark.parametrize(("chosen", "asked"), [("d", 4), ("l", 4), ("a__1", 4), ("a__2", 3), ("b", 2), ("j", 2)])
def test_a_rerun_around_a_forked_loop(world: World, vendor: Mending, chosen: str, asked: int) -> None:
    workflow_id = ended(world, loop("l", http("a")), http("b"))
    operate.rerun(world.engine, workflow_id, Rerun(from_task=world.tasks(workflow_id)[chosen].task_id))
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert names(world, workflow_id) == sorted(["d", "l", "a__1", "a__2", "b", "j", "after"])
    assert vendor.asked.count("a") == asked


def test_a_permissive_task_that_fails_in_a_forked_loop_fails_the_loop(world: World) -> None:
    workflow_id = ended(world, loop("l", http("fail", permissive=True)))
    assert dict(shown(world, workflow_id))["l"] is FAILED
    assert status(world, workflow_id) is WorkflowStatus.FAILED


def test_the_runs_row_counts_nothing_of_forked_loops(world: World) -> None:
    workflow_id = world.start(workflow(*forking()), {"tasks": [loop(f"l{number}", http(f"a{number}")) for number in range(20)]})
    run = world.view(workflow_id).workflow
    assert (run.open_tasks, run.joins, run.loop_tasks, run.iterations, run.newest_iterations) == (41, {"j": 20}, {}, {}, {})


@pytest.mark.parametrize("bad", [loop("l", http("a"), http("b")), loop("l"), loop("l", loop("m", http("a")))])
def test_a_forked_loop_that_could_not_go_on_ends_the_run_with_a_reason(world: World, bad: dict[str, Any]) -> None:
    reason = world.view(ended(world, bad)).workflow.reason_for_incompletion
    assert reason == "d forks the DO_WHILE l; there a loop has a body of one task and stands in no other loop; put it into a SUB_WORKFLOW"


def test_a_loop_forked_in_a_loop_ends_the_run_with_a_reason(world: World) -> None:
    def inside(*steps: dict[str, Any]) -> dict[str, Any]:
        return workflow(loop("outer", *steps))

    reason = world.view(ended(world, loop("l", http("a")), around=inside)).workflow.reason_for_incompletion
    assert "d__1 forks the DO_WHILE l; there a loop" in (reason or "")
