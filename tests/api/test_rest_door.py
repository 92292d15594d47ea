"""The door's manners: statuses, bodies, encodings, limits, and errors that never show our insides."""

import json
import logging
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fermata import VERSION
from fermata.api.app import MAX_PAYLOAD_BYTES, ROUTES, create
from fermata.api.errors import STATUS
from fermata.api.http import JSON, Reply, Request, Route, words
from fermata.application.engine import Engine
from fermata.domain.errors import EngineBug, RequestError, TransientError

from tests.api.gateway import Context, Gateway, event
from tests.support.world import World

ROOT = Path(__file__).parents[2]


def gateway(world: World, handler: Any, method: str = "GET") -> Gateway:
    call = Gateway(world.engine)
    call.door = create(world.engine, (Route(method, "/api/x", handler),))
    return call


def test_health_and_version(call: Gateway) -> None:
    for path in ("/health", "/api/health"):
        assert call("GET", path).json == {"healthResults": [], "suppressedHealthResults": [], "healthy": True}
    shown = call("GET", "/api/version")
    assert (shown.text, shown.headers["Content-Type"]) == (VERSION, "text/plain;charset=UTF-8")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/api"),
        ("GET", "/api/"),
        ("GET", "/api/nothing"),
        ("POST", "/api/token"),
        ("GET", "/api/metadata/workflow/"),
        ("GET", "/api/health/"),
        ("GET", "/api/workflow//status"),
        ("GET", "/api/metadata/workflow/a/b/c"),
        ("GET", "/api/version%0A"),
    ],
)
def test_an_unknown_path_is_not_found(call: Gateway, method: str, path: str) -> None:
    missing = call(method, path)
    assert (missing.status, missing.json["status"], missing.json["retryable"]) == (404, 404, False)
    assert path in missing.json["message"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PATCH", "/api/metadata/workflow", "GET, POST, PUT"),
        ("DELETE", "/api/metadata/taskdefs", "GET, POST, PUT"),
        ("POST", "/api/workflow/1/pause", "PUT"),
        ("PUT", "/api/workflow/1", "GET, POST, DELETE"),
        ("POST", "/health", "GET"),
    ],
)
def test_a_wrong_verb_names_the_right_ones(call: Gateway, method: str, path: str, allowed: str) -> None:
    refused = call(method, path)
    assert refused.status == 405
    assert refused.json["message"].endswith(f"use {allowed}.")
    assert refused.headers["Allow"] == allowed


@pytest.mark.parametrize(
    ("method", "target", "body", "says"),
    [
        ("POST", "/api/workflow", None, "The body is empty"),
        ("POST", "/api/workflow", "", "The body is empty"),
        ("POST", "/api/workflow", "{", "not valid JSON"),
        ("POST", "/api/workflow", '{"name":NaN}', "NaN is not a JSON number"),
        ("POST", "/api/workflow", '{"name":1e999}', "too large"),
        ("POST", "/api/workflow", b"\xff\xfe", "not UTF-8"),
        ("POST", "/api/workflow", "[" * 100_000, "nested too deeply"),
        ("POST", "/api/workflow", "[]", "Validation failed"),
        ("POST", "/api/workflow", '{"name":"j","input":null}', "Validation failed"),
        ("POST", "/api/workflow/job", "null", "must be a JSON object"),
        ("POST", "/api/workflow/job", "[1]", "must be a JSON object"),
        ("POST", "/api/workflow/job?version=one", "{}", "version must be a whole number"),
        ("POST", "/api/workflow/job?version=" + "9" * 99, "{}", "version must be a whole number"),
        ("POST", "/api/workflow/job?priority=1.5", "{}", "priority must be a whole number"),
        ("GET", "/api/workflow/1?includeTasks=maybe", None, "includeTasks must be true or false"),
        ("POST", "/api/metadata/workflow?overwrite=2", {"name": "j"}, "overwrite must be true or false"),
        ("POST", "/api/metadata/taskdefs", "7", "Validation failed"),
    ],
)
def test_bad_input_is_refused_and_says_why(call: Gateway, method: str, target: str, body: Any, says: str) -> None:
    refused = call(method, target, body)
    assert (refused.status, refused.json["status"], refused.headers["Content-Type"]) == (400, 400, "application/json")
    assert says in refused.json["message"]


def test_a_body_may_come_as_base64(call: Gateway) -> None:
    assert call("POST", "/api/metadata/taskdefs", b'[{"name":"\xc3\xbc"}]').status == 200
    assert call("GET", "/api/metadata/taskdefs").json[0]["name"] == "ü"


def test_a_body_that_is_not_base64_is_refused(call: Gateway) -> None:
    built = event("POST", "/api/workflow", "?") | {"isBase64Encoded": True}
    assert call.send(built).status == 400


def test_a_body_above_the_limit_is_refused(call: Gateway) -> None:
    refused = call("POST", "/api/workflow/job", '{"a":"' + "x" * MAX_PAYLOAD_BYTES + '"}')
    assert refused.status == 413
    assert "6 MB" in refused.json["message"]


@pytest.mark.parametrize(("stage", "path"), [("$default", "/api/version"), ("prod", "/api/version"), ("api", "/api/version")])
def test_a_stage_in_the_path_is_taken_off(call: Gateway, stage: str, path: str) -> None:
    assert call("GET", path, stage=stage).text == VERSION


@pytest.mark.parametrize("stage", ["prod", "api"])
def test_a_custom_domain_has_no_stage_in_the_path(call: Gateway, stage: str) -> None:
    built = event("GET", "/api/version")
    built["requestContext"]["stage"] = stage
    assert call.send(built).text == VERSION


def test_a_service_that_fails_for_now_may_be_asked_again(world: World) -> None:
    def throttled(_engine: Engine, _request: Request) -> Reply:
        raise TransientError("The table is busy; try again.")

    refused = gateway(world, throttled)("GET", "/api/x")
    assert refused.status == 503
    assert refused.json == {"status": 503, "message": "The table is busy; try again.", "instance": "request-1", "retryable": True}


@pytest.mark.parametrize("error", [EngineBug("row 7 of table secret is broken"), KeyError("password"), RecursionError()])
def test_what_breaks_on_our_side_is_logged_and_not_shown(world: World, caplog: pytest.LogCaptureFixture, error: Exception) -> None:
    def broken(_engine: Engine, _request: Request) -> Reply:
        raise error

    with caplog.at_level(logging.ERROR, "fermata.api"):
        refused = gateway(world, broken)("GET", "/api/x")
    assert (refused.status, refused.json["retryable"]) == (500, False)
    assert "secret" not in refused.text
    assert "password" not in refused.text
    assert caplog.records[0].exc_info is not None
    assert caplog.records[0].exc_info[1] is error


def test_every_request_error_has_a_status() -> None:
    def below(cls: type[Exception]) -> Iterator[type[Exception]]:
        for child in cls.__subclasses__():
            yield child
            yield from below(child)

    assert {cls for cls in below(RequestError) if cls.__module__ == "fermata.domain.errors"} <= STATUS.keys()


def test_an_answer_above_the_limit_says_how_to_ask_for_less(world: World) -> None:
    big = json.dumps('"' * (MAX_PAYLOAD_BYTES // 4 + 1))  # each quote counts four times in the response that Lambda carries
    refused = gateway(world, lambda engine, request: Reply(200, big, JSON))("GET", "/api/x")
    assert refused.status == 413
    assert "includeTasks=false" in refused.json["message"]


def test_a_large_answer_is_compressed_for_those_who_accept_it(world: World) -> None:
    big = json.dumps(["x" * 1000] * 8000)
    call = gateway(world, lambda engine, request: Reply(200, big, JSON))
    sent = call("GET", "/api/x", headers={"accept-encoding": "gzip, br"})
    assert (sent.status, sent.headers["Content-Encoding"], sent.text) == (200, "gzip", big)
    assert call("GET", "/api/x").status == 413


def test_requests_at_the_same_time_do_not_mix(world: World) -> None:
    def echo(_engine: Engine, request: Request) -> Reply:
        return words(request.word("q") or "")

    door = create(world.engine, (Route("GET", "/api/x", echo),))
    with ThreadPoolExecutor(16) as pool:
        asked = [str(number) for number in range(1, 400)]
        answers = pool.map(lambda q: door(event("GET", f"/api/x?q={q}"), Context()), asked)  # type: ignore[arg-type]
        assert [answered["body"] for answered in answers] == asked


def test_no_route_is_registered_twice() -> None:
    keys = [(route.method, route.rule) for route in ROUTES]
    assert len(set(keys)) == len(keys)


def test_the_router_does_not_load_the_http_client() -> None:
    program = "import sys, fermata.api.app; print({'requests', 'boto3', 'jsonpath', 'quickjs', 'jq'} & set(sys.modules))"
    paths = {"PYTHONPATH": str(ROOT / "layers" / "fermata")}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=paths)
    assert run.stdout.strip() == "set()"


def test_an_engine_may_be_replaced_without_touching_the_routes(world: World) -> None:
    assert Gateway(replace(world.engine, environment={"A": "b"}))("GET", "/api/health").status == 200
