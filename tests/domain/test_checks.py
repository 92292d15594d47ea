"""What registration warns about: a table of definitions and their warnings, and of those that deserve none."""

import time
from datetime import timedelta
from typing import Any

import pytest
from fermata.domain.beginning import with_task_definitions
from fermata.domain.checks import warnings_about
from fermata.domain.checks.conditions import only_success
from fermata.domain.checks.polls import time_of
from fermata.domain.poll_settings import poll_settings
from fermata.wire.definitions import workflow_definition_from_json
from hypothesis import given, settings

from tests.support.random_workflows import workflows
from tests.support.world import main_job, step, workflow

FLOOR = timedelta(seconds=60)


def warned(definition: dict[str, Any]) -> list[tuple[str, str]]:
    parsed = with_task_definitions(workflow_definition_from_json(definition), {})
    return [(warning.path, warning.code) for warning in warnings_about(parsed, FLOOR)]


def inline(reference: str, reads: str | None = None) -> dict[str, Any]:
    return step("INLINE", reference, {"expression": "1", **({"x": f"${{{reads}.output.x}}"} if reads else {})})


def switch(reference: str, *branches: list[dict[str, Any]], default: list[dict[str, Any]] | None = None, **given: Any) -> dict[str, Any]:
    cases = {f"c{index}": branch for index, branch in enumerate(branches)}
    fields = {"evaluatorType": "value-param", "expression": "v", "decisionCases": cases, "defaultCase": default or []}
    return step("SWITCH", reference, given or {"v": "c0"}, **fields)


def fork(reference: str, *branches: list[dict[str, Any]]) -> dict[str, Any]:
    return step("FORK_JOIN", reference, forkTasks=list(branches))


def join(reference: str, *awaited: str, kind: str = "JOIN", **fields: Any) -> dict[str, Any]:
    return step(kind, reference, joinOn=list(awaited), **fields)


def loop(reference: str, *body: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return step("DO_WHILE", reference, loopCondition="false", loopOver=list(body), **fields)


def terminate(reference: str = "t") -> dict[str, Any]:
    return step("TERMINATE", reference, {"terminationStatus": "COMPLETED"})


def poll(reference: str = "p", policy: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    task = step("HTTP_POLL", reference, {"http_request": {"uri": "http://v", **fields}})
    return {**task, "taskDefinition": {"name": reference, "retryCount": 0, **policy}} if policy else task


def post(retries: int, **fields: Any) -> dict[str, Any]:
    return step("HTTP", "h", {"http_request": {"uri": "http://v", "method": "POST", **fields}}, retryCount=retries)


def timed(seconds: int, *tasks: dict[str, Any]) -> dict[str, Any]:
    return workflow(*tasks, timeoutSeconds=seconds, timeoutPolicy="TIME_OUT_WF")


DESERVED: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    # --- unreachable ---
    "after a TERMINATE": (workflow(terminate(), inline("a"), inline("b")), [("tasks[1]", "UNREACHABLE")]),
    "after a SWITCH that ends in every branch": (
        workflow(switch("s", [terminate("t1")], default=[inline("x"), terminate("t2")]), inline("a")),
        [("tasks[1]", "UNREACHABLE")],
    ),
    "in a branch": (workflow(switch("s", [terminate(), inline("a")])), [("tasks[0].decisionCases['c0'][1]", "UNREACHABLE")]),
    "after a loop that ends": (workflow(loop("l", terminate()), inline("a")), [("tasks[1]", "UNREACHABLE")]),
    # --- joins ---
    "a join on nothing": (workflow(fork("f", [inline("a")]), join("j", "a", "ghost")), [("tasks[1].joinOn[1]", "JOIN_UNKNOWN_TASK")]),
    "a join on itself": (workflow(fork("f", [inline("a")]), join("j", "a", "j")), [("tasks[1].joinOn[1]", "JOIN_WAITS_FOR_ITSELF")]),
    "a join on a later task": (
        workflow(fork("f", [inline("a")]), join("j", "b"), inline("b")),
        [("tasks[1].joinOn[0]", "JOIN_WAITS_FOR_ITSELF")],
    ),
    "a join on a task inside a later switch": (
        workflow(fork("f", [inline("a")]), join("j", "b"), switch("s", [inline("b")])),
        [("tasks[1].joinOn[0]", "JOIN_WAITS_FOR_ITSELF")],
    ),
    "two joins on each other": (
        workflow(
            fork(
                "f",
                [fork("f1", [inline("a")]), join("j1", "b2"), inline("a2")],
                [fork("f2", [inline("b")]), join("j2", "a2"), inline("b2")],
            ),
            join("j", "a2", "b2"),
        ),
        [("tasks[0].forkTasks[0][1].joinOn[0]", "JOIN_WAITS_FOR_ITSELF"), ("tasks[0].forkTasks[1][1].joinOn[0]", "JOIN_WAITS_FOR_ITSELF")],
    ),
    "a join on its own loop": (
        workflow(loop("l", fork("f", [inline("a")]), join("j", "a", "l"))),
        [("tasks[0].loopOver[1].joinOn[1]", "JOIN_WAITS_FOR_ITSELF")],
    ),
    "a join on a task outside its loop": (
        workflow(inline("o"), loop("l", fork("f", [inline("a")]), join("j", "a", "o"))),
        [("tasks[1].loopOver[1].joinOn[1]", "JOIN_NEVER_MET")],
    ),
    "a join on a task of a loop": (
        workflow(fork("f", [loop("l", inline("a"))]), join("j", "a")),
        [("tasks[1].joinOn[0]", "JOIN_NEVER_MET")],
    ),
    "a join on a task after a TERMINATE": (
        workflow(fork("f", [terminate(), inline("a")]), join("j", "a")),
        [("tasks[0].forkTasks[0][1]", "UNREACHABLE"), ("tasks[1].joinOn[0]", "JOIN_NEVER_MET")],
    ),
    "a join on a branch that is not always taken": (
        workflow(fork("f", [switch("s", [inline("a")], [inline("b")])]), join("j", "a")),
        [("tasks[1].joinOn[0]", "JOIN_NOT_ALWAYS_RUN")],
    ),
    "a join on the other branch": (
        workflow(switch("s", [inline("a")], [fork("f", [inline("b")]), join("j", "b", "a")])),
        [("tasks[0].decisionCases['c1'][1].joinOn[1]", "JOIN_NOT_ALWAYS_RUN")],
    ),
    "an exclusive join on nothing": (
        workflow(switch("s", [inline("a")]), join("j", "a", "ghost", kind="EXCLUSIVE_JOIN", defaultExclusiveJoinTask=["j"])),
        [("tasks[1].joinOn[1]", "JOIN_UNKNOWN_TASK"), ("tasks[1].defaultExclusiveJoinTask[0]", "JOIN_WAITS_FOR_ITSELF")],
    ),
    # --- references ---
    "a reference to a later task": (workflow(inline("a", "b"), inline("b")), [("tasks[0].inputParameters.x", "REFERENCE_TOO_EARLY")]),
    "a reference to a task inside a later switch": (
        workflow(inline("a", "b"), switch("s", [inline("b")])),
        [("tasks[0].inputParameters.x", "REFERENCE_TOO_EARLY")],
    ),
    "a reference into itself": (
        workflow(switch("s", [inline("a")], v="${a.output.x}")),
        [("tasks[0].inputParameters.v", "REFERENCE_TOO_EARLY")],
    ),
    "a reference to the other branch": (
        workflow(switch("s", [inline("a")], [inline("b", "a")])),
        [("tasks[0].decisionCases['c1'][0].inputParameters.x", "REFERENCE_OTHER_BRANCH")],
    ),
    "a reference to the default branch": (
        workflow(switch("s", [inline("a", "b")], default=[inline("b")])),
        [("tasks[0].decisionCases['c0'][0].inputParameters.x", "REFERENCE_OTHER_BRANCH")],
    ),
    "a reference to a sibling branch of a fork": (
        workflow(fork("f", [inline("a")], [inline("b", "a")]), join("j", "a", "b")),
        [("tasks[0].forkTasks[1][0].inputParameters.x", "REFERENCE_SIDE_BY_SIDE")],
    ),
    "a reference to a sibling branch of a fork in a loop": (
        workflow(loop("l", fork("f", [inline("a")], [inline("b", "a")]), join("j", "a", "b"))),
        [("tasks[0].loopOver[0].forkTasks[1][0].inputParameters.x", "REFERENCE_SIDE_BY_SIDE")],
    ),
    "a reference to an unreachable task": (
        workflow(switch("s", [terminate(), inline("a")]), inline("b", "a")),
        [("tasks[0].decisionCases['c0'][1]", "UNREACHABLE"), ("tasks[1].inputParameters.x", "REFERENCE_NEVER_RUN")],
    ),
    "an output of an unreachable task": (
        workflow(terminate(), inline("a"), outputParameters={"y": ["${a.output.x}"], "t": "${t.output}"}),
        [("tasks[1]", "UNREACHABLE"), ("outputParameters.y[0]", "REFERENCE_NEVER_RUN")],
    ),
    "items from a later task": (
        workflow(loop("l", inline("a"), items="${b.output.x}"), inline("b")),
        [("tasks[0].items", "REFERENCE_TOO_EARLY")],
    ),
    "a sub-workflow named by a later task": (
        workflow(step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "${b.output.x}", "workflowDefinition": "${b.output.y}"}), inline("b")),
        [
            ("tasks[0].subWorkflowParam.name", "REFERENCE_TOO_EARLY"),
            ("tasks[0].subWorkflowParam.workflowDefinition", "REFERENCE_TOO_EARLY"),
        ],
    ),
    # --- polls against timeouts ---
    "more polls than the workflow's time": (
        timed(600, poll(maxPollCount=11)),
        [("tasks[0].inputParameters.http_request.maxPollCount", "POLLS_OUTLAST_TIMEOUT")],
    ),
    "more polls than the task's time": (
        workflow(poll(policy={"timeoutSeconds": 60, "responseTimeoutSeconds": 60}, maxPollCount="3")),
        [("tasks[0].inputParameters.http_request.maxPollCount", "POLLS_OUTLAST_TIMEOUT")],
    ),
    "more polls than the total time": (
        workflow(poll(policy={"totalTimeoutSeconds": 60}, maxPollCount=3)),
        [("tasks[0].inputParameters.http_request.maxPollCount", "POLLS_OUTLAST_TIMEOUT")],
    ),
    "growing intervals": (
        timed(3600, poll(maxPollCount=7, pollingStrategy="EXPONENTIAL_BACKOFF")),
        [("tasks[0].inputParameters.http_request.maxPollCount", "POLLS_OUTLAST_TIMEOUT")],
    ),
    "a deadline after the timeout": (
        timed(600, poll(pollDeadlineSeconds=600)),
        [("tasks[0].inputParameters.http_request.pollDeadlineSeconds", "POLL_DEADLINE_AFTER_TIMEOUT")],
    ),
    "an interval below the floor": (
        workflow(poll(pollingInterval=5)),
        [("tasks[0].inputParameters.http_request.pollingInterval", "POLL_INTERVAL_RAISED")],
    ),
    "an interval below the floor, beside the request": (
        workflow(step("HTTP_POLL", "p", {"http_request": {"uri": "http://v"}, "pollingInterval": "0.5"})),
        [("tasks[0].inputParameters.pollingInterval", "POLL_INTERVAL_RAISED")],
    ),
    # --- conditions and what follows ---
    "a condition that only success satisfies": (
        workflow(poll(terminationCondition="$.output.response.body.state === 'SUCCEEDED'")),
        [("tasks[0].inputParameters.http_request.terminationCondition", "CONDITION_MISSES_FAILURE")],
    ),
    "a switch after a poll without a default": (
        workflow(poll(), switch("s", [inline("a")], v="${p.output.response.body.state}")),
        [("tasks[1].defaultCase", "EMPTY_DEFAULT_AFTER_POLL")],
    ),
    "a script switch after a poll without a default": (
        workflow(poll(), {**switch("s", [inline("a")], o="${p.output}"), "evaluatorType": "javascript", "expression": "$.o.x"}),
        [("tasks[1].defaultCase", "EMPTY_DEFAULT_AFTER_POLL")],
    ),
    "an unsafe request that retries repeat without a key": (
        workflow(post(2, idempotencyKey=False)),
        [("tasks[0].inputParameters", "RETRY_WITHOUT_KEY")],
    ),
}

UNDESERVED: dict[str, dict[str, Any]] = {
    "a plain sequence": workflow(inline("a"), inline("b", "a"), outputParameters={"x": "${b.output.x}"}),
    "a SWITCH that goes on in one branch": workflow(switch("s", [terminate()]), inline("a")),
    "a loop over items that may be none": workflow(loop("l", terminate(), items="${workflow.input.x}"), inline("a")),
    "a TERMINATE beside others": workflow(fork("f", [terminate()], [inline("a")]), join("j", "a"), inline("b")),
    "a fork and its join": workflow(fork("f", [inline("a")], [inline("b")]), join("j", "a", "b"), inline("c", "a")),
    "a join over a whole branch": workflow(fork("f", [inline("a"), switch("s", [inline("x")])]), join("j", "s")),
    "a join inside a branch": workflow(switch("s", [fork("f", [inline("a")]), join("j", "a")])),
    "a join on a sibling's sibling": workflow(
        fork("f", [fork("f1", [inline("a")]), join("j1", "a", "b")], [inline("b")]), join("j", "j1", "b")
    ),
    "a join after a dynamic fork": workflow(
        step("FORK_JOIN_DYNAMIC", "d", {"forkTaskInputs": [], "forkTaskType": "NOOP"}), join("j", "told_by_the_fork")
    ),
    "a join on what a dynamic fork added": workflow(
        step("FORK_JOIN_DYNAMIC", "d", {"forkTaskInputs": [], "forkTaskType": "NOOP"}),
        join("j"),
        fork("f", [inline("a")]),
        join("j2", "a", "_NOOP_0"),
    ),
    "a join in a loop": workflow(loop("l", fork("f", [inline("a")]), join("j", "a"))),
    "an exclusive join of branches": workflow(switch("s", [inline("a")], [inline("b")]), join("j", "a", "b", kind="EXCLUSIVE_JOIN")),
    "a reference out of a switch": workflow(switch("s", [inline("a")]), inline("b", "a")),
    "a reference to an earlier iteration": workflow(loop("l", inline("a", "b"), inline("b"))),
    "a reference to the loop around": workflow(loop("l", inline("a", "l"))),
    "a loop that reads its body": workflow({**loop("l", inline("a")), "inputParameters": {"x": "${a.output.x}"}}),
    "a task that reads itself": workflow(inline("a", "a")),
    "a reference from a branch to before the fork": workflow(inline("o"), fork("f", [inline("a", "o")]), join("j", "a")),
    "a reference to the switch around": workflow(switch("s", [inline("a", "s")])),
    "an inline child that reads its own tasks": workflow(
        step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "c", "workflowDefinition": workflow(inline("x"), inline("y", "b"))}),
        inline("b"),
    ),
    "polls that fit": timed(601, poll(maxPollCount=11)),
    "polls that nobody counted": timed(600, poll()),
    "polls that a deadline ends in time": timed(600, poll(maxPollCount=100, pollDeadlineSeconds=500)),
    "polls that only alert": workflow(poll(maxPollCount=100), timeoutSeconds=600, timeoutPolicy="ALERT_ONLY"),
    "polls counted by an expression": timed(600, poll(maxPollCount="${workflow.input.n}")),
    "polls paced by an expression": timed(600, poll(maxPollCount=100, pollingInterval="${workflow.input.n}")),
    "an interval from an expression": workflow(poll(pollingInterval="${workflow.input.n}")),
    "a switch with a default": workflow(poll(), switch("s", [inline("a")], default=[inline("b")], v="${p.output.x}")),
    "a switch on something else": workflow(poll(), switch("s", [inline("a")], v="${workflow.input.x}", unused="${p.output.x}")),
    "an unsafe request with its key": workflow(post(2)),
    "an unsafe request with a header of its own": workflow(post(2, idempotencyKey=False, headers={"idempotency-key": "x"})),
    "an unsafe request that is sent once": workflow(post(0, idempotencyKey=False)),
    "a safe request": workflow(
        step("HTTP", "h", {"http_request": {"uri": "http://v", "method": "GET", "idempotencyKey": False}}, retryCount=3)
    ),
}


@pytest.mark.parametrize("name", DESERVED)
def test_a_definition_gets_the_warnings_it_deserves(name: str) -> None:
    definition, expected = DESERVED[name]
    assert warned(definition) == expected


@pytest.mark.parametrize("name", UNDESERVED)
def test_a_definition_without_fault_gets_none(name: str) -> None:
    assert warned(UNDESERVED[name]) == []


def test_the_main_job_is_told_that_its_default_is_empty() -> None:
    assert warned(main_job()) == [("tasks[2].defaultCase", "EMPTY_DEFAULT_AFTER_POLL")]


def test_messages_name_the_tasks_and_the_values_that_count() -> None:
    parsed = workflow_definition_from_json(timed(600, poll(maxPollCount=100, pollingInterval=5)))
    outlast, raised = [warning.message for warning in warnings_about(parsed, FLOOR)]
    assert outlast == "100 polls (FIXED, 60 s) take 5940 s; the workflow's timeoutSeconds (600 s) ends the polling first"
    assert raised == "pollingInterval 5 s of p is below this server's least; polls are 60 s apart"


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("$.output.response.body.state === 'SUCCEEDED'", {"SUCCEEDED"}),
        ('$.output.body.status == "done"', {"done"}),
        ("'COMPLETED' === $.output.response.body.jobStatus", {"COMPLETED"}),
        ("$.output.response.body['job-state'] === 'DONE' || $.output.response.body.state === 'OK'", {"DONE", "OK"}),
        (
            "(function(){ var s = $.output.response.body.state; return s === 'SUCCEEDED' || s === 'COMPLETED'; })();",
            {"SUCCEEDED", "COMPLETED"},
        ),
        ("(() => { const s = $.output.response.body?.state; return (s === 'DONE'); })()", {"DONE"}),
        ("['SUCCEEDED', \"DONE\"].includes($.output.response.body.state)", {"SUCCEEDED", "DONE"}),
        ("$.output.response.body.state.toUpperCase() === 'DONE'", {"DONE"}),
        ("String($.output.response.body.status) === 'DONE'", {"DONE"}),
        # a failure ends it too, or nobody can tell
        ("(function(){ var s = $.output.response.body.state; return s === 'SUCCEEDED' || s === 'FAILED'; })();", set()),
        ("$.output.response.body.state !== 'RUNNING'", set()),
        ("!($.output.response.body.state === 'SUCCEEDED')", set()),
        ("$.output.response.body.state === 'SUCCEEDED' || $.output.response.body.errors > 0", set()),
        ("$.output.response.body.state === 'SUCCEEDED' || $.output.response.statusCode === 404", set()),
        ("$.output.response.body.kind === 'DONE'", set()),
        ("$.output.response.body.state === $.input.wanted", set()),
        ("/DONE/.test($.output.response.body.state)", set()),
        ("if ($.output.response.body.state === 'DONE') { true } else { $.output.response.body.error }", set()),
        ("['DONE', 'FAILED'].includes($.output.response.body.state)", set()),
        ("true", set()),
        ("", set()),
        ("a" * 3000, set()),
        (" " * 1900 + "state", set()),
        ("(" * 1900, set()),
    ],
)
def test_a_condition_is_judged_only_when_it_is_plain(condition: str, words: set[str]) -> None:
    assert only_success(condition) == words


def test_the_time_of_many_polls_is_bounded_work() -> None:
    settings = poll_settings({"http_request": {"maxPollCount": 10**9, "pollingInterval": 60}}, FLOOR)
    assert time_of(settings) == timedelta(seconds=60) * (10**9 - 1)
    assert time_of(poll_settings({"maxPollCount": 10**11, "pollingInterval": 10**7, "uri": "u"}, FLOOR)) == timedelta.max
    assert time_of(poll_settings({"maxPollCount": 4, "pollingStrategy": "LINEAR_BACKOFF"}, FLOOR)) == timedelta(seconds=360)


@settings(max_examples=150, deadline=None)
@given(workflows())
def test_well_made_definitions_are_not_accused(definition: dict[str, Any]) -> None:
    """Every JOIN of these is met, every reference looks back, and nothing stands after a TERMINATE."""
    codes = {code for _, code in warned(definition)}
    assert {code for code in codes if code.startswith(("JOIN", "REFERENCE", "UNREACHABLE"))} == set()


def test_checking_costs_no_more_than_the_definition() -> None:
    chain = [inline("t0"), *(inline(f"t{n}", f"t{n - 1}") for n in range(1, 2000))]
    joins = [join(f"j{n}", *(f"t{m}" for m in range(0, 2000, 10))) for n in range(20)]
    nested: list[dict[str, Any]] = [inline("deep")]
    for depth in range(50):
        nested = [switch(f"s{depth}", nested, default=[inline(f"d{depth}")])]
    began = time.process_time()
    assert warned(workflow(*chain, *joins, *nested)) == []
    assert time.process_time() - began < 3
