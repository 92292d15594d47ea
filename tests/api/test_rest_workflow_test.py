"""`POST /api/workflow/test`: tasks end as the request says, in memory."""

from typing import Any

import pytest

from tests.api.gateway import Gateway
from tests.support.world import World, main_job, step, workflow

TEST = "/api/workflow/test"


def http(reference: str, **fields: Any) -> dict[str, Any]:
    return step("HTTP", reference, {"http_request": {"uri": "http://v", "method": "POST"}}, **fields)


def run(call: Gateway, definition: dict[str, Any], mocks: dict[str, Any], **fields: Any) -> Any:
    answered = call("POST", TEST, {"name": definition["name"], "workflowDef": definition, "taskRefToMockOutput": mocks, **fields})
    assert answered.status == 200, answered.text
    return answered.json


def statuses(body: Any) -> list[tuple[str, str]]:
    return [(task["referenceTaskName"], task["status"]) for task in body["tasks"]]


def test_the_main_job_runs_on_mocks_and_nothing_is_called_or_stored(call: Gateway, world: World) -> None:
    result = {"jobId": "j", "state": "SUCCEEDED", "result": {"rows": 2, "artifact": "a"}}
    mocks = {
        "submit_job": [{"output": {"response": {"body": {"jobId": "j"}}}}],
        "await_job": [{"status": "COMPLETED", "output": {"response": {"body": result}}, "executionTime": 120_000, "queueWaitTime": 500}],
    }
    body = run(call, main_job(), mocks, input={"jobApiUrl": "http://x"})
    assert (body["status"], body["output"]["rows"]) == ("COMPLETED", 2)
    assert [name for name, _ in statuses(body)] == ["submit_job", "await_job", "route_job", "record_artifact"]
    awaited = body["tasks"][1]
    assert (awaited["endTime"] - awaited["startTime"], awaited["queueWaitTime"]) == (120_000, 500)
    assert body["endTime"] - body["createTime"] == 120_500
    assert world.http.requests == []
    assert call("GET", f"/api/workflow/{body['workflowId']}").status == 404
    assert (world.alarms.waiting(), call("GET", "/api/metadata/workflow").json) == ([], [])


def test_it_stops_where_a_running_task_has_no_mock(call: Gateway) -> None:
    body = run(call, workflow(http("a"), http("b"), http("c")), {"a": [{}]})
    assert (body["status"], statuses(body)) == ("RUNNING", [("a", "COMPLETED"), ("b", "SCHEDULED")])


def test_an_event_is_over_without_a_mock_and_comes_to_nobody(call: Gateway, world: World) -> None:
    told = [step("EVENT", "tell", {"n": 1}, sink="sqs:orders"), step("EVENT", "ask", sink="sqs:orders", asyncComplete=True)]
    body = run(call, workflow(*told), {})
    assert (body["status"], statuses(body)) == ("RUNNING", [("tell", "COMPLETED"), ("ask", "IN_PROGRESS")])
    assert body["tasks"][0]["outputData"]["event_produced"] == "sqs:orders"
    assert world.sinks.published == []
    answered = run(call, workflow(*told), {"ask": [{"output": {"r": 1}}], "tell": [{"status": "FAILED"}]})
    assert (answered["status"], statuses(answered)) == ("FAILED", [("tell", "FAILED")])


@pytest.mark.parametrize(("kind", "given"), [("WAIT", {"duration": "3 days"}), ("HUMAN", {}), ("WAIT", {})])
def test_waiting_tasks_need_a_mock_too(call: Gateway, kind: str, given: dict[str, Any]) -> None:
    definition = workflow(step(kind, "w", given))
    assert statuses(run(call, definition, {})) == [("w", "IN_PROGRESS")]
    body = run(call, definition, {"w": [{"output": {"by": "Ada"}, "executionTime": 1000}]})
    assert (body["status"], body["output"]) == ("COMPLETED", {"by": "Ada"})


def test_mocks_are_consumed_in_order_by_retries(call: Gateway) -> None:
    call("POST", "/api/metadata/taskdefs", [{"name": "a", "retryCount": 2, "retryDelaySeconds": 30}])
    body = run(call, workflow(http("a")), {"a": [{"status": "FAILED", "output": {"n": 1}}, {"output": {"n": 2}}]})
    assert statuses(body) == [("a", "FAILED"), ("a", "COMPLETED")]
    assert body["output"] == {"n": 2}
    assert body["tasks"][1]["endTime"] - body["tasks"][0]["endTime"] == 30_000


def test_mocks_are_consumed_in_order_by_iterations(call: Gateway) -> None:
    loop = step("DO_WHILE", "l", loopCondition="$.l.iteration < 3", loopOver=[http("a")])
    body = run(call, workflow(loop), {"a": [{"output": {"n": 1}}, {"output": {"n": 2}}, {"output": {"n": 3}}]})
    assert body["status"] == "COMPLETED"
    assert [task["outputData"].get("n") for task in body["tasks"][1:]] == [1, 2, 3]


def test_branches_end_in_the_order_of_their_times(call: Gateway) -> None:
    fork = step("FORK_JOIN", "f", forkTasks=[[http("slow"), http("after_slow")], [http("quick")]])
    mocks = {"slow": [{"executionTime": 9000}], "quick": [{"executionTime": 1000}], "after_slow": [{}]}
    body = run(call, workflow(fork, step("JOIN", "j", joinOn=["after_slow", "quick"])), mocks)
    ends = {task["referenceTaskName"]: task["endTime"] - body["createTime"] for task in body["tasks"]}
    assert body["status"] == "COMPLETED"
    assert (ends["quick"], ends["slow"], ends["j"]) == (1000, 9000, 9000)


def test_a_mock_that_takes_longer_than_a_timeout_times_out(call: Gateway) -> None:
    definition = workflow(http("a"), timeoutSeconds=60, timeoutPolicy="TIME_OUT_WF")
    body = run(call, definition, {"a": [{"executionTime": 61_000}]})
    assert (body["status"], statuses(body)) == ("TIMED_OUT", [("a", "CANCELED")])


def test_a_mock_in_progress_only_takes_time(call: Gateway) -> None:
    body = run(call, workflow(http("a")), {"a": [{"status": "IN_PROGRESS", "executionTime": 5000}, {"executionTime": 1000}]})
    assert (body["status"], body["endTime"] - body["createTime"]) == ("COMPLETED", 6000)
    left_open = run(call, workflow(http("a")), {"a": [{"status": "IN_PROGRESS"}]})
    assert left_open["status"] == "RUNNING"


def test_a_failing_mock_ends_the_run_as_a_worker_would(call: Gateway) -> None:
    body = run(call, workflow(http("a")), {"a": [{"status": "FAILED_WITH_TERMINAL_ERROR"}]})
    assert (body["status"], body["tasks"][0]["reasonForIncompletion"]) == ("FAILED", "mocked as FAILED_WITH_TERMINAL_ERROR")


def test_a_registered_definition_is_found_by_its_name(call: Gateway) -> None:
    call("POST", "/api/metadata/workflow", workflow(http("a")))
    body = call("POST", TEST, {"name": "flow", "taskRefToMockOutput": {"a": [{"output": {"x": 1}}]}}).json
    assert (body["status"], body["output"], body["workflowVersion"]) == ("COMPLETED", {"x": 1}, 1)
    assert call("POST", TEST, {"name": "nobody"}).status == 404


@pytest.mark.parametrize(
    ("mocks", "place"),
    [
        ({"a": [{"status": "SKIPPED"}]}, "taskRefToMockOutput.a[0]"),
        ({"a": [{}, {"executionTime": -1}]}, "taskRefToMockOutput.a[1]"),
        ({"a": [{"executionTime": 10**13}]}, "taskRefToMockOutput.a[0]"),
        ({"a": {}}, "taskRefToMockOutput.a"),
        ({"a": [{"status": "NO"}]}, "taskRefToMockOutput.a[0].status"),
    ],
)
def test_wrong_mocks_are_refused_with_their_place(call: Gateway, mocks: dict[str, Any], place: str) -> None:
    refused = call("POST", TEST, {"name": "flow", "workflowDef": workflow(http("a")), "taskRefToMockOutput": mocks})
    assert (refused.status, refused.json["validationErrors"][0]["path"]) == (400, place)


def test_a_loop_that_never_ends_is_refused_in_time(call: Gateway) -> None:
    loop = step("DO_WHILE", "l", {"keepLastN": 1}, loopCondition="true", loopOver=[step("NOOP", "n")])
    refused = call("POST", TEST, {"name": "flow", "workflowDef": workflow(loop)})
    assert refused.status == 400
    assert "nothing but loops; do they end?" in refused.json["message"]


# --- runs within runs ---


def sub(reference: str = "s", name: str = "child", **fields: Any) -> dict[str, Any]:
    return step("SUB_WORKFLOW", reference, {"n": 1}, subWorkflowParam={"name": name}, **fields)


@pytest.fixture
def child(call: Gateway) -> None:
    call("POST", "/api/metadata/workflow", {**workflow(http("c")), "name": "child"})


def test_a_childs_tasks_have_mocks_of_their_own(call: Gateway, child: None, world: World) -> None:
    mocks = {
        "subWorkflowTestRequest": {"s": {"name": "child", "taskRefToMockOutput": {"c": [{"output": {"x": 5}, "executionTime": 1000}]}}}
    }
    body = run(call, workflow(sub()), {}, **mocks)
    assert (body["status"], body["output"]["x"], body["endTime"] - body["createTime"]) == ("COMPLETED", 5, 1000)
    assert world.http.requests == []


def test_a_child_without_mocks_leaves_its_task_open(call: Gateway, child: None) -> None:
    assert statuses(run(call, workflow(sub()), {})) == [("s", "IN_PROGRESS")]


def test_a_mock_stands_for_the_whole_child(call: Gateway) -> None:
    body = run(call, workflow(sub(name="nobody")), {"s": [{"output": {"x": 6}}]})
    assert (body["status"], body["output"]) == ("COMPLETED", {"x": 6})


def test_many_children_in_a_row_are_no_endless_loop(call: Gateway) -> None:
    call("POST", "/api/metadata/workflow", {**workflow(step("NOOP", "n")), "name": "child"})
    body = run(call, workflow(*(sub(f"s{n}") for n in range(25))), {})
    assert body["status"] == "COMPLETED"


def test_a_failed_child_fails_its_task_and_starts_no_endless_failure_workflows(call: Gateway, child: None) -> None:
    mocks = {"subWorkflowTestRequest": {"s": {"taskRefToMockOutput": {"c": [{"status": "FAILED"}]}}}}
    definition = workflow(sub(), failureWorkflow="child")
    assert run(call, definition, {}, **mocks)["status"] == "FAILED"


def test_a_wrong_mock_of_a_child_is_refused_with_its_place(call: Gateway) -> None:
    nested = {"s": {"taskRefToMockOutput": {"c": [{"status": "SKIPPED"}]}}}
    refused = call("POST", TEST, {"name": "flow", "workflowDef": workflow(sub()), "subWorkflowTestRequest": nested})
    assert refused.json["validationErrors"][0]["path"] == "subWorkflowTestRequest.s.taskRefToMockOutput.c[0]"


def test_too_many_children_are_refused(call: Gateway) -> None:
    def forking(child: str) -> list[dict[str, Any]]:
        return [step("FORK_JOIN_DYNAMIC", "d", {"forkTaskWorkflow": child, "forkTaskInputs": [{}] * 15}), step("JOIN", "j")]

    call("POST", "/api/metadata/workflow", {**workflow(step("HUMAN", "h")), "name": "grandchild"})
    call("POST", "/api/metadata/workflow", {**workflow(*forking("grandchild")), "name": "child"})
    refused = call("POST", TEST, {"name": "flow", "workflowDef": workflow(*forking("child"))})
    assert (refused.status, refused.json["message"]) == (400, "The test run has started more than 200 others.")
