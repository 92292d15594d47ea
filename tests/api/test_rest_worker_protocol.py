"""The workers' protocol at its edges: how a worker's name is spelled, odd numbers, full reports, queues seen in other ways."""

from typing import Any

import pytest
from fermata.application.register import register_tasks
from fermata.wire.definitions import task_definition_from_json

from tests.api.gateway import Gateway
from tests.support.world import World, step, workflow


@pytest.fixture
def run_id(call: Gateway, world: World) -> str:
    register_tasks(world.engine, [task_definition_from_json({"name": "pack", "retryCount": 0, "responseTimeoutSeconds": 60})])
    call("POST", "/api/metadata/workflow?overwrite=true", workflow({**step("SIMPLE", "pack"), "name": "pack"}))
    return begun(call)


def begun(call: Gateway, **fields: Any) -> str:
    return call("POST", "/api/workflow", {"name": "flow", **fields}).text


def said(call: Gateway, run_id: str, **fields: Any) -> Any:
    """Take the run's task and report on it. Return the answer."""
    task = call("GET", "/api/tasks/poll/pack?workerid=ann").json
    return call("POST", "/api/tasks", {"workflowInstanceId": run_id, "taskId": task["taskId"], "status": "IN_PROGRESS", **fields})


def shown(call: Gateway, run_id: str) -> Any:
    return call("GET", f"/api/workflow/{run_id}").json["tasks"][0]


@pytest.mark.parametrize("spelled", ["workerid", "workerId"])
def test_a_workers_name_is_read_however_it_is_spelled(call: Gateway, run_id: str, spelled: str) -> None:
    assert call("GET", f"/api/tasks/poll/pack?{spelled}=ann").json["workerId"] == "ann"
    call("POST", f"/api/tasks/{run_id}/pack/COMPLETED?{spelled}=bob")
    assert shown(call, run_id)["workerId"] == "bob"


@pytest.mark.parametrize(
    ("query", "answered"),
    [
        ("count=-1", []),
        ("count=0", []),
        ("count=1000000000000", ["pack"]),
        ("count=", ["pack"]),
        ("timeout=-1", ["pack"]),
        ("timeout=-999999999999999999", ["pack"]),  # longer than a timedelta can be
        ("domain=", ["pack"]),
    ],
)
def test_odd_numbers_of_a_batch(call: Gateway, run_id: str, query: str, answered: list[str]) -> None:
    assert run_id
    got = call("GET", f"/api/tasks/poll/batch/pack?{query}")
    assert (got.status, [task["referenceTaskName"] for task in got.json]) == (200, answered)


@pytest.mark.parametrize("query", ["count=x", "count=1.5", "timeout=x", "timeout=5001"])
def test_what_is_no_number_of_a_batch_is_refused_by_name(call: Gateway, query: str) -> None:
    refused = call("GET", f"/api/tasks/poll/batch/pack?{query}")
    assert (refused.status, query.partition("=")[0] in refused.json["message"].lower()) == (400, True)


@pytest.mark.parametrize("seconds", [-5, 0, None])
def test_a_task_given_back_for_no_time_is_there_at_once(call: Gateway, run_id: str, seconds: int | None) -> None:
    assert said(call, run_id, callbackAfterSeconds=seconds).status == 200
    assert (shown(call, run_id)["status"], shown(call, run_id)["callbackAfterSeconds"]) == ("SCHEDULED", 0)
    assert call("GET", "/api/tasks/poll/pack").status == 200


@pytest.mark.parametrize("fields", [{"callbackAfterSeconds": 10**12}, {"logs": [{"log": "x", "createdTime": 10**18}]}])
def test_a_number_that_is_no_moment_is_refused_and_nothing_is_kept(call: Gateway, run_id: str, fields: Any) -> None:
    refused = said(call, run_id, status="COMPLETED", **fields)
    assert (refused.status, next(iter(fields)) in refused.json["validationErrors"][0]["path"]) == (400, True)
    assert shown(call, run_id)["status"] == "IN_PROGRESS"


def test_a_long_reason_and_many_logs_are_cut(call: Gateway, run_id: str) -> None:
    logs = [{"log": f"line {number}", "createdTime": 1000 + number} for number in range(12)]
    assert said(call, run_id, status="FAILED_WITH_TERMINAL_ERROR", reasonForIncompletion="x" * 600, logs=logs).status == 200
    task = shown(call, run_id)
    assert task["reasonForIncompletion"] == "x" * 500
    assert [entry["log"] for entry in call("GET", f"/api/tasks/{task['taskId']}/log").json] == [f"line {number}" for number in range(10)]


def test_extending_a_lease_changes_nothing_but_the_time(call: Gateway, run_id: str, world: World) -> None:
    said(call, run_id, extendLease=True)
    before = shown(call, run_id)
    world.clock.move_to(world.clock.now().replace(second=40))
    said_again = {
        "workflowInstanceId": run_id,
        "taskId": before["taskId"],
        "status": "IN_PROGRESS",
        "extendLease": True,
        "outputData": {"a": 1},
    }
    assert call("POST", "/api/tasks", said_again).status == 200
    after = shown(call, run_id)
    assert after["updateTime"] - before["updateTime"] == 40_000
    assert {**after, "updateTime": 0} == {**before, "updateTime": 0}


def test_requeue_tells_how_many_wait_and_gives_nobodys_task_away(call: Gateway, run_id: str) -> None:
    call("GET", "/api/tasks/poll/pack")
    for domains in ({}, {"pack": "blue"}):
        begun(call, taskToDomain=domains)
    answered = call("POST", "/api/tasks/queue/requeue/pack")
    assert (answered.status, answered.text, answered.headers["Content-Type"]) == (200, "2", "text/plain;charset=UTF-8")
    assert shown(call, run_id)["status"] == "IN_PROGRESS"
    assert call("POST", "/api/tasks/queue/requeue/other").text == "0"
    assert call("POST", f"/api/tasks/queue/requeue/{'x' * 501}").status == 400


def test_queues_are_shown_with_a_shard_each(call: Gateway, run_id: str) -> None:
    assert run_id
    assert call("GET", "/api/tasks/queue/all/verbose").json == {"pack": {"a": {"size": 1, "uacked": 0}}}
