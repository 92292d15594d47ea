"""Workers work through the door: polling, reporting, logs and queues."""

from datetime import timedelta
from typing import Any

import pytest

from tests.api.gateway import Gateway
from tests.support.world import World, step, workflow

UNKNOWN = "00000000-0000-0000-0000-00000000dead"
DEFINITION = {"name": "pack", "retryCount": 1, "retryDelaySeconds": 0, "responseTimeoutSeconds": 30}


def pack(reference: str = "pack") -> dict[str, Any]:
    return {**step("SIMPLE", reference, {"n": 1}), "name": "pack"}


@pytest.fixture
def start(call: Gateway) -> Any:
    call("POST", "/api/metadata/taskdefs", [DEFINITION])

    def start(*steps: dict[str, Any], domains: dict[str, str] | None = None) -> str:
        assert call("PUT", "/api/metadata/workflow", [workflow(*(steps or (pack(),)))]).status == 200
        return call("POST", "/api/workflow", {"name": "flow", "taskToDomain": domains or {}}).text

    return start


def result(task: dict[str, Any], status: str | None = "COMPLETED", **fields: Any) -> dict[str, Any]:
    return {"workflowInstanceId": task["workflowInstanceId"], "taskId": task["taskId"], "status": status, **fields}


def test_a_poll_is_answered_with_a_task_or_with_nothing(call: Gateway, start: Any) -> None:
    nothing = call("GET", "/api/tasks/poll/pack?workerid=ann&domain=")
    assert (nothing.status, nothing.text) == (204, "")
    workflow_id = start()
    task = call("GET", "/api/tasks/poll/pack?workerid=ann").json
    assert {key: task[key] for key in ("taskType", "taskDefName", "status", "workerId", "pollCount", "callbackAfterSeconds")} == {
        "taskType": "pack",
        "taskDefName": "pack",
        "status": "IN_PROGRESS",
        "workerId": "ann",
        "pollCount": 1,
        "callbackAfterSeconds": 0,
    }
    assert (task["workflowInstanceId"], task["inputData"], task["responseTimeoutSeconds"]) == (workflow_id, {"n": 1}, 30)
    assert task["workflowTask"]["type"] == "SIMPLE"
    assert call("GET", f"/api/tasks/{task['taskId']}").json == task
    assert call("GET", "/api/tasks/poll/pack?workerid=ann").status == 204


def test_a_batch_poll_is_answered_with_a_list(call: Gateway, start: Any) -> None:
    assert call("GET", "/api/tasks/poll/batch/pack?workerid=ann&count=3&timeout=100").json == []
    for _ in range(3):
        start()
    assert len(call("GET", "/api/tasks/poll/batch/pack?workerid=ann").json) == 1
    assert len(call("GET", "/api/tasks/poll/batch/pack?workerid=ann&count=5&timeout=5000").json) == 2
    refused = call("GET", "/api/tasks/poll/batch/pack?timeout=5001")
    assert (refused.status, "5000" in refused.json["message"]) == (400, True)


def test_a_result_is_answered_with_the_bare_task_id(call: Gateway, start: Any) -> None:
    workflow_id = start()
    task = call("GET", "/api/tasks/poll/pack").json
    body = result(task, outputData={"box": 1}, workerId="ann", logs=[{"log": "did it", "createdTime": 5}], callbackAfterSeconds=None)
    for _ in range(2):
        answered = call("POST", "/api/tasks", body)
        assert (answered.status, answered.text, answered.headers["Content-Type"]) == (200, task["taskId"], "text/plain;charset=UTF-8")
    assert call("GET", f"/api/workflow/{workflow_id}").json["output"] == {"box": 1}
    assert call("GET", f"/api/tasks/{task['taskId']}/log").json == [{"log": "did it", "taskId": task["taskId"], "createdTime": 5}]


@pytest.mark.parametrize("path", ["/api/tasks", "/api/tasks/update-v2"])
def test_a_result_that_makes_no_sense_is_refused_by_name(call: Gateway, start: Any, path: str) -> None:
    start()
    task = call("GET", "/api/tasks/poll/pack").json
    unknown = call("POST", path, result({**task, "taskId": UNKNOWN}))
    assert (unknown.status, UNKNOWN in unknown.json["message"]) == (404, True)
    assert call("POST", path, result({**task, "workflowInstanceId": UNKNOWN})).status == 404
    empty = call("POST", path, {"status": "COMPLETED"})
    assert (empty.status, [found["path"] for found in empty.json["validationErrors"]]) == (400, ["workflowInstanceId", "taskId"])
    for status in ("DONE", "TIMED_OUT", "SCHEDULED", None):
        assert call("POST", path, result(task, status)).status == 400
    assert call("POST", path, result(task, outputData=[1])).status == 400


def test_update_v2_hands_out_the_next_task(call: Gateway, start: Any) -> None:
    start(pack("first"), pack("second"))
    first = call("GET", "/api/tasks/poll/pack?workerid=ann").json
    second = call("POST", "/api/tasks/update-v2", result(first, workerId="ann"))
    assert (second.status, second.json["referenceTaskName"], second.json["workerId"]) == (200, "second", "ann")
    assert call("POST", "/api/tasks/update-v2", result(second.json)).status == 204


def test_update_v2_hands_nothing_out_while_the_worker_keeps_its_task(call: Gateway, start: Any) -> None:
    start()
    task = call("GET", "/api/tasks/poll/pack").json
    start()
    assert call("POST", "/api/tasks/update-v2", result(task, "IN_PROGRESS", extendLease=True)).status == 204
    assert call("POST", "/api/tasks/update-v2", result(task, "IN_PROGRESS", callbackAfterSeconds=5, outputData={"done": 1})).status == 204
    shown = call("GET", f"/api/tasks/{task['taskId']}").json
    assert (shown["status"], shown["callbackAfterSeconds"], shown["outputData"]) == ("SCHEDULED", 5, {"done": 1})


def test_update_v2_stays_in_the_domain(call: Gateway, start: Any) -> None:
    start(domains={"pack": "blue"})
    start(domains={"pack": "blue"})
    start()
    task = call("GET", "/api/tasks/poll/pack?domain=blue").json
    assert task["domain"] == "blue"
    assert call("POST", "/api/tasks/update-v2", result(task)).json["domain"] == "blue"
    assert call("GET", "/api/tasks/poll/pack?domain=blue").status == 204


def test_a_dead_workers_task_comes_back(call: Gateway, world: World, start: Any) -> None:
    workflow_id = start()
    lost = call("GET", "/api/tasks/poll/pack").json
    world.run_until(timedelta(seconds=31))
    again = call("GET", "/api/tasks/poll/pack").json
    assert (again["retryCount"], again["retriedTaskId"]) == (1, lost["taskId"])
    assert call("POST", "/api/tasks", result(lost, "FAILED")).status == 200
    call("POST", "/api/tasks", result(again))
    assert call("GET", f"/api/workflow/{workflow_id}").json["status"] == "COMPLETED"


@pytest.mark.parametrize("kind", ["WAIT", "HUMAN", "SIMPLE"])
def test_a_task_is_reported_on_by_its_reference_name(call: Gateway, start: Any, kind: str) -> None:
    workflow_id = start(step(kind, "ask"))
    task_id = call("GET", f"/api/workflow/{workflow_id}").json["tasks"][0]["taskId"]
    answered = call("POST", f"/api/tasks/{workflow_id}/ask/IN_PROGRESS?workerid=me", {"a": 1})
    assert (answered.status, answered.text) == (200, task_id)
    run = call("POST", f"/api/tasks/{workflow_id}/ask/COMPLETED/sync?workerid=me", {"b": 2}).json
    assert (run["status"], run["tasks"][0]["outputData"], run["tasks"][0]["workerId"]) == ("COMPLETED", {"a": 1, "b": 2}, "me")
    for path in ("COMPLETED", "COMPLETED/sync"):
        gone = call("POST", f"/api/tasks/{workflow_id}/ask/{path}")
        assert (gone.status, "ask" in gone.json["message"]) == (404, True)
    assert call("POST", f"/api/tasks/{UNKNOWN}/ask/COMPLETED").status == 404


def test_a_status_in_the_path_must_be_one(call: Gateway, start: Any) -> None:
    assert call("POST", f"/api/tasks/{start()}/pack/DONE").status == 400


@pytest.mark.parametrize("text", ["{not json", "plain", "", '{"a": 1}', b"\xff\xfe"])
def test_a_log_is_kept_whatever_it_is(call: Gateway, start: Any, text: Any) -> None:
    start()
    task_id = call("GET", "/api/tasks/poll/pack").json["taskId"]
    assert call("GET", f"/api/tasks/{task_id}/log").status == 204
    written = call("POST", f"/api/tasks/{task_id}/log", text)
    assert (written.status, written.text) == (200, "")
    (entry,) = call("GET", f"/api/tasks/{task_id}/log").json
    assert entry["log"] == (text if isinstance(text, str) else text.decode(errors="replace"))


def test_a_log_of_nothing_is_not_found(call: Gateway) -> None:
    assert call("POST", f"/api/tasks/{UNKNOWN}/log", "x").status == 404
    assert call("GET", f"/api/tasks/{UNKNOWN}/log").status == 404


def test_queues_tell_their_sizes(call: Gateway, start: Any) -> None:
    for domains in ({}, {}, {"pack": "blue"}):
        start(domains=domains)
    assert call("GET", "/api/tasks/queue/sizes?taskType=pack&taskType=other").json == {"pack": 2, "other": 0}
    assert call("GET", "/api/tasks/queue/size?taskType=pack&domain=blue").json == 1
    assert call("GET", "/api/tasks/queue/size").status == 400
    assert list(call("GET", "/api/tasks/queue/all").json.items()) == [("blue:pack", 1), ("pack", 2)]


def test_poll_data_tells_who_asked_last(call: Gateway, start: Any) -> None:
    assert call("GET", "/api/tasks/queue/polldata?taskType=pack").json == []
    call("GET", "/api/tasks/poll/pack?workerid=ann&domain=blue")
    (blue,) = call("GET", "/api/tasks/queue/polldata?taskType=pack").json
    assert (blue["queueName"], blue["domain"], blue["workerId"], blue["lastPollTime"] > 0) == ("pack", "blue", "ann", True)
    call("GET", "/api/tasks/poll/other")
    assert [found["queueName"] for found in call("GET", "/api/tasks/queue/polldata/all").json] == ["pack", "other"]
