"""Requests that wait for their answer: execute, synchronous signals, long polls."""

from datetime import timedelta
from typing import Any

import pytest

from tests.api.gateway import Answer, Gateway
from tests.support.meanwhile import Meanwhile, with_pauses
from tests.support.world import World, step, workflow

PACK = {**step("SIMPLE", "pack"), "name": "pack"}
HOLD = step("WAIT", "hold")


@pytest.fixture
def held(world: World) -> tuple[Gateway, Meanwhile]:
    engine, pauses = with_pauses(world, longest_hold=timedelta(seconds=25))
    return Gateway(engine), pauses


@pytest.fixture
def call(held: tuple[Gateway, Meanwhile]) -> Gateway:
    return held[0]


@pytest.fixture
def pauses(held: tuple[Gateway, Meanwhile]) -> Meanwhile:
    return held[1]


def registered(call: Gateway, *steps: dict[str, Any], version: int = 1, **fields: Any) -> None:
    assert call("PUT", "/api/metadata/workflow", [{**workflow(*steps, **fields), "version": version}]).status == 200


def execute(call: Gateway, query: str = "", body: Any = None, place: str = "flow/1") -> Answer:
    return call("POST", f"/api/workflow/execute/{place}{query}", {"name": "flow"} if body is None else body)


def test_a_run_that_ends_at_once_is_the_answer(call: Gateway, pauses: Meanwhile) -> None:
    registered(call, step("SET_VARIABLE", "set", {"a": 1}), outputParameters={"got": "${workflow.input.n}"})
    answered = execute(
        call,
        "?requestId=r-1&waitUntilTaskRef=&waitForSeconds=10&consistency=DURABLE",
        {"name": "flow", "input": {"n": 3}, "correlationId": "c"},
    )
    body = answered.json
    assert answered.status == 200
    assert {
        key: body[key]
        for key in ("responseType", "requestId", "targetWorkflowStatus", "status", "correlationId", "output", "signalTimeout")
    } == {
        "responseType": "TARGET_WORKFLOW",
        "requestId": "r-1",
        "targetWorkflowStatus": "COMPLETED",
        "status": "COMPLETED",
        "correlationId": "c",
        "output": {"got": 3},
        "signalTimeout": False,
    }
    assert (body["variables"], [task["referenceTaskName"] for task in body["tasks"]], pauses.lengths) == ({"a": 1}, ["set"], [])
    assert body["workflowId"] == body["targetWorkflowId"]
    assert call("GET", f"/api/workflow/{body['workflowId']}").json["status"] == "COMPLETED"


def test_name_and_version_of_the_path_count(call: Gateway) -> None:
    registered(call, step("NOOP", "one"))
    registered(call, step("NOOP", "two"), version=2)
    for place, body, expected in [
        ("flow/1", {"name": "other", "version": 2}, "one"),
        ("flow/0", {"name": "flow", "version": 1}, "two"),
        ("flow/0", {}, "two"),
    ]:
        assert [task["referenceTaskName"] for task in execute(call, body=body, place=place).json["tasks"]] == [expected]
    assert execute(call, place="flow/3").status == 404
    assert execute(call, place="flow/x").status == 400
    assert execute(call, body=[1]).status == 400
    inline = {"name": "flow", "workflowDef": {**workflow(step("NOOP", "inline")), "name": "unknown"}}
    assert [task["referenceTaskName"] for task in execute(call, body=inline, place="unknown/1").json["tasks"]] == ["inline"]


@pytest.mark.parametrize(("query", "waited"), [("", 10), ("?waitForSeconds=0", 10), ("?waitForSeconds=2", 2), ("?waitForSeconds=3600", 25)])
def test_the_wait_is_as_long_as_asked_within_the_bound(call: Gateway, pauses: Meanwhile, query: str, waited: int) -> None:
    registered(call, PACK)
    body = execute(call, query).json
    assert (body["status"], body["signalTimeout"], pauses.waited) == ("RUNNING", True, timedelta(seconds=waited))
    assert body["requestId"] == body["workflowId"]


def test_waiting_numbers_must_make_sense(call: Gateway) -> None:
    registered(call, HOLD)
    assert execute(call, "?waitForSeconds=-1").status == 400
    assert execute(call, "?waitForSeconds=ten").status == 400
    assert execute(call, "?returnStrategy=ANY").status == 400
    assert call("GET", "/api/workflow/search?size=10").json["totalHits"] == 0  # what is refused starts nothing
    run = execute(call).json["workflowId"]
    assert call("POST", f"/api/tasks/{run}/COMPLETED/signal/sync?timeoutMillis=-1", {}).status == 400


def test_a_worker_may_finish_the_run_meanwhile(call: Gateway, pauses: Meanwhile) -> None:
    registered(call, PACK)

    def work() -> None:
        task = call("GET", "/api/tasks/poll/pack").json
        call(
            "POST",
            "/api/tasks",
            {**{key: task[key] for key in ("workflowInstanceId", "taskId")}, "status": "COMPLETED", "outputData": {"n": 1}},
        )

    pauses.acts = [lambda: None, work]
    body = execute(call).json
    assert (body["status"], body["output"], body["signalTimeout"]) == ("COMPLETED", {"n": 1}, False)
    assert pauses.waited == timedelta(milliseconds=150)


BLOCKED = {"name": "inner", "version": 1, "schemaVersion": 2, "tasks": [step("WAIT", "hold", {"q": "who?"})]}
CHILD = {**step("SUB_WORKFLOW", "child"), "subWorkflowParam": {"name": "inner", "workflowDefinition": BLOCKED}}


@pytest.mark.parametrize("strategy", ["TARGET_WORKFLOW", "BLOCKING_WORKFLOW", "BLOCKING_TASK", "BLOCKING_TASK_INPUT"])
def test_each_strategy_shows_its_part_of_what_blocks(call: Gateway, strategy: str) -> None:
    registered(call, CHILD)
    body = execute(call, f"?returnStrategy={strategy}").json
    assert (body["responseType"], body["targetWorkflowStatus"], body["signalTimeout"]) == (strategy, "RUNNING", False)
    inner = body["workflowId"] != body["targetWorkflowId"]
    if strategy == "TARGET_WORKFLOW":
        assert ([task["referenceTaskName"] for task in body["tasks"]], inner) == (["child"], False)
    elif strategy == "BLOCKING_WORKFLOW":
        assert ([task["referenceTaskName"] for task in body["tasks"]], inner) == (["hold"], True)
    else:
        shown = (body["referenceTaskName"], body["workflowType"], body["input"], body["status"], inner)
        assert shown == ("hold", "inner", {"q": "who?"}, "IN_PROGRESS", True)
        assert "tasks" not in body


def test_a_task_asked_for_by_name_is_shown_when_it_is_over(call: Gateway, pauses: Meanwhile) -> None:
    registered(call, step("NOOP", "first"), PACK)
    body = execute(call, "?waitUntilTaskRef=other,first&returnStrategy=BLOCKING_TASK").json
    assert (body["referenceTaskName"], body["status"], pauses.lengths) == ("first", "COMPLETED", [])
    unset = execute(call, "?waitUntilTaskRef=None&waitForSeconds=1&returnStrategy=BLOCKING_TASK").json
    assert (unset["responseType"], unset["signalTimeout"]) == ("TARGET_WORKFLOW", True)


def test_an_idempotency_key_makes_one_run_of_two_executions(call: Gateway) -> None:
    registered(call, HOLD)
    body = {"name": "flow", "idempotencyKey": "k", "idempotencyStrategy": "RETURN_EXISTING"}
    first, second = (execute(call, body=body).json["workflowId"] for _ in range(2))
    assert first == second


def test_a_synchronous_signal_waits_until_the_run_stands_still_again(call: Gateway, pauses: Meanwhile) -> None:
    registered(call, HOLD, step("WAIT", "nap", {"duration": "3s"}), step("WAIT", "again"))
    run = execute(call).json["workflowId"]
    body = call("POST", f"/api/tasks/{run}/COMPLETED/signal/sync?returnStrategy=BLOCKING_TASK", {"by": "me"}).json
    assert (body["referenceTaskName"], body["signalTimeout"]) == ("again", False)
    assert timedelta(seconds=3) <= pauses.waited < timedelta(seconds=4)


def test_a_synchronous_signal_gives_up_after_its_time(call: Gateway, pauses: Meanwhile) -> None:
    registered(call, HOLD, PACK)
    for query, waited in (("", 5), ("?timeoutMillis=1500", 1.5), ("?timeoutMillis=0", 0)):
        run = execute(call).json["workflowId"]
        pauses.lengths.clear()
        body = call("POST", f"/api/tasks/{run}/COMPLETED/signal/sync{query}", {}).json
        assert (body["status"], body["signalTimeout"], pauses.waited) == ("RUNNING", True, timedelta(seconds=waited))


def test_only_a_batch_poll_waits(call: Gateway, pauses: Meanwhile) -> None:
    assert call("GET", "/api/tasks/poll/pack").status == 204
    assert pauses.lengths == []
    for query, waited in (("", 100), ("?timeout=0", 0), ("?timeout=-5", 0), ("?timeout=5000", 5000)):
        pauses.lengths.clear()
        answered = call("GET", f"/api/tasks/poll/batch/pack{query}")
        assert (answered.status, answered.json, pauses.waited) == (200, [], timedelta(milliseconds=waited))
    assert call("GET", "/api/tasks/poll/batch/pack?timeout=5001").status == 400


def test_a_batch_poll_hands_out_what_comes_meanwhile(call: Gateway, pauses: Meanwhile) -> None:
    registered(call, PACK)
    pauses.acts = [lambda: call("POST", "/api/workflow/flow", {})]
    (task,) = call("GET", "/api/tasks/poll/batch/pack?workerid=ann&count=5&timeout=5000").json
    assert (task["referenceTaskName"], task["workerId"], pauses.waited) == ("pack", "ann", timedelta(milliseconds=50))
