"""Orders to a run, with forks and loops, in memory: retry, restart, rerun, skip, signal, variables."""

from datetime import timedelta
from typing import Any

import pytest
from fermata.application import complete, operate
from fermata.application.deliver import deliver
from fermata.domain.commands import Rerun, Skip
from fermata.domain.errors import Conflict, InvalidRequest, NotFound, PayloadTooLarge
from fermata.domain.executions import Task
from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.messages import EndRun, WakeTask
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.world import World, answer, step, workflow

COMPLETED, FAILED, CANCELED = TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELED


class Mending:
    """A vendor that refuses what is called `refused` until it is mended."""

    def __init__(self) -> None:
        self.refused = "fail"
        self.broken = True
        self.asked: list[str] = []

    def __call__(self, request: HttpRequest) -> HttpResult:
        self.asked.append(request.uri.removeprefix("http://v/"))
        return answer({"n": len(self.asked)}, 500 if self.broken and self.refused in request.uri else 200)


@pytest.fixture
def vendor() -> Mending:
    return Mending()


@pytest.fixture
def world(vendor: Mending) -> World:
    return World(vendor)


def inline(reference: str, expression: str = "1", given: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return step("INLINE", reference, {**(given or {}), "expression": expression}, **fields)


def http(reference: str, path: str = "", **fields: Any) -> dict[str, Any]:
    return step("HTTP", reference, {"http_request": {"uri": f"http://v/{path or reference}", "method": "POST"}}, **fields)


def wait(reference: str, duration: str | None = None) -> dict[str, Any]:
    return step("WAIT", reference, {"duration": duration} if duration else {})


def fork(reference: str, *branches: list[dict[str, Any]]) -> dict[str, Any]:
    return step("FORK_JOIN", reference, forkTasks=list(branches))


def join(reference: str, *awaited: str) -> dict[str, Any]:
    return step("JOIN", reference, joinOn=list(awaited))


def loop(condition: str, *body: dict[str, Any]) -> dict[str, Any]:
    return step("DO_WHILE", "loop", loopCondition=condition, loopOver=list(body))


def ended(world: World, definition: dict[str, Any], given: dict[str, Any] | None = None) -> str:
    """Start a run, let it end and return its id."""
    workflow_id = world.start(definition, given)
    world.run()
    return workflow_id


def shown(world: World, workflow_id: str) -> list[tuple[str, int, TaskStatus]]:
    return [(view.task.task_reference_name, view.task.retry_count, view.task.status) for view in world.view(workflow_id).tasks]


def status(world: World, workflow_id: str) -> WorkflowStatus:
    return world.view(workflow_id).workflow.status


def rerun_from(world: World, workflow_id: str, reference: str, **fields: Any) -> None:
    operate.rerun(world.engine, workflow_id, Rerun(world.tasks(workflow_id)[reference].task_id, **fields))


FORKED = workflow(
    inline("first"),
    fork("f", [http("a", "fail-a"), http("a2")], [wait("w", "1h"), http("b")]),
    join("j", "a2", "b"),
    http("after"),
)
LOOPED = workflow(loop("$.loop.iteration < 3", http("x"), http("y", "fail-${loop.output.iteration}")), http("after"))
ITEMS = workflow(
    step("DO_WHILE", "loop", loopCondition="", items="${workflow.input.list}", loopOver=[http("x", "fail-${loop.output.loopItem}")])
)
DYNAMIC = workflow(
    step(
        "FORK_JOIN_DYNAMIC",
        "d",
        {"forkTaskType": "HTTP", "forkTaskInputs": [{"http_request": {"uri": f"http://v/{p}", "method": "POST"}} for p in ("ok", "fail")]},
    ),
    join("j"),
    http("after"),
)


# --- retry ---


def test_a_retry_tries_a_failed_branch_and_its_canceled_siblings_again_and_the_join_waits_on(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, FORKED)
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    assert world.view(workflow_id).workflow.joins == {"j": 2}
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert shown(world, workflow_id) == [
        ("first", 0, COMPLETED),
        ("f", 0, COMPLETED),
        ("a", 0, FAILED),
        ("w", 0, CANCELED),
        ("j", 1, COMPLETED),
        ("a", 1, COMPLETED),
        ("w", 1, COMPLETED),
        ("a2", 0, COMPLETED),
        ("b", 0, COMPLETED),
        ("after", 0, COMPLETED),
    ]
    assert set(world.tasks(workflow_id)["j"].output) == {"a2", "b"}


def test_a_retry_that_fails_again_can_be_retried_again(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, FORKED)
    for _ in range(3):
        operate.retry(world.engine, workflow_id)
        world.run()
        assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert world.tasks(workflow_id)["a"].retry_count == 4


def test_a_retry_in_a_loop_goes_on_in_its_iteration(world: World, vendor: Mending) -> None:
    vendor.refused = "fail-2"
    workflow_id = ended(world, LOOPED)
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    names = [(name, count) for name, count, _ in shown(world, workflow_id)]
    assert names == [("loop", 1), ("x__1", 0), ("y__1", 0), ("x__2", 0), ("y__2", 0), ("y__2", 1), ("x__3", 0), ("y__3", 0), ("after", 0)]
    assert set(world.tasks(workflow_id)["loop"].output) == {"iteration", "1", "2", "3"}


def test_a_retry_evaluates_a_loops_broken_condition_again(world: World) -> None:
    workflow_id = ended(world, workflow(loop("$.nothing.at.all", http("x"))))
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    operate.retry(world.engine, workflow_id)
    world.run()
    assert (status(world, workflow_id), len(world.view(workflow_id).tasks)) == (WorkflowStatus.FAILED, 2)


def test_a_retry_of_a_dynamic_fork_tries_the_forked_task_again(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, DYNAMIC)
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert len(world.tasks(workflow_id)["j"].output) == 2
    assert vendor.asked.count("after") == 1


def test_a_retried_permissive_task_does_not_start_its_successor_again(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, workflow(http("p", "fail", permissive=True), http("next"), http("last")))
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert vendor.asked == ["fail", "next", "last", "fail"]


def test_a_terminated_run_is_retried_where_it_stood(world: World, vendor: Mending) -> None:
    vendor.broken = False
    workflow_id = world.start(FORKED)
    world.run_until(timedelta(minutes=1))
    operate.terminate(world.engine, workflow_id, "enough")
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert sorted(vendor.asked) == ["a2", "after", "b", "fail-a"]


def test_a_timed_out_run_with_nothing_to_retry_goes_on(world: World) -> None:
    workflow_id = world.start(workflow(wait("w"), timeoutSeconds=60, timeoutPolicy="TIME_OUT_WF"))
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.TIMED_OUT
    operate.retry(world.engine, workflow_id)
    assert status(world, workflow_id) is WorkflowStatus.RUNNING
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.TIMED_OUT


def test_a_retry_refuses_what_conductor_refuses(world: World) -> None:
    running, done = world.start(workflow(wait("w"))), ended(world, workflow(inline("i")))
    with pytest.raises(NotFound, match="RUNNING"):
        operate.retry(world.engine, running)
    with pytest.raises(Conflict, match="no failed task"):
        operate.retry(world.engine, done)


# --- restart ---


def test_a_restart_runs_forks_and_loops_anew_and_keeps_the_variables(world: World, vendor: Mending) -> None:
    definition = workflow(
        step("SET_VARIABLE", "set", {"n": "${workflow.variables.n}1"}),
        loop("$.loop.iteration < 2", http("x")),
        fork("f", [http("a")], [http("b", "fail")]),
        join("j", "a", "b"),
        variables={"n": ""},
    )
    workflow_id = ended(world, definition)
    vendor.broken = False
    operate.restart(world.engine, workflow_id, use_latest_definitions=False)
    world.run()
    view = world.view(workflow_id)
    assert (view.workflow.status, view.workflow.variables) == (WorkflowStatus.COMPLETED, {"n": "11"})
    assert [view.task.retry_count for view in view.tasks] == [0] * 8
    assert vendor.asked.count("a") == 2


def test_a_restart_with_the_latest_definition_runs_that_one(world: World) -> None:
    workflow_id = ended(world, workflow(inline("old")))
    world.register(workflow(inline("new"), version=2))
    operate.restart(world.engine, workflow_id, use_latest_definitions=True)
    view = world.view(workflow_id)
    assert (view.workflow.workflow_version, [task.task.task_reference_name for task in view.tasks]) == (2, ["new"])


# --- rerun ---


def test_a_rerun_from_the_start_takes_another_input(world: World) -> None:
    workflow_id = ended(world, workflow(inline("i", "$.n * 2", {"n": "${workflow.input.n}"})), {"n": 2})
    operate.rerun(world.engine, workflow_id, Rerun(workflow_input={"n": 5}, correlation_id="again"))
    world.run()
    run = world.view(workflow_id).workflow
    assert (run.status, run.output, run.correlation_id) == (WorkflowStatus.COMPLETED, {"result": 10}, "again")
    assert len(world.view(workflow_id).tasks) == 1


def test_a_rerun_from_a_task_forgets_what_follows_and_gives_the_task_its_input(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, workflow(http("a"), inline("b", "$.n", {"n": 1}), http("c")))
    before = world.tasks(workflow_id)
    rerun_from(world, workflow_id, "b", task_input={"n": 7, "expression": "$.n"})
    world.run()
    after = world.tasks(workflow_id)
    assert vendor.asked == ["a", "c", "c"]
    assert after["b"].output == {"result": 7}
    assert after["a"] == before["a"]
    assert [name for name, *_ in shown(world, workflow_id)] == ["a", "b", "c"]
    assert not {before["b"].task_id, before["c"].task_id} & {task.task_id for task in after.values()}


def test_a_rerun_in_a_branch_keeps_the_other_branch_and_lets_the_join_wait_again(world: World, vendor: Mending) -> None:
    vendor.broken = False
    workflow_id = ended(world, FORKED)
    before = world.tasks(workflow_id)
    rerun_from(world, workflow_id, "a")
    assert world.view(workflow_id).workflow.joins == {"j": 1}
    world.run()
    after = world.tasks(workflow_id)
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert {name for name in before if before[name].task_id == after[name].task_id} == {"first", "f", "w", "b", "j"}
    assert [vendor.asked.count(name) for name in ("fail-a", "a2", "b", "after")] == [2, 2, 1, 2]


def test_a_rerun_before_a_fork_runs_all_of_it_again(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, FORKED)
    vendor.broken = False
    rerun_from(world, workflow_id, "first")
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert [name for name, *_ in shown(world, workflow_id)] == ["first", "f", "a", "w", "j", "a2", "b", "after"]


def test_a_rerun_in_a_failed_fork_resets_the_other_branches_too(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, FORKED)
    vendor.broken = False
    rerun_from(world, workflow_id, "a")
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert {state for _, _, state in shown(world, workflow_id)} == {COMPLETED}


@pytest.mark.parametrize("chosen", ["j", "after", "f"])
def test_a_rerun_from_a_join_a_fork_or_what_follows(world: World, vendor: Mending, chosen: str) -> None:
    vendor.broken = False
    workflow_id = ended(world, FORKED)
    rerun_from(world, workflow_id, chosen)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert [name for name, *_ in shown(world, workflow_id)][:2] == ["first", "f"]
    assert vendor.asked.count("b") == (2 if chosen == "f" else 1)
    assert vendor.asked.count("after") == 2


def test_a_rerun_in_a_loop_goes_back_to_that_iteration(world: World, vendor: Mending) -> None:
    vendor.broken = False
    workflow_id = ended(world, LOOPED)
    rerun_from(world, workflow_id, "x__2")
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    names = [name for name, *_ in shown(world, workflow_id)]
    assert names == ["loop", "x__1", "y__1", "x__2", "y__2", "x__3", "y__3", "after"]
    assert [vendor.asked.count(f"fail-{n}") for n in (1, 2, 3)] == [1, 2, 2]
    assert set(world.tasks(workflow_id)["loop"].output) == {"iteration", "1", "2", "3"}


def test_a_rerun_in_a_list_loop_has_the_item_of_that_iteration(world: World, vendor: Mending) -> None:
    vendor.broken = False
    workflow_id = ended(world, ITEMS, {"list": ["p", "q", "r"]})
    rerun_from(world, workflow_id, "x__2")
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert vendor.asked == ["fail-p", "fail-q", "fail-r", "fail-q", "fail-r"]


def test_a_rerun_of_a_loop_begins_it_again(world: World, vendor: Mending) -> None:
    vendor.broken = False
    workflow_id = ended(world, LOOPED)
    rerun_from(world, workflow_id, "loop")
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert (vendor.asked.count("x"), len(world.view(workflow_id).tasks)) == (6, 8)


@pytest.mark.parametrize("chosen", ["d", "_HTTP_1", "j"])
def test_a_rerun_around_a_dynamic_fork(world: World, vendor: Mending, chosen: str) -> None:
    workflow_id = ended(world, DYNAMIC)
    vendor.broken = False
    rerun_from(world, workflow_id, chosen)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert vendor.asked.count("ok") == (2 if chosen == "d" else 1)
    assert vendor.asked.count("fail") == 2
    assert len(world.tasks(workflow_id)["j"].output) == 2


def test_a_rerun_of_a_switch_chooses_again(world: World, vendor: Mending) -> None:
    switch = step(
        "SWITCH",
        "s",
        {"case": "${workflow.input.case}"},
        evaluatorType="value-param",
        expression="case",
        decisionCases={"a": [http("in-a")], "b": [http("in-b")]},
    )
    workflow_id = ended(world, workflow(switch, http("after")), {"case": "a"})
    rerun_from(world, workflow_id, "s", workflow_input={"case": "b"})
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert vendor.asked == ["in-a", "after", "in-b", "after"]
    assert [name for name, *_ in shown(world, workflow_id)] == ["s", "in-b", "after"]


def test_a_rerun_can_be_rerun_retried_and_restarted(world: World, vendor: Mending) -> None:
    workflow_id = ended(world, FORKED)
    for reference in ("a", "first", "a"):
        rerun_from(world, workflow_id, reference)
        world.run()
        assert status(world, workflow_id) is WorkflowStatus.FAILED
    operate.retry(world.engine, workflow_id)
    world.run()
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    operate.restart(world.engine, workflow_id, use_latest_definitions=False)
    world.run()
    assert (status(world, workflow_id), len(world.view(workflow_id).tasks)) == (WorkflowStatus.COMPLETED, 8)


def test_a_rerun_of_a_poll_polls_with_a_row_of_its_own(world: World) -> None:
    request = {"uri": "http://v/p", "terminationCondition": "true"}
    workflow_id = ended(world, workflow(step("HTTP_POLL", "p", {"http_request": request})))
    rerun_from(world, workflow_id, "p")
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert world.tasks(workflow_id)["p"].poll_count == 1


def test_a_rerun_refuses_what_it_cannot_do(world: World) -> None:
    running, done = world.start(workflow(wait("w"))), ended(world, workflow(inline("i")))
    with pytest.raises(Conflict, match="RUNNING"):
        operate.rerun(world.engine, running, Rerun())
    with pytest.raises(InvalidRequest, match="not a task of"):
        operate.rerun(world.engine, done, Rerun("nothing"))


# --- skip ---


def test_a_skipped_task_is_jumped_over_and_its_output_can_be_referred_to(world: World, vendor: Mending) -> None:
    workflow_id = world.start(workflow(wait("w"), http("x"), inline("last", "$.v", {"v": "${x.output.given}"})))
    operate.skip(world.engine, workflow_id, Skip("x", output={"given": 4}))
    signal(world, workflow_id)
    run = world.view(workflow_id).workflow
    assert (run.status, run.output, vendor.asked) == (WorkflowStatus.COMPLETED, {"result": 4}, [])
    assert shown(world, workflow_id) == [("w", 0, COMPLETED), ("x", 0, TaskStatus.SKIPPED), ("last", 0, COMPLETED)]


def test_skipping_several_and_the_last_ends_the_run(world: World, vendor: Mending) -> None:
    workflow_id = world.start(workflow(wait("w"), http("x"), http("y"), http("z")))
    for reference in ("z", "y", "x"):
        operate.skip(world.engine, workflow_id, Skip(reference))
    signal(world, workflow_id)
    assert (status(world, workflow_id), vendor.asked) == (WorkflowStatus.COMPLETED, [])


def test_a_join_waits_until_the_flow_has_passed_a_skipped_task(world: World, vendor: Mending) -> None:
    definition = workflow(wait("gate"), fork("f", [wait("w", "1h"), http("x")], [http("b")]), join("j", "x", "b"), http("after"))
    workflow_id = world.start(definition)
    operate.skip(world.engine, workflow_id, Skip("x"))
    signal(world, workflow_id)
    assert world.tasks(workflow_id)["w"].status is COMPLETED
    assert (status(world, workflow_id), vendor.asked) == (WorkflowStatus.COMPLETED, ["b", "after"])


def test_a_fork_a_whole_branch_and_a_join_can_be_skipped(world: World, vendor: Mending) -> None:
    definition = workflow(wait("gate"), fork("f", [http("a")], [http("b")]), join("j", "a", "b"), http("after"))
    for skipped, asked in ((("a",), ["b", "after"]), (("a", "b"), ["after"]), (("f", "j"), ["after"])):
        vendor.asked.clear()
        workflow_id = world.start(definition)
        for reference in skipped:
            operate.skip(world.engine, workflow_id, Skip(reference))
        signal(world, workflow_id)
        assert (status(world, workflow_id), vendor.asked) == (WorkflowStatus.COMPLETED, asked), skipped


def test_in_a_loop_the_task_of_the_running_iteration_is_skipped(world: World, vendor: Mending) -> None:
    workflow_id = world.start(workflow(loop("$.loop.iteration < 2", wait("w"), http("x"))))
    operate.skip(world.engine, workflow_id, Skip("x"))
    signal(world, workflow_id)
    signal(world, workflow_id)
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert world.tasks(workflow_id)["x__1"].status is TaskStatus.SKIPPED
    assert vendor.asked == ["x"]


def test_a_retry_does_not_run_what_was_skipped(world: World, vendor: Mending) -> None:
    workflow_id = world.start(workflow(wait("w"), http("x"), http("y", "fail")))
    operate.skip(world.engine, workflow_id, Skip("x"))
    signal(world, workflow_id)
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert (status(world, workflow_id), vendor.asked) == (WorkflowStatus.COMPLETED, ["fail", "fail"])


def test_skip_refuses_what_it_cannot_do(world: World) -> None:
    workflow_id = world.start(workflow(wait("w"), http("x")))
    with pytest.raises(NotFound, match="no task"):
        operate.skip(world.engine, workflow_id, Skip("nothing"))
    with pytest.raises(Conflict, match="scheduled already"):
        operate.skip(world.engine, workflow_id, Skip("w"))
    operate.skip(world.engine, workflow_id, Skip("x"))
    with pytest.raises(Conflict, match="scheduled already"):
        operate.skip(world.engine, workflow_id, Skip("x"))
    operate.pause(world.engine, workflow_id)
    with pytest.raises(Conflict, match="PAUSED"):
        operate.skip(world.engine, workflow_id, Skip("x"))


# --- an outside party ---


def signal(world: World, workflow_id: str, output: dict[str, Any] | None = None, as_: TaskStatus = COMPLETED) -> Task | None:
    told = complete.signal(world.engine, workflow_id, as_, output or {})
    world.run()
    return told


def test_a_signal_ends_the_first_wait_and_gives_it_the_output(world: World) -> None:
    workflow_id = world.start(workflow(fork("f", [wait("w")], [wait("v")]), join("j", "w", "v")))
    assert [task.task_reference_name for task in (signal(world, workflow_id, {"by": n}) for n in (1, 2)) if task] == ["w", "v"]
    assert world.tasks(workflow_id)["j"].output == {"w": {"by": 1}, "v": {"by": 2}}
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert signal(world, workflow_id) is None


def test_a_signal_that_says_failed_fails_the_wait(world: World) -> None:
    workflow_id = world.start(workflow(wait("w", "1h")))
    signal(world, workflow_id, as_=FAILED)
    assert status(world, workflow_id) is WorkflowStatus.FAILED


def test_in_progress_adds_to_the_output_and_leaves_the_wait_open(world: World) -> None:
    workflow_id = world.start(workflow(wait("w")))
    signal(world, workflow_id, {"a": 1}, TaskStatus.IN_PROGRESS)
    assert world.tasks(workflow_id)["w"].output == {"a": 1}
    signal(world, workflow_id, {"b": 2})
    assert world.tasks(workflow_id)["w"].output == {"a": 1, "b": 2}


def test_a_human_task_is_ended_by_its_id_and_only_once(world: World) -> None:
    workflow_id = world.start(workflow(step("HUMAN", "h"), inline("last")))
    assert signal(world, workflow_id) is None, "a signal is for WAIT only"
    task_id = world.tasks(workflow_id)["h"].task_id
    assert complete.complete_task(world.engine, workflow_id, task_id, COMPLETED, {"ok": True}, None)
    assert not complete.complete_task(world.engine, workflow_id, task_id, FAILED, {}, "too late")
    assert (status(world, workflow_id), world.tasks(workflow_id)["h"].output) == (WorkflowStatus.COMPLETED, {"ok": True})
    with pytest.raises(NotFound):
        complete.complete_task(world.engine, workflow_id, "unknown", COMPLETED, {}, None)


def test_what_a_paused_run_is_told_counts_when_it_goes_on(world: World) -> None:
    workflow_id = world.start(workflow(wait("w"), inline("last")))
    operate.pause(world.engine, workflow_id)
    signal(world, workflow_id)
    assert status(world, workflow_id) is WorkflowStatus.PAUSED
    operate.resume(world.engine, workflow_id)
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED


def test_a_task_that_waits_for_others_cannot_be_ended_from_outside(world: World) -> None:
    workflow_id = world.start(workflow(fork("f", [wait("w")], [wait("v")]), join("j", "w", "v")))
    with pytest.raises(Conflict, match="JOIN"):
        complete.complete_task(world.engine, workflow_id, world.tasks(workflow_id)["j"].task_id, COMPLETED, {}, None)


# --- the rest ---


def test_variables_are_merged_while_the_run_is_not_over(world: World) -> None:
    workflow_id = world.start(workflow(wait("w"), inline("last", "$.v", {"v": "${workflow.variables.a}"}), variables={"a": 1, "b": 2}))
    operate.update_variables(world.engine, workflow_id, {"a": 5})
    assert world.view(workflow_id).workflow.variables == {"a": 5, "b": 2}
    with pytest.raises(PayloadTooLarge):
        operate.update_variables(world.engine, workflow_id, {"a": "x" * 300_000})
    signal(world, workflow_id)
    assert world.view(workflow_id).workflow.output == {"result": 5}
    with pytest.raises(Conflict):
        operate.update_variables(world.engine, workflow_id, {"a": 6})


def test_resetting_callbacks_starts_a_delayed_attempt_now(world: World, vendor: Mending) -> None:
    workflow_id = world.start(workflow(http("x", startDelay=3600)))
    assert not vendor.asked
    operate.reset_callbacks(world.engine, workflow_id)
    world.run_until(timedelta(0))
    assert (status(world, workflow_id), vendor.asked) == (WorkflowStatus.COMPLETED, ["x"])
    with pytest.raises(Conflict):
        operate.reset_callbacks(world.engine, workflow_id)


def test_looking_at_everything_finds_an_outcome_whose_message_got_lost(world: World) -> None:
    workflow_id = world.start(workflow(wait("w", "1h"), inline("last")))
    world.clock.advance(timedelta(hours=2))
    operate.look_at_all(world.engine, workflow_id)
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED


# --- runs within runs, and steps that become what the data names ---

CHILD = workflow(http("c", "fail"), name="child")
PARENT = workflow(step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "child", "version": 1}), http("after"))


def child_of(world: World, workflow_id: str, reference: str = "s") -> str:
    return world.tasks(workflow_id)[reference].sub_workflow_id or ""


def test_a_retry_that_resumes_goes_on_inside_the_failed_child(world: World, vendor: Mending) -> None:
    world.register(workflow(http("one"), http("c", "fail"), name="grandchild"))
    middle = step("SUB_WORKFLOW", "m", subWorkflowParam={"name": "grandchild"})
    world.register(workflow(middle, name="child"))
    workflow_id = ended(world, PARENT)
    child = child_of(world, workflow_id)
    grandchild = child_of(world, child, "m")
    vendor.broken = False
    operate.retry(world.engine, workflow_id, resume_subworkflows=True)
    world.run()
    assert [status(world, each) for each in (workflow_id, child, grandchild)] == [WorkflowStatus.COMPLETED] * 3
    assert (child_of(world, workflow_id), child_of(world, child, "m")) == (child, grandchild)
    assert vendor.asked == ["one", "fail", "fail", "after"]


@pytest.mark.parametrize("order", ["retry", "restart", "rerun"])
def test_an_order_to_a_child_lets_the_runs_above_wait_for_it_again(world: World, vendor: Mending, order: str) -> None:
    world.register(CHILD)
    workflow_id = ended(world, PARENT)
    child = child_of(world, workflow_id)
    vendor.broken = False
    match order:
        case "retry":
            operate.retry(world.engine, child)
        case "restart":
            operate.restart(world.engine, child, use_latest_definitions=False)
        case _:
            operate.rerun(world.engine, child, Rerun())
    assert status(world, workflow_id) is WorkflowStatus.RUNNING
    world.run()
    assert (status(world, workflow_id), child_of(world, workflow_id)) == (WorkflowStatus.COMPLETED, child)
    assert vendor.asked == ["fail", "fail", "after"]


def test_a_child_that_goes_on_has_its_time_anew(world: World, vendor: Mending) -> None:
    world.register(workflow(http("c", "fail"), wait("w"), name="child"))
    policy = {"name": "s", "timeoutSeconds": 600, "responseTimeoutSeconds": 60, "retryCount": 0, "timeoutPolicy": "RETRY"}
    sub = step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "child"}, taskDefinition=policy)
    workflow_id = world.start(workflow(sub))
    world.run_until(timedelta(hours=2))
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id, resume_subworkflows=True)
    world.run_until(timedelta(minutes=9))
    assert status(world, workflow_id) is WorkflowStatus.RUNNING
    world.run_until(timedelta(minutes=2))
    assert status(world, workflow_id) is WorkflowStatus.TIMED_OUT


def test_an_order_to_an_optional_child_leaves_the_run_above_as_it_is(world: World, vendor: Mending) -> None:
    world.register(CHILD)
    optional = step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "child"}, optional=True)
    workflow_id = ended(world, workflow(optional, http("after")))
    before = shown(world, workflow_id)
    operate.retry(world.engine, child_of(world, workflow_id))
    world.run()
    assert shown(world, workflow_id) == before


def test_canceled_children_beside_a_failed_one_go_on_too(world: World, vendor: Mending) -> None:
    world.register(CHILD)
    world.register(workflow(wait("w", "1h"), http("x"), name="slow"))
    slow = step("SUB_WORKFLOW", "t", subWorkflowParam={"name": "slow"})
    workflow_id = ended(world, workflow(fork("f", [PARENT["tasks"][0]], [slow]), join("j", "s", "t")))
    assert status(world, child_of(world, workflow_id, "t")) is WorkflowStatus.TERMINATED
    vendor.broken = False
    operate.retry(world.engine, child_of(world, workflow_id))
    deliver(world.engine, EndRun(child_of(world, workflow_id, "t")))  # a late repeat of what terminated it
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    assert vendor.asked == ["fail", "fail", "x"]


def test_a_retry_and_a_rerun_start_a_new_child(world: World, vendor: Mending) -> None:
    world.register(CHILD)
    workflow_id = ended(world, PARENT)
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    children = {world.tasks(workflow_id)["s"].sub_workflow_id}
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    children.add(world.tasks(workflow_id)["s"].sub_workflow_id)
    rerun_from(world, workflow_id, "s")
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    children.add(world.tasks(workflow_id)["s"].sub_workflow_id)
    assert len(children) == 3
    assert vendor.asked == ["fail", "fail", "after", "fail", "after"]


def test_a_dynamic_task_is_retried_and_rerun_as_what_it_became(world: World, vendor: Mending) -> None:
    named = step("DYNAMIC", "d", {"kind": "HTTP", "http_request": {"uri": "http://v/fail", "method": "POST"}}, dynamicTaskNameParam="kind")
    workflow_id = ended(world, workflow(named, http("after")))
    assert status(world, workflow_id) is WorkflowStatus.FAILED
    vendor.broken = False
    operate.retry(world.engine, workflow_id)
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED
    rerun_from(world, workflow_id, "d")
    world.run()
    assert (status(world, workflow_id), vendor.asked) == (WorkflowStatus.COMPLETED, ["fail", "fail", "after", "fail", "after"])


def test_a_retry_starts_what_was_planned_when_the_run_ended(world: World, vendor: Mending) -> None:
    vendor.broken = False
    ending = step("TERMINATE", "t", {"terminationStatus": "FAILED"})
    workflow_id = ended(world, workflow(fork("f", [wait("w", "1h")], [ending], [http("b")]), join("j", "w", "b"), http("after")))
    assert (status(world, workflow_id), vendor.asked) == (WorkflowStatus.FAILED, [])
    operate.retry(world.engine, workflow_id)
    world.run()
    assert (status(world, workflow_id), vendor.asked) == (WorkflowStatus.COMPLETED, ["b", "after"])


@pytest.mark.parametrize("order", ["restart", "rerun", "retry"])
def test_a_late_message_of_an_earlier_life_changes_nothing(world: World, order: str) -> None:
    workflow_id = ended(world, FORKED)
    old = [view.task for view in world.view(workflow_id).tasks]
    match order:
        case "restart":
            operate.restart(world.engine, workflow_id, use_latest_definitions=False)
        case "rerun":
            rerun_from(world, workflow_id, "f")
        case _:
            operate.retry(world.engine, workflow_id)
    before = shown(world, workflow_id)
    for task in old:
        deliver(world.engine, WakeTask(workflow_id, task.task_id))
    assert shown(world, workflow_id) == before
    world.run()
    assert status(world, workflow_id) is WorkflowStatus.FAILED


def test_a_signal_reaches_into_a_running_child(world: World) -> None:
    world.register(workflow(wait("inner"), name="child"))
    workflow_id = world.start(PARENT)
    world.run()
    told = signal(world, workflow_id, {"by": "me"})
    assert told is not None
    assert (told.task_reference_name, told.workflow_id) == ("inner", world.tasks(workflow_id)["s"].sub_workflow_id)
    assert status(world, workflow_id) is WorkflowStatus.COMPLETED


@pytest.mark.parametrize("inside", [False, True], ids=["in the flow", "in a loop that has not begun"])
def test_a_task_that_was_skipped_ahead_of_time_is_nothing_to_rerun_from(world: World, *, inside: bool) -> None:
    last = step("DO_WHILE", "loop", loopCondition="false", loopOver=[http("skipped")]) if inside else http("skipped")
    workflow_id = world.start(workflow(wait("w", "1h"), last))
    operate.skip(world.engine, workflow_id, Skip("skipped"))
    operate.terminate(world.engine, workflow_id, None)
    with pytest.raises(Conflict, match="skipped ahead of time"):
        rerun_from(world, workflow_id, "skipped__1" if inside else "skipped")
    assert status(world, workflow_id) is WorkflowStatus.TERMINATED
