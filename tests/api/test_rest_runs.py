"""Runs are started, read, searched and operated through the door."""

import json
from datetime import timedelta
from typing import Any

import pytest

from tests.api.gateway import Gateway
from tests.support.world import Vendor, World, answer, main_job, step, workflow

HOLD = step("WAIT", "hold", {"duration": "1 days"})
UNKNOWN = "00000000-0000-0000-0000-00000000dead"


@pytest.fixture
def run_id(call: Gateway) -> str:
    call("POST", "/api/metadata/workflow", workflow(HOLD))
    return call("POST", "/api/workflow/flow?correlationId=c-1&priority=3", {"a": None, "big": 2**70}).text


def test_a_start_answers_with_the_bare_id(call: Gateway, run_id: str) -> None:
    for body in ({"name": "flow"}, {"name": "x", "workflowDef": workflow(HOLD)}, {"name": "flow", "version": 1, "input": {}}):
        started = call("POST", "/api/workflow", body)
        assert (started.status, started.headers["Content-Type"]) == (200, "text/plain;charset=UTF-8"), started.text
        assert call("GET", f"/api/workflow/{started.text}").json["workflowName"] == "flow"
    assert not run_id.startswith('"')


def test_a_start_without_a_body_has_empty_input(call: Gateway, run_id: str) -> None:
    started = call("POST", "/api/workflow/flow?version=&priority=")
    assert call("GET", f"/api/workflow/{started.text}").json["input"] == {}


def test_a_correlation_id_too_long_for_an_index_is_refused(call: Gateway, run_id: str) -> None:
    for refused in (
        call("POST", f"/api/workflow/flow?correlationId={'c' * 1001}", {}),
        call("POST", "/api/workflow", {"name": "flow", "correlationId": "c" * 1001}),
    ):
        assert refused.status == 400
        assert refused.json["validationErrors"] == [{"path": "correlationId", "message": "must be at most 1000 bytes long"}]
    assert call("POST", f"/api/workflow/flow?correlationId={'c' * 1000}", {}).status == 200


def test_a_run_is_shown_whole(call: Gateway, run_id: str) -> None:
    shown = call("GET", f"/api/workflow/{run_id}").json
    assert (shown["status"], shown["correlationId"], shown["priority"]) == ("RUNNING", "c-1", 3)
    assert shown["input"] == {"a": None, "big": 2**70}
    assert [task["referenceTaskName"] for task in shown["tasks"]] == ["hold"]
    assert shown["workflowDefinition"]["tasks"][0]["type"] == "WAIT"
    assert call("GET", f"/api/workflow/{run_id}?includeTasks=FALSE").json["tasks"] == []


def test_a_status_shows_what_was_asked_for(call: Gateway, run_id: str) -> None:
    assert call("GET", f"/api/workflow/{run_id}/status").json == {"workflowId": run_id, "correlationId": "c-1", "status": "RUNNING"}
    asked = call("GET", f"/api/workflow/{run_id}/status?includeOutput=true&includeVariables=True").json
    assert (asked["output"], asked["variables"]) == ({}, {})


def test_tasks_are_paged_and_filtered(call: Gateway, run_id: str) -> None:
    path = f"/api/workflow/{run_id}/tasks"
    (task,) = call("GET", path).json["results"]
    assert call("GET", f"{path}?status={task['status'].lower()}&status=FAILED").json["totalHits"] == 1
    assert call("GET", f"{path}?status=FAILED,COMPLETED").json == {"totalHits": 0, "results": []}
    assert call("GET", f"{path}?start=1").json == {"totalHits": 1, "results": []}
    assert call("GET", f"{path}?start=-1").status == 400
    assert call("GET", f"/api/tasks/{task['taskId']}").json["taskId"] == task["taskId"]
    assert call("GET", f"/api/tasks/{task['taskId']}/polls").json == []


def test_operations_answer_as_conductors_do(call: Gateway, run_id: str) -> None:
    path = f"/api/workflow/{run_id}"
    assert (paused := call("PUT", f"{path}/pause", {})).status == 200
    assert paused.text == ""
    assert call("GET", f"{path}/status").json["status"] == "PAUSED"
    assert call("PUT", f"{path}/resume", {}).status == 200
    assert call("POST", f"{path}/restart").status == 409
    ended = call("DELETE", f"{path}?reason=no%20longer+needed&triggerFailureWorkflow=True", {})
    assert (ended.status, ended.text) == (200, "")
    shown = call("GET", path).json
    assert (shown["status"], shown["reasonForIncompletion"]) == ("TERMINATED", "no longer needed")
    restarted = call("POST", f"{path}/restart?useLatestDefinitions=True", {})
    assert (restarted.status, restarted.text) == (204, "")
    assert call("GET", f"{path}/status").json["status"] == "RUNNING"


def test_a_failed_run_is_retried(call: Gateway, world: World) -> None:
    failing = {"http_request": {"uri": "https://vendor.example/x", "method": "GET"}}
    world.http.script = lambda request: answer({}, 500)  # type: ignore[attr-defined]
    run = call("POST", "/api/workflow", {"name": "f", "workflowDef": workflow(step("HTTP", "h", failing))}).text
    call("DELETE", f"/api/workflow/{run}")
    retried = call("POST", f"/api/workflow/{run}/retry?resumeSubworkflowTasks=True", {})
    assert (retried.status, retried.text) == (204, "")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/workflow/{}"),
        ("GET", "/api/workflow/{}/status"),
        ("GET", "/api/workflow/{}/tasks"),
        ("DELETE", "/api/workflow/{}"),
        ("PUT", "/api/workflow/{}/pause"),
        ("PUT", "/api/workflow/{}/resume"),
        ("POST", "/api/workflow/{}/restart"),
        ("POST", "/api/workflow/{}/retry"),
        ("GET", "/api/tasks/{}"),
        ("GET", "/api/tasks/{}/polls"),
        ("POST", "/api/workflow/{}"),
    ],
)
def test_what_does_not_exist_is_named(call: Gateway, method: str, path: str) -> None:
    missing = call(method, path.format(UNKNOWN), {} if method != "GET" else None)
    assert missing.status == 404
    assert UNKNOWN in missing.json["message"]
    assert missing.json.keys() == {"status", "message", "instance", "retryable"}


def ids(call: Gateway, query: str) -> list[str]:
    found = call("GET", f"/api/workflow/search?{query}")
    assert found.status == 200, found.text
    return [run["workflowId"] for run in found.json["results"]]


def test_runs_are_found(call: Gateway, world: World, run_id: str) -> None:
    world.clock.move_to(world.clock.now() + timedelta(seconds=1))
    other = call("POST", "/api/workflow", {"name": "o", "workflowDef": {**workflow(HOLD), "name": "other"}}).text
    assert ids(call, "queryId=&start=0&size=100&freeText=*&query=") == [other, run_id]
    assert ids(call, "query=workflowType%3D'other'") == [other]
    assert ids(call, "query=workflowType+IN+(flow,other)&sort=startTime:DESC") == [other, run_id]
    assert ids(call, "query=workflowType+IN+(flow,other)&start=1&size=1") == [run_id]
    assert ids(call, "query=correlationId%3D'c-1'+AND+status+IN+(RUNNING,PAUSED)") == [run_id]
    assert ids(call, "query=status%3DFAILED") == []
    started = call("GET", f"/api/workflow/{run_id}").json["startTime"]
    assert ids(call, f"query=startTime%3E{started}") == [other]
    assert ids(call, f"query=startTime%3C{started}") == []
    summary = call("GET", f"/api/workflow/search?query=workflowId%3D{run_id}").json
    assert summary["totalHits"] == 1
    assert json.loads(summary["results"][0]["input"]) == {"a": None, "big": 2**70}


def test_a_polling_task_shows_its_count_its_next_poll_and_its_ledger() -> None:
    queued: Any = answer({"state": "RUNNING"})
    world = World(Vendor(queued))
    call = Gateway(world.engine)
    call("POST", "/api/metadata/workflow", main_job())
    run = call("POST", f"/api/workflow/{main_job()['name']}", {}).text
    world.run_until(timedelta(seconds=150))
    tasks = call("GET", f"/api/workflow/{run}").json["tasks"]
    polling = next(task for task in tasks if task["taskType"] == "HTTP_POLL")
    assert (polling["status"], polling["pollCount"]) == ("IN_PROGRESS", len(call("GET", f"/api/tasks/{polling['taskId']}/polls").json))
    assert polling["pollCount"] > 1
    assert polling["callbackAfterSeconds"] >= 60
    ledger = call("GET", f"/api/tasks/{polling['taskId']}/polls").json
    assert [entry["poll"] for entry in ledger] == list(range(1, polling["pollCount"] + 1))
    assert (ledger[-1]["statusCode"], ledger[-1]["decision"], ledger[-1]["nextDueTime"]) == (200, "AGAIN", polling["nextPollTime"])
