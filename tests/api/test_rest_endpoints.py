"""Every endpoint of open-source Conductor is served with the kind of answer it has there, or is named as not served."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fermata.api.app import ROUTES

from tests.api.conductor_endpoints import ENDPOINTS, HANDLER, NOT_SERVED, SCHEDULE, Endpoint
from tests.api.gateway import Answer, Gateway
from tests.support.world import World, step, workflow

COMPATIBILITY = (Path(__file__).parents[2] / "docs" / "compatibility.md").read_text()
SERVED = [endpoint for endpoint in ENDPOINTS if endpoint.asks not in NOT_SERVED]
# What we serve beyond open-source Conductor.
OURS = {
    "POST /api/workflow/correlated/batch",
    "POST /api/workflow/<id>/variables",
    "GET /api/tasks/<id>/polls",
    "GET /api/workflow/<id>/operations",
    "GET /api/workflow/<id>/cost",
    "POST /api/workflow/dry-run",
    "POST /api/tasks/<id>/poll-now",
    "GET /api/executions/waiting",
    "GET /api/event/executions/<event>",
    # The Go client's verbs for what others send as PUT and GET.
    "GET /api/scheduler/schedules/<name>/pause",
    "GET /api/scheduler/schedules/<name>/resume",
    "POST /api/scheduler/admin/requeue",
    "POST /api/scheduler/admin/pause",
    "POST /api/scheduler/admin/resume",
    # This server's description of itself; Conductor has its own at /api-docs and /swagger-ui.
    "GET /docs",
    "GET /openapi.json",
    "GET /api/openapi.json",
}
OUR_ROOTS = ("/api/token", "/api/keys", "/api/airpipe")


def filled(value: Any, names: dict[str, str]) -> Any:
    text = json.dumps(value)
    for name, meant in names.items():
        text = text.replace(f"{{{name}}}", meant)
    return json.loads(text)


def send(call: Gateway, endpoint: Endpoint, names: dict[str, str]) -> Answer:
    query = f"?{endpoint.query}" if endpoint.query else ""
    return call(endpoint.verb, filled(endpoint.path, names) + query, filled(endpoint.body, names))


@pytest.fixture
def call(world: World) -> Gateway:
    return Gateway(replace(world.engine, environment={"STAGE": "test"}))


@pytest.fixture
def names(call: Gateway, world: World) -> dict[str, str]:
    """A server in use: runs in several statuses, a worker's task, a handler, two schedules."""
    call("POST", "/api/metadata/taskdefs", [{"name": "known", "ownerEmail": "a@b.example"}])
    call("POST", "/api/metadata/workflow", workflow(step("WAIT", "hold"), step("WAIT", "later")))
    call("POST", "/api/metadata/workflow", {**workflow(step("SIMPLE", "simple")), "name": "work"})
    call("POST", "/api/event", {**HANDLER, "name": "listens"})
    for name, paused in (("daily", False), ("stopped", True)):
        call("POST", "/api/scheduler/schedules", {**SCHEDULE, "name": name, "paused": paused})
    runs = {name: call("POST", "/api/workflow/flow").text for name in ("id", "over", "paused")}
    runs["worked"] = call("POST", "/api/workflow/work").text
    world.run()
    call("POST", f"/api/tasks/{runs['over']}/hold/FAILED", {})
    call("PUT", f"/api/workflow/{runs['paused']}/pause")
    tasks = {
        name: call("GET", f"/api/workflow/{runs[run]}").json["tasks"][0]["taskId"] for name, run in (("hold", "id"), ("work", "worked"))
    }
    return {**runs, **tasks}


@pytest.mark.parametrize("endpoint", SERVED, ids=lambda endpoint: endpoint.asks)
def test_an_endpoint_answers_in_conductors_way(call: Gateway, names: dict[str, str], endpoint: Endpoint) -> None:
    answered = send(call, endpoint, names)
    status, content_type = endpoint.like.value
    assert (answered.status, answered.headers.get("Content-Type")) == (status, content_type), answered.text
    assert bool(answered.text) == (content_type is not None)
    if content_type == "application/json":
        assert not (isinstance(answered.json, dict) and answered.json.get("bulkErrorResults")), answered.text


@pytest.mark.parametrize("asks", NOT_SERVED)
def test_what_is_not_served_is_named_with_its_reason(call: Gateway, asks: str) -> None:
    answered = send(call, next(each for each in ENDPOINTS if each.asks == asks), {"id": "1"})
    assert answered.status in (404, 405)
    assert f"| `{NOT_SERVED[asks]}` |" in COMPATIBILITY


def test_every_route_is_conductors_or_named_as_ours() -> None:
    known = {(endpoint.verb, endpoint.path.replace("{", "").replace("}", "")) for endpoint in ENDPOINTS}
    strange = [
        f"{route.method} {route.rule}"
        for route in ROUTES
        if not any(verb == route.method and route.matches(path) for verb, path in known) and not route.rule.startswith(OUR_ROOTS)
    ]
    assert set(strange) == OURS, "a route beyond Conductor's is named in OURS, and in docs/compatibility.md"


@pytest.mark.parametrize("rule", sorted({route.rule for route in ROUTES}))
def test_a_wrong_verb_has_the_error_body_at_every_path(call: Gateway, rule: str) -> None:
    path = rule.replace("<", "").replace(">", "")
    allowed = {route.method for route in ROUTES if route.matches(path)}
    for verb in {"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"} - allowed:
        refused = call(verb, path)
        assert (refused.status, refused.json["status"], refused.json["retryable"]) == (405, 405, False)
        assert set(refused.headers["Allow"].split(", ")) == allowed
        assert not [name for name in refused.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize(
    "path", ["/api/queue", "/api/queue/update/1", "/api/admin", "/api/admin/config/", "/api/secrets/", "/api/environment/a/b"]
)
def test_what_is_nearly_a_path_is_not_found(call: Gateway, path: str) -> None:
    assert (call("GET", path).status, call("POST", path).json["status"]) == (404, 404)
