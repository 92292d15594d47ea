"""Hypothesis strategies: workflows whose end does not depend on how often or when a vendor is asked."""

from itertools import count
from typing import Any

from fermata.domain.http_exchange import HttpRequest, HttpResult
from hypothesis import strategies as st

from tests.support.world import answer, step, workflow

JOB_SECONDS = 200  # a job is done so long after its submission: after a few polls, however many are lost or repeated


def vendor(now: Any, started: dict[str, Any]) -> Any:
    """Return a script: `/ok` answers, `/fail` fails, `/never` is never done, `/job` is done after `JOB_SECONDS`, `/busy` answers then."""

    def elapsed(uri: str) -> float:
        return float((now() - started.setdefault(uri, now())).total_seconds())

    def script(request: HttpRequest) -> HttpResult:
        if "/busy/" in request.uri and elapsed(request.uri) < JOB_SECONDS:
            return answer({"state": "BUSY"}, 503, {"Retry-After": "45"}, "Busy")
        if "/fail" in request.uri:
            return answer({"error": "no"}, 500, reason="Server Error")
        if "/never" in request.uri:
            return answer({"state": "RUNNING"})
        if "/job/" in request.uri:
            return answer({"state": "DONE" if elapsed(request.uri) >= JOB_SECONDS else "RUNNING"})
        return answer({"ok": True})

    return script


def http_step(reference: str, kind: str) -> dict[str, Any]:
    if kind == "http":
        return step("HTTP", reference, {"http_request": {"uri": f"http://v/ok/{reference}", "method": "POST", "body": {"r": reference}}})
    request = {"http_request": {"uri": f"http://v/fail/{reference}", "method": "POST"}}
    # No task definition: its response timeout would make being late a different end.
    return step("HTTP", reference, request, optional=kind == "http-optional", retryCount=2)


def poll_step(reference: str, kind: str) -> dict[str, Any]:
    path = "never" if kind.startswith("never") else "job"
    request = {
        "uri": f"http://v/{path}/{reference}",
        "terminationCondition": "$.output.response.body.state === 'DONE'",
        "pollingInterval": 60,
        "maxPollCount": 3 if kind.startswith("never") else 1000,
    }
    return step("HTTP_POLL", reference, {"http_request": request}, optional=kind == "never-optional")


def worker_step(reference: str) -> dict[str, Any]:
    """Return a step that is tried until a worker that lives says it is done; how often depends on how many die."""
    definition = {"name": "work", "retryCount": 1000, "retryDelaySeconds": 0, "responseTimeoutSeconds": 100}
    return {**step("SIMPLE", reference, {"n": "${workflow.input.n}"}, taskDefinition=definition), "name": "work"}


def late_child_step(reference: str) -> dict[str, Any]:
    """Return a step whose child waits for ever: two attempts time out, each with a child of its own, and the run goes on."""
    child = {**workflow(step("HUMAN", "ever")), "name": f"child_{reference}"}
    param = {"name": child["name"], "version": 1, "workflowDefinition": child}
    timeout = {"timeoutSeconds": 100, "timeoutPolicy": "RETRY", "responseTimeoutSeconds": 1}
    patience = {"name": reference, "retryCount": 1, "retryDelaySeconds": 0, **timeout}
    return step("SUB_WORKFLOW", reference, {"n": 1}, subWorkflowParam=param, taskDefinition=patience, optional=True)


def plain_step(reference: str, kind: str) -> dict[str, Any]:
    match kind:
        case "inline":
            return step("INLINE", reference, {"n": "${workflow.input.n}", "expression": "$.n + 1"})
        case "jq":
            return step("JSON_JQ_TRANSFORM", reference, {"n": "${workflow.input.n}", "queryExpression": ".n * 2"})
        case "set":
            return step("SET_VARIABLE", reference, {f"v_{reference}": "${workflow.input.n}"})
        case "event":
            return step("EVENT", reference, {"n": "${workflow.input.n}"}, sink="conductor")
        case "late-child":
            return late_child_step(reference)
        case "wait":
            return step("WAIT", reference, {"duration": "90 seconds"})
        case _:
            return step("TERMINATE", reference, {"terminationStatus": "COMPLETED", "workflowOutput": {"by": reference}})


# Side by side, which of two failures comes first depends on how messages travel, and so may the end: there nothing ends the run.
_OVER_ALONE = ["inline", "jq", "event", "wait", "late-child"]
_CALM_KINDS = ["http", "http-optional", "simple", "job", "never-optional", *_OVER_ALONE, "switch", "child", "dynamic-fork"]
_KINDS = [*_CALM_KINDS, "http-fails", "never", "set", "fork", "loop"]
_FORKED_CONTAINERS = ["switch", "switch-in-switch", "loop", "loop-in-switch"]
_FORKED_KINDS = ["http", "http-optional", "simple", "job", "inline", "wait"]


def single_step(reference: str, kind: str) -> dict[str, Any]:
    """Return a step with no others in it. A kind that nests too deep to be drawn is an INLINE."""
    if kind == "simple":
        return worker_step(reference)
    if kind.startswith("http"):
        return http_step(reference, kind)
    if kind in ("job", "never", "never-optional"):
        return poll_step(reference, kind)
    return plain_step(reference, kind if kind in (*_OVER_ALONE, "set") else "inline")


@st.composite
def loops_of_one(draw: st.DrawFn, reference: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return a loop for a dynamic fork. Its own number is to be resolved in the loop, not at the fork."""
    again = f"$.{reference}.iteration < {draw(st.integers(1, 3))}"
    return step("DO_WHILE", reference, loopCondition=again, loopOver=[_told(body, f"$${{{reference}.output.iteration}}")])


@st.composite
def dynamic_forks(draw: st.DrawFn, names: Any, reference: str, containers: list[str]) -> dict[str, Any]:
    """Return a dynamic fork of single steps and of SWITCHes and loops, in each other or not; of a branch only the first step runs."""
    listed = []
    for kind in draw(st.lists(st.sampled_from([*_FORKED_KINDS, *containers]), max_size=3)):
        forked = single_step(f"t{next(names)}", draw(st.sampled_from(_FORKED_KINDS)) if kind in containers else kind)
        if kind.startswith("loop"):
            forked = draw(loops_of_one(f"t{next(names)}", forked))
        for _ in range(kind.count("switch")):
            behind = [single_step(f"t{next(names)}", "http")] * draw(st.integers(0, 1))
            cases = {"a": [forked, *behind], "b": [single_step(f"t{next(names)}", draw(st.sampled_from(_FORKED_KINDS)))]}
            given = {"case": draw(st.sampled_from(["a", "b", "c"]))}
            forked = step("SWITCH", f"t{next(names)}", given, evaluatorType="value-param", expression="case", decisionCases=cases)
        listed.append(forked)
    params = {"dynamicForkTasksParam": "tasks", "dynamicForkTasksInputParamName": "inputs"}
    return step("FORK_JOIN_DYNAMIC", reference, {"tasks": listed, "inputs": {}}, **params)


@st.composite
def tasks(draw: st.DrawFn, names: Any, depth: int = 0, kinds: Any = _KINDS) -> list[dict[str, Any]]:
    """Return a list of steps, nested up to two deep, sometimes ended by a TERMINATE."""
    steps: list[dict[str, Any]] = []
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4)):
        reference = f"t{next(names)}"
        if kind == "switch" and depth < 2:
            cases = {case: draw(tasks(names, depth + 1, kinds)) for case in ("a", "b")}
            given = {"case": draw(st.sampled_from(["a", "b", "c"]))}
            branches = {"evaluatorType": "value-param", "expression": "case", "decisionCases": cases, "defaultCase": []}
            steps.append(step("SWITCH", reference, given, **branches))
        elif kind == "fork" and depth < 2:
            # Each branch ends in a plain task: a JOIN on a SWITCH does not wait for what that chose.
            ends = [plain_step(f"t{next(names)}", "inline") for _ in range(2)]
            forked = [[*draw(tasks(names, depth + 1, _CALM_KINDS)), end] for end in ends]
            joined = [branch[-1]["taskReferenceName"] for branch in forked]
            steps.append(step("FORK_JOIN", reference, forkTasks=forked))
            steps.append(step("JOIN", f"t{next(names)}", joinOn=joined))
        elif kind == "dynamic-fork" and depth < 2:
            containers = _FORKED_CONTAINERS if depth == 0 else _FORKED_CONTAINERS[:2]  # a loop in a loop is not run
            steps += [draw(dynamic_forks(names, reference, containers)), step("JOIN", f"t{next(names)}")]
        elif kind == "loop" and depth < 1:
            again = f"$.{reference}.iteration < {draw(st.integers(1, 3))}"
            body = _told_apart(draw(tasks(names, depth + 1, _CALM_KINDS)), reference)
            steps.append(step("DO_WHILE", reference, loopCondition=again, loopOver=body))
        elif kind == "child" and depth < 2:
            inside = {**workflow(*draw(tasks(names, 2, kinds))), "name": f"child_{reference}"}
            param = {"name": inside["name"], "version": 1, "workflowDefinition": inside}
            steps.append(step("SUB_WORKFLOW", reference, {"n": "${workflow.input.n}"}, subWorkflowParam=param))
        else:
            steps.append(single_step(reference, kind))
    if depth and kinds is _KINDS and draw(st.integers(0, 5)) == 0:
        steps.append(plain_step(f"t{next(names)}", "terminate"))
    return steps


def _told_apart(body: list[dict[str, Any]], loop: str) -> list[dict[str, Any]]:
    """Return a loop's body whose requests have an address of their own in each iteration."""
    return [_told(each, f"${{{loop}.output.iteration}}") for each in body]


def _told(value: Any, number: str) -> Any:
    """Put the number into every address. A child is told it as an input: it knows nothing of its parent's tasks."""
    if isinstance(value, str):
        return value.replace("http://v/", f"http://v/{number}/")
    if isinstance(value, list):
        return [_told(each, number) for each in value]
    if isinstance(value, dict) and value.get("subWorkflowParam"):
        inside = _told(value["subWorkflowParam"], "${workflow.input.round}")
        return {**value, "inputParameters": {**value["inputParameters"], "round": number}, "subWorkflowParam": inside}
    return {key: _told(each, number) for key, each in value.items()} if isinstance(value, dict) else value


@st.composite
def workflows(draw: st.DrawFn) -> dict[str, Any]:
    """Return a definition of nested steps over everything a run can wait for.

    Its output is told: without `outputParameters` it is that of the task scheduled last, which depends on how messages travel.
    """
    steps = draw(tasks(count()))
    last = steps[-1]["taskReferenceName"]
    return workflow(*steps, outputParameters={"first": "${t0.output}", "last": f"${{{last}.output}}"})
