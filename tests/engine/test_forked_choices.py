"""A SWITCH or DECISION in the input of a dynamic fork: its branch's first task runs, and the JOIN awaits that one."""

from typing import Any

import pytest
from fermata.application import operate
from fermata.domain.commands import Rerun
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.mending import Mending
from tests.support.world import World, step, workflow

COMPLETED, FAILED, CANCELED = TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELED


@pytest.fixture
def vendor() -> Mending:
    return Mending()


@pytest.fixture
def world(vendor: Mending) -> World:
    return World(vendor)


def http(reference: str, uri: str = "", **fields: Any) -> dict[str, Any]:
    return step("HTTP", reference, {"http_request": {"uri": f"http://v/{uri or reference}", "method": "POST"}}, **fields)


def switch(reference: str, case: str, cases: dict[str, Any], **fields: Any) -> dict[str, Any]:
    given = {"case": case}
    return step("SWITCH", reference, given, evaluatorType="value-param", expression="case", decisionCases=cases, **fields)


def forking(*steps: dict[str, Any], inputs: dict[str, Any] | None = None, **fields: Any) -> list[dict[str, Any]]:
    """Return a dynamic fork of these steps, and its JOIN."""
    params = {"dynamicForkTasksParam": "tasks", "dynamicForkTasksInputParamName": "inputs"}
    return [step("FORK_JOIN_DYNAMIC", "d", {"tasks": list(steps), "inputs": inputs or {}}, **params, **fields), step("JOIN", "j")]


def ended(world: World, definition: dict[str, Any], given: dict[str, Any] | None = None) -> str:
    workflow_id = world.start(definition, given)
    world.run()
    return workflow_id


def shown(world: World, workflow_id: str) -> list[tuple[str, TaskStatus]]:
    return [(view.task.task_reference_name, view.task.status) for view in world.view(workflow_id).tasks]


def status(world: World, workflow_id: str) -> WorkflowStatus:
    return world.view(workflow_id).workflow.status


def test_a_forked_switch_starts_its_branch_beside_it_and_the_join_awaits_the_branch(world: World) -> None:
    workflow_id = ended(world, workflow(*forking(switch("s", "x", {"x": [http("a")]}), http("b")), http("after")))
    assert shown(world, workflow_id) == [(name, COMPLETED) for name in ("d", "s", "a", "b", "j", "after")]
    join = world.tasks(workflow_id)["j"]
    assert join.input == {"joinOn": ["a", "b"]}
    assert sorted(join.output) == ["a", "b"]


def test_an_empty_branch_leaves_the_switch_itself_to_the_join(world: World) -> None:
    workflow_id = ended(world, workflow(*forking(switch("s", "no", {"x": [http("a")]}))))
    assert shown(world, workflow_id) == [("d", COMPLETED), ("s", COMPLETED), ("j", COMPLETED)]
    assert world.tasks(workflow_id)["j"].input == {"joinOn": ["s"]}


def test_a_decision_and_a_switch_in_a_switch_are_entered_in_the_same_step(world: World) -> None:
    decision = step("DECISION", "c", {"case": "y"}, caseValueParam="case", decisionCases={"y": [http("a")]})
    workflow_id = ended(world, workflow(*forking(switch("s", "x", {"x": [decision]}), http("b"))))
    assert shown(world, workflow_id) == [(name, COMPLETED) for name in ("d", "s", "c", "a", "b", "j")]
    assert world.tasks(workflow_id)["j"].input == {"joinOn": ["a", "b"]}


def test_only_the_first_task_of_a_branch_runs_and_the_switch_says_so(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, workflow(*forking(switch("s", "x", {"x": [http("a"), http("lost"), http("more")]}))))
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert vendor.asked == ["a"]
    reason = world.tasks(workflow_id)["s"].reason_for_incompletion
    assert reason == "Behind a dynamic fork only a branch's first task runs, not lost, more; put more than one into a SUB_WORKFLOW"


def test_the_map_of_inputs_reaches_the_switch_and_what_it_chooses(world: World) -> None:
    inline = step("INLINE", "a", {"expression": "$.n + 1"})
    inputs = {"s": {"case": "x"}, "a": {"n": 4}}
    workflow_id = ended(world, workflow(*forking(switch("s", "no", {"x": [inline]}), inputs=inputs)))
    assert world.tasks(workflow_id)["j"].output == {"a": {"result": 5}}


def test_a_chosen_workers_task_has_its_registered_policy_and_the_join_waits_for_it(world: World) -> None:
    simple = {**step("SIMPLE", "w"), "name": "work"}
    workflow_id = ended(world, workflow(*forking(switch("s", "x", {"x": [simple]})), http("after")))
    assert shown(world, workflow_id)[-1] == ("j", TaskStatus.IN_PROGRESS)
    assert world.view(workflow_id).workflow.joins == {"j": 1}


def test_in_a_loop_each_iteration_chooses_and_keeps_what_was_chosen(world: World) -> None:
    chosen = switch("s", "${l.output.iteration}", {"1": [http("a")], "2": [http("b")]})
    body = forking(chosen, http("c"))
    loop = step("DO_WHILE", "l", loopCondition="$.l.iteration < 2", loopOver=body)
    workflow_id = ended(world, workflow(loop, http("after")))
    names = ["l", "d__1", "s__1", "a__1", "c__1", "j__1", "d__2", "s__2", "b__2", "c__2", "j__2", "after"]
    assert shown(world, workflow_id) == [(name, COMPLETED) for name in names]
    output = world.tasks(workflow_id)["l"].output
    assert (sorted(output["1"]), sorted(output["2"])) == (["a", "c", "d", "j", "s"], ["b", "c", "d", "j", "s"])


def test_in_a_loop_that_keeps_the_last_what_was_chosen_earlier_is_forgotten(world: World) -> None:
    body = forking(switch("s", "x", {"x": [http("a")]}))
    loop = step("DO_WHILE", "l", {"keepLastN": 1}, loopCondition="$.l.iteration < 3", loopOver=body)
    workflow_id = ended(world, workflow(loop))
    assert [name for name, _ in shown(world, workflow_id)] == ["l", "d__3", "s__3", "a__3", "j__3"]


def test_a_retry_tries_what_a_switch_chose_again(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, workflow(*forking(switch("s", "x", {"x": [http("fail")]}), http("b")), http("after")))
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert vendor.asked.count("fail") == 2
    assert sorted(world.tasks(workflow_id)["j"].output) == ["b", "fail"]


def test_a_retry_of_a_switch_that_could_not_choose_lets_the_join_await_what_it_then_chooses(world: World, vendor: Mending) -> None:
    script = "$.p == 'FAILED' ? $.no.such : 'x'"
    late = http("fail", permissive=True)  # it failed when the SWITCH began, and is being tried again when that does
    choosing = step("SWITCH", "s", {"p": "$${fail.status}"}, evaluatorType="graaljs", expression=script, decisionCases={"x": [http("a")]})
    workflow_id = ended(world, workflow(late, *forking(choosing, http("b"))))
    assert shown(world, workflow_id)[1:] == [("d", COMPLETED), ("s", FAILED), ("b", CANCELED), ("j", CANCELED)]
    operate.retry(world.engine, workflow_id)
    assert world.tasks(workflow_id)["j"].input == {"joinOn": ["a", "b"]}
    assert world.view(workflow_id).workflow.joins == {"j": 2}
    vendor.broken = False
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert sorted(world.tasks(workflow_id)["j"].output) == ["a", "b"]


@pytest.mark.parametrize(("chosen", "asked"), [("d", 2), ("s", 2), ("a", 2), ("b", 1), ("j", 1)])
def test_a_rerun_around_a_forked_switch(world: World, vendor: Mending, chosen: str, asked: int) -> None:
    workflow_id = ended(world, workflow(*forking(switch("s", "x", {"x": [http("a")]}), http("b")), http("after")))
    task = world.tasks(workflow_id)[chosen]
    operate.rerun(world.engine, workflow_id, Rerun(from_task=task.task_id))
    world.run()
    assert sorted(shown(world, workflow_id)) == [(name, COMPLETED) for name in ("a", "after", "b", "d", "j", "s")]
    assert vendor.asked.count("a") == asked
    assert sorted(world.tasks(workflow_id)["j"].output) == ["a", "b"]


@pytest.mark.parametrize(("case", "joined"), [("x", "a"), ("y", "b"), ("no", "s")])
def test_a_switch_chosen_for_a_rerun_chooses_anew_and_the_join_awaits_that(world: World, case: str, joined: str) -> None:
    workflow_id = ended(world, workflow(*forking(switch("s", "x", {"x": [http("a")], "y": [http("b")]}))))
    task = world.tasks(workflow_id)["s"]
    operate.rerun(world.engine, workflow_id, Rerun(from_task=task.task_id, task_input={"case": case}))
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert world.tasks(workflow_id)["j"].input == {"joinOn": [joined]}
    assert ("a" in world.tasks(workflow_id)) is (case == "x")


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([switch("s", "x", {"x": [http("a")]}), switch("t", "x", {"x": [http("a")]})], "t chose a, which is in the run already"),
        ([switch("s", "x", {"x": [http("b")]}), http("b")], "d forks b, which is in the run already"),
        ([switch("s", "x", {"x": [http("before")]})], "s chose before, which is in the run already"),
    ],
)
def test_a_chosen_task_whose_name_is_in_the_run_ends_it(world: World, steps: list[dict[str, Any]], words: str) -> None:
    workflow_id = ended(world, workflow(http("before"), *forking(*steps)))
    view = world.view(workflow_id)
    assert view.workflow.status is WorkflowStatus.FAILED
    assert words in (view.workflow.reason_for_incompletion or "")


def test_a_retry_does_not_pass_a_fork_that_was_refused(world: World, vendor: Mending) -> None:
    outer = step("FORK_JOIN", "f", forkTasks=[[http("a")], [*forking(step("JOIN", "inner"))]])
    workflow_id = ended(world, workflow(outer, step("JOIN", "k", joinOn=["a", "j"])))
    assert dict(shown(world, workflow_id))["d"] is FAILED
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    assert "j" not in world.tasks(workflow_id)
    assert world.view(workflow_id).workflow.reason_for_incompletion == world.tasks(workflow_id)["d"].reason_for_incompletion


@pytest.mark.parametrize("kind", ["FORK_JOIN", "FORK_JOIN_DYNAMIC", "JOIN", "EXCLUSIVE_JOIN"])
def test_what_others_have_to_follow_is_not_forked_and_the_run_says_which(world: World, vendor: Mending, kind: str) -> None:
    inner = step(kind, "inner", forkTasks=[[http("a")]], loopOver=[http("a")])
    workflow_id = ended(world, workflow(*forking(switch("s", "x", {"x": [inner]}), http("b"))))
    view = world.view(workflow_id)
    assert view.workflow.reason_for_incompletion == (
        f"d forks {kind}, which other tasks have to follow or await; put it into a SUB_WORKFLOW"
    )
    assert vendor.asked == []
