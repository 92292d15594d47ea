"""Queue admin, repair, settings, and the names of secrets and variables, through the door."""

from dataclasses import replace
from typing import Any

import pytest

from tests.api.gateway import Gateway
from tests.support.world import World, step, workflow

WAITS = workflow(step("WAIT", "hold"), step("HUMAN", "approve"))


def task_of(call: Gateway, run: str, reference: str) -> dict[str, Any]:
    tasks = call("GET", f"/api/workflow/{run}").json["tasks"]
    found: dict[str, Any] = next(task for task in tasks if task["referenceTaskName"] == reference)
    return found


@pytest.fixture
def run(call: Gateway) -> str:
    call("POST", "/api/metadata/workflow", WAITS)
    return call("POST", "/api/workflow/flow").text


# --- queue admin ---


def test_a_queue_ends_a_waiting_task_by_name_or_by_id(call: Gateway, run: str) -> None:
    assert call("POST", f"/api/queue/update/{run}/hold/COMPLETED", {"a": 1}).status == 200
    ended = task_of(call, run, "hold")
    assert (ended["status"], ended["outputData"]) == ("COMPLETED", {"a": 1})
    approve = task_of(call, run, "approve")["taskId"]
    for _ in range(2):  # told twice, ended once
        assert call("POST", f"/api/queue/update/{run}/task/{approve}/failed", {"why": "no"}).status == 200
    assert task_of(call, run, "approve")["outputData"] == {"why": "no"}
    assert call("GET", f"/api/workflow/{run}/status").json["status"] == "FAILED"


def test_a_queue_takes_what_has_one_and_waits(call: Gateway, run: str) -> None:
    call("POST", "/api/metadata/workflow", {**workflow(step("SIMPLE", "simple")), "name": "work"})
    work = call("POST", "/api/workflow/work").text
    hold, simple = task_of(call, run, "hold")["taskId"], task_of(call, work, "simple")["taskId"]
    for path, status, says in (
        (f"{run}/hold/IN_PROGRESS", 400, "COMPLETED, FAILED"),
        (f"{run}/hold/nonsense", 400, "nonsense"),
        (f"{run}/task/{hold}/SKIPPED", 400, "SKIPPED"),
        (f"{run}/approve/COMPLETED", 404, "approve"),
        (f"{run}/nobody/COMPLETED", 404, "nobody"),
        (f"{run}/task/unknown/COMPLETED", 404, "unknown"),
        (f"unknown/task/{hold}/COMPLETED", 404, hold),
        ("unknown/hold/COMPLETED", 404, "unknown"),
        (f"{work}/simple/COMPLETED", 409, "WAIT and HUMAN"),
        (f"{work}/task/{simple}/COMPLETED", 409, "WAIT and HUMAN"),
    ):
        refused = call("POST", f"/api/queue/update/{path}", {})
        assert (refused.status, says in refused.json["message"]) == (status, True), refused.text
    assert call("POST", f"/api/queue/update/{run}/hold/COMPLETED", "[1]").status == 400
    assert task_of(call, run, "hold")["status"] == "IN_PROGRESS"


def test_the_queues_are_listed_and_always_empty(call: Gateway) -> None:
    assert call("GET", "/api/queue/").json == {"COMPLETED": "direct:COMPLETED", "FAILED": "direct:FAILED"}
    assert call("GET", "/api/queue/size").json == {"direct:COMPLETED": 0, "direct:FAILED": 0}


# --- admin ---


def test_settings_are_shown_by_their_names_and_nothing_else(world: World) -> None:
    call = Gateway(replace(world.engine, environment={"STAGE": "hidden value"}))
    shown = call("GET", "/api/admin/config")
    assert shown.json["FERMATA_MAX_LOOP_ITERATIONS"] == world.engine.limits.max_loop_iterations
    assert shown.json["FERMATA_EXPRESSION_ENV_ALLOW"] == "STAGE"
    assert "hidden value" not in shown.text


def test_open_tasks_of_a_type_are_paged(call: Gateway, run: str) -> None:
    second = call("POST", "/api/workflow/flow").text
    call("POST", f"/api/tasks/{run}/hold/COMPLETED", {})
    assert [task["workflowInstanceId"] for task in call("GET", "/api/admin/task/WAIT").json] == [second]
    call("POST", "/api/workflow/flow")
    assert len(call("GET", "/api/admin/task/WAIT?count=1").json) == 1
    assert len(call("GET", "/api/admin/task/WAIT?start=1&count=5").json) == 1
    assert call("GET", "/api/admin/task/NOBODY").json == []
    for query in ("start=-1", "count=-1", "count=5001", "start=x", f"count={'9' * 40}"):
        assert call("GET", f"/api/admin/task/WAIT?{query}").status == 400, query


def test_a_run_that_a_crash_left_is_repaired(call: Gateway, world: World, run: str) -> None:
    path = f"/api/admin/consistency/verifyAndRepair/{run}"
    assert call("POST", path).text == "false"
    lost = world.executions.load(run)
    assert lost is not None
    world.executions.settle_tasks = lambda decision: (_ for _ in ()).throw(KeyError("crash"))  # type: ignore[method-assign,assignment]
    assert call("POST", f"/api/tasks/{run}/hold/COMPLETED", {}).status == 500
    del world.executions.settle_tasks
    assert call("POST", path).text == "true"
    assert task_of(call, run, "approve")["status"] == "IN_PROGRESS"
    assert call("POST", path).text == "false"
    assert call("POST", f"/api/admin/sweep/requeue/{run}").text == f"true.{run}"
    for unknown in ("consistency/verifyAndRepair/unknown", "sweep/requeue/unknown"):
        refused = call("POST", f"/api/admin/{unknown}")
        assert (refused.status, "unknown" in refused.json["message"]) == (404, True)


def test_a_finished_run_needs_no_repair(call: Gateway, run: str) -> None:
    call("DELETE", f"/api/workflow/{run}")
    assert call("POST", f"/api/admin/consistency/verifyAndRepair/{run}").text == "false"
    assert call("POST", f"/api/admin/sweep/requeue/{run}").text == f"true.{run}"


def test_events_that_are_listened_to_are_listed(call: Gateway) -> None:
    action = {"action": "start_workflow", "start_workflow": {"name": "flow"}}
    for name, event, active in (
        ("one", "conductor:a", True),
        ("two", "conductor:a", True),
        ("three", "sqs:b", True),
        ("four", "sqs:c", False),
    ):
        handler = {"name": name, "event": event, "active": active, "actions": [action]}
        assert call("POST", "/api/event", handler).status == 200
    assert call("GET", "/api/admin/queues").json == {"conductor:a": "a", "sqs:b": "b"}
    assert call("GET", "/api/admin/queues?verbose=True").json == {"conductor:a": {"a": None}, "sqs:b": {"b": None}}
    assert call("GET", "/api/admin/queues?verbose=perhaps").status == 400


# --- secrets and environment ---


def test_secrets_are_named_and_never_shown(world: World) -> None:
    world = World(secrets={"API_KEY": "hidden value", "UNUSED": "x"})
    call = Gateway(world.engine)
    request = {
        "uri": "https://a.example",
        "method": "GET",
        "headers": {"a": "Bearer ${workflow.secrets.API_KEY}", "b": "${workflow.secrets.TOKEN.id}"},
    }
    request["body"] = "$${workflow.secrets.DATA}"
    registered = call("POST", "/api/metadata/workflow", workflow(step("HTTP", "call", {"http_request": request})))
    assert registered.status == 200, registered.text
    shown = call("GET", "/api/secrets")
    assert shown.json == ["API_KEY", "TOKEN"]
    assert call("GET", "/api/secrets/API_KEY").status == 404
    assert call("PUT", "/api/secrets", "v").status == 405


def test_the_environment_shows_what_expressions_may_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden value")
    call = Gateway(replace(world.engine, environment={"STAGE": "test", "ALPHA": ""}))
    assert call("GET", "/api/environment").json == [{"name": "ALPHA", "value": ""}, {"name": "STAGE", "value": "test"}]
    assert call("GET", "/api/environment/STAGE").text == "test"
    for name in ("AWS_SECRET_ACCESS_KEY", "stage", "%53TAGES", "..", "%2E%2E%2Fetc", "%00", "x" * 5000):
        refused = call("GET", f"/api/environment/{name}")
        assert (refused.status, refused.json["status"], "hidden" in refused.text) == (404, 404, False)
