"""Forks, joins, loops and dynamic forks, in memory, as Conductor's engine does them."""

from typing import Any

import pytest
from fermata.application import operate
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.world import World, answer, step, workflow


def inline(reference: str, expression: str = "1", given: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return step("INLINE", reference, {**(given or {}), "expression": expression}, **fields)


def http(reference: str, path: str = "ok", **fields: Any) -> dict[str, Any]:
    return step("HTTP", reference, {"http_request": {"uri": f"http://v/{path}", "method": "GET"}}, **fields)


def fork(reference: str, *branches: list[dict[str, Any]]) -> dict[str, Any]:
    return step("FORK_JOIN", reference, forkTasks=list(branches))


def join(reference: str, *awaited: str, **fields: Any) -> dict[str, Any]:
    return step("JOIN", reference, joinOn=list(awaited), **fields)


def vendor(request: Any) -> Any:
    return answer({"path": request.uri}, 500 if "/fail" in request.uri else 200)


def names(view: Any) -> list[str]:
    return [task.task.task_reference_name for task in view.tasks]


# --- FORK_JOIN, JOIN ---


def test_branches_run_side_by_side_and_the_join_collects_their_outputs() -> None:
    definition = workflow(
        fork("f", [inline("a", "1"), inline("a2", "2")], [http("b")]),
        join("j", "a2", "b"),
        inline("after", "$.x", {"x": "${j.output.a2.result}"}),
    )
    view = World(vendor).outcome(definition)
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert names(view) == ["f", "a", "b", "j", "a2", "after"]
    assert view.workflow.output == {"result": 2}
    fork_task, join_task = view.tasks[0].task, view.tasks[3].task
    assert (fork_task.task_type, fork_task.task_def_name) == ("FORK", "FORK")
    assert (join_task.input, set(join_task.output)) == ({"joinOn": ["a2", "b"]}, {"a2", "b"})


def test_a_join_over_branches_of_different_lengths_waits_for_the_longest() -> None:
    definition = workflow(fork("f", [step("WAIT", "w", {"duration": "3m"})], [step("WAIT", "v", {"duration": "5m"})]), join("j", "w", "v"))
    world = World()
    view = world.outcome(definition)
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert (world.clock.now() - view.workflow.create_time).total_seconds() == 300


def test_a_failing_branch_ends_the_run_and_cancels_its_siblings() -> None:
    definition = workflow(fork("f", [step("WAIT", "w", {"duration": "3m"})], [http("b", "fail")]), join("j", "w", "b"))
    view = World(vendor).outcome(definition)
    assert view.workflow.status is WorkflowStatus.FAILED
    statuses = {task.task.task_reference_name: task.task.status for task in view.tasks}
    assert statuses == {"f": TaskStatus.COMPLETED, "w": TaskStatus.CANCELED, "b": TaskStatus.FAILED, "j": TaskStatus.CANCELED}


def test_an_optional_branch_that_fails_leaves_the_join_completed_with_errors() -> None:
    view = World(vendor).outcome(workflow(fork("f", [inline("a")], [http("b", "fail", optional=True)]), join("j", "a", "b")))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert view.tasks[3].task.status is TaskStatus.COMPLETED_WITH_ERRORS


def test_a_permissive_branch_that_fails_lets_the_others_finish_and_fails_the_join() -> None:
    definition = workflow(fork("f", [step("WAIT", "w", {"duration": "1m"})], [http("b", "fail", permissive=True)]), join("j", "w", "b"))
    view = World(vendor).outcome(definition)
    statuses = {task.task.task_reference_name: task.task.status for task in view.tasks}
    assert (statuses["w"], statuses["b"], statuses["j"]) == (TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.FAILED)
    assert view.workflow.status is WorkflowStatus.FAILED


def test_a_retried_branch_is_joined_by_its_last_attempt() -> None:
    answers = iter([answer({}, 500), answer({"ok": 1})])
    view = World(lambda request: next(answers)).outcome(workflow(fork("f", [http("a", retryCount=1)]), join("j", "a")))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    joined = next(task.task for task in view.tasks if task.task.task_reference_name == "j")
    assert joined.output["a"]["response"]["body"] == {"ok": 1}


def test_forks_nest() -> None:
    inner = [fork("g", [inline("x")], [inline("y")]), join("k", "x", "y"), inline("z")]
    view = World().outcome(workflow(fork("f", inner, [inline("b")]), join("j", "z", "b")))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    joined = next(task.task for task in view.tasks if task.task.task_reference_name == "j")
    assert set(joined.output) == {"z", "b"}


def test_a_task_outside_the_join_is_still_waited_for_by_the_run() -> None:
    definition = workflow(fork("f", [inline("a")], [step("WAIT", "w", {"duration": "9m"})]), join("j", "a"), inline("after"))
    world = World()
    view = world.outcome(definition)
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert (world.clock.now() - view.workflow.create_time).total_seconds() == 540


def test_a_join_on_a_task_that_can_never_run_fails_instead_of_waiting_for_ever() -> None:
    switch = step("SWITCH", "s", {"v": "x"}, evaluatorType="value-param", expression="v", decisionCases={"a": [inline("never")]})
    view = World().outcome(workflow(fork("f", [switch], [inline("b")]), join("j", "never", "b")))
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "waits for never" in (view.workflow.reason_for_incompletion or "")


def test_a_fork_that_no_join_follows_ends_the_run() -> None:
    view = World().outcome(workflow(fork("f", [inline("a")]), inline("b")))
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "must be a JOIN" in (view.workflow.reason_for_incompletion or "")


@pytest.mark.parametrize(("value", "chosen"), [("a", 1), ("b", 2), ("c", 3)])
def test_an_exclusive_join_takes_the_branch_that_ran(value: str, chosen: int) -> None:
    cases = {"a": [inline("in_a", "1")], "b": [inline("in_b", "2")]}
    switch = step("SWITCH", "s", {"v": value}, evaluatorType="value-param", expression="v", decisionCases=cases)
    first = inline("first", "3")
    ending = step("EXCLUSIVE_JOIN", "x", joinOn=["in_a", "in_b"], defaultExclusiveJoinTask=["first"])
    view = World().outcome(workflow(first, switch, ending))
    assert (view.workflow.status, view.workflow.output) == (WorkflowStatus.COMPLETED, {"result": chosen})


# --- DO_WHILE ---


def loop(condition: str, *body: dict[str, Any], given: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return step("DO_WHILE", "loop", given, loopCondition=condition, loopOver=list(body), **fields)


def test_a_loop_runs_while_its_condition_holds_and_numbers_its_records() -> None:
    view = World().outcome(
        workflow(
            loop(
                "if ($.loop['iteration'] < 3) { true; } else { false; }", inline("a", "$.n", {"n": "${loop.output.iteration}"}), inline("b")
            )
        )
    )
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert names(view) == ["loop", "a__1", "b__1", "a__2", "b__2", "a__3", "b__3"]
    assert view.tasks[0].task.output == {"iteration": 3, "1": _out(1), "2": _out(2), "3": _out(3)}
    assert [task.task.iteration for task in view.tasks] == [0, 1, 1, 2, 2, 3, 3]


def _out(number: int) -> dict[str, Any]:
    return {"a": {"result": number}, "b": {"result": 1}}


def test_a_loop_sees_its_input_and_its_bodys_newest_outputs() -> None:
    definition = workflow(
        loop("$.a.result < $.limit", inline("a", "($.before || 0) + 2", {"before": "${a.output.result}"}), given={"limit": 5})
    )
    view = World().outcome(definition)
    assert view.tasks[0].task.output["iteration"] == 3


def test_references_inside_and_after_a_loop_mean_the_newest_iteration() -> None:
    body = [inline("a", "$.i", {"i": "${loop.output.iteration}"}), inline("b", "$.a * 10", {"a": "${a.output.result}"})]
    given = {"newest": "${b.output.result}", "second": "${loop.output.2.b.result}", "suffixed": "${b__2.output.result}"}
    definition = workflow(loop("$.loop.iteration < 3", *body), inline("after", "[$.newest, $.second, $.suffixed]", given))
    definition["tasks"][1]["inputParameters"].pop("suffixed")
    definition["tasks"][1]["inputParameters"]["expression"] = "[$.newest, $.second]"
    assert World().outcome(definition).workflow.output == {"result": [30, 20]}


def test_a_list_loop_runs_once_for_each_item() -> None:
    body = inline("a", "$.item + ':' + $.index", {"item": "${loop.output.loopItem}", "index": "${loop.output.loopIndex}"})
    view = World().outcome(workflow(loop("", body, items="${workflow.input.list}")), {"list": ["x", "y"]})
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert [task.task.output["result"] for task in view.tasks[1:]] == ["x:0", "y:1"]


def test_a_list_loop_over_nothing_is_over_at_once_and_one_over_a_value_runs_once() -> None:
    definition = workflow(loop("", inline("a"), items="${workflow.input.list}"))
    assert World().outcome(definition, {"list": []}).tasks[0].task.output == {"iteration": 0}
    assert len(World().outcome(definition, {"list": 7}).tasks) == 2


def test_a_list_loop_ends_early_when_its_condition_turns_false() -> None:
    view = World().outcome(workflow(loop("$.loopItem !== 'y'", inline("a"), items="${workflow.input.list}")), {"list": ["x", "y", "z"]})
    assert view.tasks[0].task.output["iteration"] == 2


def test_keep_last_n_forgets_older_iterations() -> None:
    view = World().outcome(workflow(loop("$.loop.iteration < 6", inline("a"), given={"keepLastN": 2})))
    assert set(view.tasks[0].task.output) == {"iteration", "5", "6"}
    assert names(view) == ["loop", "a__5", "a__6"]


def test_a_loop_whose_condition_cannot_be_evaluated_fails_for_good() -> None:
    view = World().outcome(workflow(loop("$.a.b.c.d", inline("a"))))
    assert view.tasks[0].task.status is TaskStatus.FAILED_WITH_TERMINAL_ERROR
    assert "Unable to evaluate condition" in (view.tasks[0].task.reason_for_incompletion or "")


def test_a_failing_body_task_ends_the_run_and_an_optional_one_does_not() -> None:
    assert World(vendor).outcome(workflow(loop("$.loop.iteration < 2", http("a", "fail")))).workflow.status is WorkflowStatus.FAILED
    view = World(vendor).outcome(workflow(loop("$.loop.iteration < 2", http("a", "fail", optional=True))))
    assert (view.workflow.status, len(view.tasks)) == (WorkflowStatus.COMPLETED, 3)


def test_a_permissive_body_task_that_fails_fails_the_loop() -> None:
    view = World(vendor).outcome(workflow(loop("$.loop.iteration < 2", http("a", "fail", permissive=True))))
    assert view.tasks[0].task.status is TaskStatus.FAILED
    assert view.workflow.status is WorkflowStatus.FAILED


def test_a_body_task_is_retried_within_its_iteration() -> None:
    answers = iter([answer({}, 500), answer({}), answer({})])
    view = World(lambda request: next(answers)).outcome(workflow(loop("$.loop.iteration < 2", http("a", retryCount=1))))
    assert [(task.task.task_reference_name, task.task.retry_count) for task in view.tasks[1:]] == [("a__1", 0), ("a__1", 1), ("a__2", 0)]


def test_forks_and_switches_run_inside_a_loop() -> None:
    cases = {"1": [inline("one")], "2": [inline("two")]}
    switch = step("SWITCH", "s", {"v": "${loop.output.iteration}"}, evaluatorType="value-param", expression="v", decisionCases=cases)
    view = World(vendor).outcome(
        workflow(loop("$.loop.iteration < 2", fork("f", [http("x")], [switch]), join("j", "x"), inline("end")), inline("after"))
    )
    assert view.workflow.status is WorkflowStatus.COMPLETED
    output = view.tasks[0].task.output
    assert set(output["1"]) == {"f", "x", "s", "one", "j", "end"}
    assert set(output["2"]) == {"f", "x", "s", "two", "j", "end"}
    assert names(view)[-1] == "after"


def test_a_loop_of_hundreds_of_instant_iterations_is_many_decisions() -> None:
    world = World()
    view = world.outcome(workflow(loop("$.loop.iteration < 300", inline("a"), given={"keepLastN": 1}), inline("after")))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert view.tasks[0].task.output["iteration"] == 300
    assert view.workflow.revision >= 6, "one decision must not hold them all"


def test_a_loop_that_polls_names_each_polls_record() -> None:
    polling = step("HTTP_POLL", "p", {"http_request": {"uri": "http://v/${loop.output.iteration}"}})
    world = World(vendor)
    view = world.outcome(workflow(loop("$.loop.iteration < 2", polling)))
    assert names(view) == ["loop", "p__1", "p__2"]
    assert [request.uri for request in world.http.requests] == ["http://v/1", "http://v/2"]


def test_a_branch_that_begins_with_a_terminate_starts_the_others_before_it_ends_the_run() -> None:
    ending = step("TERMINATE", "end", {"terminationStatus": "COMPLETED", "workflowOutput": {"by": "end"}})
    later = step("TERMINATE", "later", {"terminationStatus": "FAILED"})
    work = [step("HTTP", "http", {"http_request": {"uri": "http://v", "method": "GET"}})]
    asked: list[str] = []
    world = World(lambda request: asked.append(request.uri) or answer({}))
    branches = [[step("WAIT", "w", {"duration": "1h"})], [ending], work, [inline("script")], [later]]
    view = world.outcome(workflow(fork("f", *branches), join("j", "w", "http", "script")))
    assert [(task.task.task_reference_name, task.task.status.value) for task in view.tasks] == [
        ("f", "COMPLETED"),
        ("w", "CANCELED"),
        ("end", "COMPLETED"),
        ("http", "CANCELED"),
        ("script", "COMPLETED"),
        ("later", "COMPLETED"),
        ("j", "CANCELED"),
    ]
    assert (view.workflow.status, view.workflow.output, asked) == (WorkflowStatus.COMPLETED, {"by": "end"}, [])


def test_a_retry_goes_on_behind_what_ended_together_with_the_run() -> None:
    """A script that is over when the run ends has no successor yet."""
    ending = step("TERMINATE", "end", {"terminationStatus": "FAILED"})
    world = World()
    workflow_id = world.start(workflow(fork("f", [ending], [inline("script"), inline("behind")]), join("j", "behind")))
    world.run()
    operate.retry(world.engine, workflow_id)
    world.run()
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED
    assert {name: task.status for name, task in world.tasks(workflow_id).items()} == dict.fromkeys(
        ("f", "end", "script", "behind", "j"), TaskStatus.COMPLETED
    )


# --- FORK_JOIN_DYNAMIC ---


def dynamic(given: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return step("FORK_JOIN_DYNAMIC", "d", given, **fields)


def test_a_dynamic_fork_over_inputs_makes_one_task_each() -> None:
    inputs = [{"http_request": {"uri": f"http://v/{number}", "method": "GET"}} for number in range(3)]
    view = World(vendor).outcome(workflow(dynamic({"forkTaskType": "HTTP", "forkTaskInputs": inputs}), join("j")))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert names(view) == ["d", "_HTTP_0", "_HTTP_1", "_HTTP_2", "j"]
    assert view.tasks[-1].task.input == {"joinOn": ["_HTTP_0", "_HTTP_1", "_HTTP_2"]}
    assert set(view.workflow.output) == {"_HTTP_0", "_HTTP_1", "_HTTP_2"}
    assert view.tasks[1].task.input["__index"] == 0


def test_a_second_dynamic_fork_names_its_tasks_after_itself() -> None:
    given = {"forkTaskType": "INLINE", "forkTaskInputs": [{"expression": "1"}]}
    again = {**dynamic(given), "taskReferenceName": "e", "name": "e"}
    view = World().outcome(workflow(dynamic(given), join("j"), again, join("k")))
    assert names(view) == ["d", "_INLINE_0", "j", "e", "_e_INLINE_0", "k"]


def test_a_dynamic_fork_takes_a_list_of_tasks_and_a_map_of_inputs() -> None:
    tasks = [{"name": "x", "taskReferenceName": "x", "type": "INLINE"}, {"name": "y", "taskReferenceName": "y", "type": "INLINE"}]
    given = {"tasks": tasks, "inputs": {"x": {"expression": "1 + 1"}, "y": {"expression": "3"}}}
    params = {"dynamicForkTasksParam": "tasks", "dynamicForkTasksInputParamName": "inputs"}
    view = World().outcome(workflow(dynamic(given, **params), join("j")))
    assert view.workflow.output == {"x": {"result": 2}, "y": {"result": 3}}


def test_a_dynamic_fork_takes_the_legacy_form() -> None:
    tasks = {"dynamicTasks": [{"taskName": "x", "referenceName": "x", "type": "INLINE", "input": {"expression": "5"}}]}
    view = World().outcome(workflow(dynamic({"all": tasks}, dynamicForkJoinTasksParam="all"), join("j")))
    assert view.workflow.output == {"x": {"result": 5}}


def test_a_dynamic_fork_of_nothing_goes_straight_through() -> None:
    view = World().outcome(workflow(dynamic({"forkTaskType": "INLINE", "forkTaskInputs": []}), join("j"), inline("after")))
    assert (view.workflow.status, names(view)) == (WorkflowStatus.COMPLETED, ["d", "j", "after"])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tasks": None, "inputs": {}}, "list of tasks"),
        ({"tasks": [{"name": "x", "type": "INLINE"}], "inputs": {}}, "taskReferenceName"),
        ({"tasks": [{"name": "x", "taskReferenceName": "x", "type": "INLINE"}], "inputs": {"x": 3}}, "not an object"),
        ({"tasks": [{"name": "x", "taskReferenceName": "x", "type": "INLINE"}] * 2, "inputs": {}}, "unique"),
    ],
)
def test_a_dynamic_fork_that_cannot_be_read_ends_the_run_with_a_reason(given: dict[str, Any], words: str) -> None:
    params = {"dynamicForkTasksParam": "tasks", "dynamicForkTasksInputParamName": "inputs"}
    view = World().outcome(workflow(dynamic(given, **params), join("j")))
    assert view.workflow.status is WorkflowStatus.FAILED
    assert words in (view.workflow.reason_for_incompletion or "")


def test_a_forked_type_that_is_not_known_ends_the_run_by_name() -> None:
    view = World().outcome(workflow(dynamic({"forkTaskType": "NOPE", "forkTaskInputs": [{}]}), join("j")))
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "NOPE" in (view.workflow.reason_for_incompletion or "")


def test_an_optional_dynamic_fork_makes_its_tasks_optional() -> None:
    inputs = [{"http_request": {"uri": "http://v/fail", "method": "GET"}}]
    view = World(vendor).outcome(workflow(dynamic({"forkTaskType": "HTTP", "forkTaskInputs": inputs}, optional=True), join("j")))
    assert view.workflow.status is WorkflowStatus.COMPLETED


def test_a_wide_fork_costs_its_run_row_nothing() -> None:
    inputs = [{"http_request": {"uri": f"http://v/{number}", "method": "GET"}} for number in range(200)]
    world = World(vendor)
    workflow_id = world.start(workflow(dynamic({"forkTaskType": "HTTP", "forkTaskInputs": inputs}), join("j")))
    stored = world.executions.load(workflow_id)
    assert stored is not None
    assert len(repr(stored.workflow)) < 3000
    world.run()
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED


# --- NOOP, HUMAN ---


def test_noop_goes_on_and_human_waits_for_somebody() -> None:
    world = World()
    workflow_id = world.start(workflow(step("NOOP", "n"), step("HUMAN", "h")))
    world.run()
    assert world.tasks(workflow_id)["n"].status is TaskStatus.COMPLETED
    assert world.tasks(workflow_id)["h"].status is TaskStatus.IN_PROGRESS
