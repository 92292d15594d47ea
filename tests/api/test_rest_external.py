"""Payloads that fit in no request and no answer: left and fetched at addresses of their own, named by paths."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from fermata.adapters.memory.external_payloads import MemoryExternalPayloads
from fermata.api import fitting
from fermata.api.fitting import fits, fitted
from fermata.api.http import JSON, TEXT, Reply
from fermata.domain.external_paths import MAX_EXTERNAL_BYTES
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.api.gateway import Answer, Gateway
from tests.support.world import World, step, workflow

HOLD = workflow(step("HUMAN", "hold", {"all": "${workflow.input}"}), outputParameters={"all": "${hold.output}"})
WORK = {**workflow(step("SIMPLE", "simple", {"all": "${workflow.input.big}"})), "name": "work"}
SPELLED = ["workflow/externalstoragelocation", "workflow/external-storage-location", "tasks/externalstoragelocation"]
KB = 1024


@pytest.fixture
def external(world: World) -> MemoryExternalPayloads:
    assert isinstance(world.engine.external, MemoryExternalPayloads)
    return world.engine.external


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an answer hold 64 KB: the real limit would only make these tests slow."""
    monkeypatch.setattr(fitting, "MAX_PAYLOAD_BYTES", 64 * KB)
    monkeypatch.setattr("fermata.api.app.MAX_PAYLOAD_BYTES", 64 * KB)


def place(call: Gateway, operation: str = "WRITE", payload_type: str = "WORKFLOW_INPUT", path: str = "", of: str = SPELLED[0]) -> Answer:
    return call("GET", f"/api/{of}?operation={operation}&payloadType={payload_type}&path={quote(path, safe='')}")


def left(call: Gateway, external: MemoryExternalPayloads, content: bytes) -> str:
    path: str = place(call).json["path"]
    external.leave(path, content)
    return path


# --- places ---


@pytest.mark.parametrize("of", SPELLED)
def test_a_place_to_leave_is_fresh_and_a_place_to_fetch_is_the_one_asked_for(call: Gateway, of: str) -> None:
    first, second = place(call, of=of).json, place(call, "write", "task_output", "a/proposal/../of/theirs", of).json
    assert first["path"] != second["path"]
    assert first["uri"] == f"memory:{first['path']}?PUT"
    assert place(call, "READ", "TASK_INPUT", first["path"], of).json == {"uri": f"memory:{first['path']}?GET", "path": first["path"]}


@pytest.mark.parametrize(
    ("operation", "payload_type", "path", "says"),
    [
        ("", "TASK_INPUT", "", "operation"),
        ("DELETE", "TASK_INPUT", "", "operation"),
        ("READ", "", "", "payloadType"),
        ("READ", "WORKFLOW", "", "payloadType"),
        ("READ", "TASK_INPUT", "", "path"),
        ("READ", "TASK_INPUT", "payloads/run/0123456789012345678901234567890123456789", "path"),
        ("READ", "TASK_INPUT", "external/shown/../../payloads/x.json", "path"),
        ("READ", "TASK_INPUT", "external/left/\x00", "path"),
        ("READ", "TASK_INPUT", "x" * 9000, "path"),
    ],
)
def test_no_place_is_told_for_anything_else(call: Gateway, operation: str, payload_type: str, path: str, says: str) -> None:
    refused = place(call, operation, payload_type, path)
    assert (refused.status, says in refused.json["message"]) == (400, True), refused.text


# --- what callers leave ---


def test_a_run_starts_with_the_input_that_was_left(call: Gateway, external: MemoryExternalPayloads) -> None:
    call("POST", "/api/metadata/workflow", HOLD)
    path = left(call, external, b'{"big": 12345678901234567890, "none": null}')
    for start in ({"name": "flow"}, {"name": "flow", "input": None}, {"name": "flow", "input": {}}):
        started = call("POST", "/api/workflow", {**start, "externalInputPayloadStoragePath": path})
        run = call("GET", f"/api/workflow/{started.text}").json
        assert run["input"] == {"big": 12345678901234567890, "none": None}
        assert "externalInputPayloadStoragePath" not in run
    body = {"name": "flow", "externalInputPayloadStoragePath": path}
    assert call("POST", "/api/workflow/execute/flow/1?waitForSeconds=1", body).json["input"]["none"] is None


def test_a_worker_reports_the_output_that_it_left(call: Gateway, external: MemoryExternalPayloads) -> None:
    call("POST", "/api/metadata/workflow", WORK)
    run = call("POST", "/api/workflow/work").text
    task = call("GET", "/api/tasks/poll/simple").json
    result = {"workflowInstanceId": run, "taskId": task["taskId"], "status": "COMPLETED", "outputData": None}
    path = left(call, external, b'{"rows": [1, 2]}')
    assert call("POST", "/api/tasks", {**result, "externalOutputPayloadStoragePath": path}).status == 200
    assert call("GET", f"/api/tasks/{task['taskId']}").json["outputData"] == {"rows": [1, 2]}


@pytest.mark.parametrize(
    ("content", "status"),
    [
        *((content, 400) for content in (None, b"", b"{", b"[1]", b"null", b"\xff", b"[" * 9000, b"1" * 9000)),
        (b'{"a":"' + b"x" * MAX_EXTERNAL_BYTES + b'"}', 413),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_was_left_must_be_an_object(call: Gateway, external: MemoryExternalPayloads, content: bytes | None, status: int) -> None:
    call("POST", "/api/metadata/workflow", HOLD)
    path = left(call, external, content) if content is not None else place(call).json["path"]
    refused = call("POST", "/api/workflow", {"name": "flow", "externalInputPayloadStoragePath": path})
    assert refused.status == status, refused.text
    if status == 400:
        assert refused.json["validationErrors"][0]["path"] == "externalInputPayloadStoragePath"
    assert call("GET", "/api/workflow/running/flow").json == []


@pytest.mark.parametrize("path", ["payloads/run/0123456789012345678901234567890123456789", "../x", "s3://bucket/key", "x" * 9000, "\x00"])
def test_a_path_that_was_not_handed_out_is_not_read(call: Gateway, external: MemoryExternalPayloads, path: str) -> None:
    call("POST", "/api/metadata/workflow", HOLD)
    external.leave(path, b"{}")  # even if something is there
    refused = call("POST", "/api/workflow", {"name": "flow", "externalInputPayloadStoragePath": path})
    assert (refused.status, refused.json["validationErrors"][0]["path"]) == (400, "externalInputPayloadStoragePath")
    result = {"workflowInstanceId": "w", "taskId": "t", "status": "COMPLETED", "externalOutputPayloadStoragePath": path}
    assert call("POST", "/api/tasks", result).json["validationErrors"][0]["path"] == "externalOutputPayloadStoragePath"


def test_a_payload_is_sent_or_left_but_not_both(call: Gateway, external: MemoryExternalPayloads) -> None:
    path = left(call, external, b"{}")
    refused = call("POST", "/api/workflow", {"name": "flow", "input": {"a": 1}, "externalInputPayloadStoragePath": path})
    assert (refused.status, refused.json["validationErrors"][0]["path"]) == (400, "input")
    result = {"workflowInstanceId": "w", "taskId": "t", "status": "COMPLETED", "outputData": {"a": 1}}
    refused = call("POST", "/api/tasks", {**result, "externalOutputPayloadStoragePath": path})
    assert (refused.status, refused.json["validationErrors"][0]["path"]) == (400, "outputData")


# --- what callers fetch ---


@pytest.fixture
def run(call: Gateway, small: None) -> str:
    """A finished run whose input, task input, task output and output are 40 KB each."""
    call("POST", "/api/metadata/workflow", HOLD)
    started = call("POST", "/api/workflow/flow?correlationId=c", {"big": "i" * 40 * KB}).text
    call("POST", f"/api/tasks/{started}/hold/COMPLETED", {"big": "o" * 40 * KB, "small": 1})
    return started


def fetched(call: Gateway, external: MemoryExternalPayloads, path: str) -> Any:
    address = place(call, "READ", "TASK_INPUT", path).json["uri"]
    content = external.read(address.removeprefix("memory:").removesuffix("?GET"))
    assert content is not None
    return json.loads(content)


def test_a_run_too_large_for_an_answer_is_shown_with_paths(call: Gateway, external: MemoryExternalPayloads, run: str) -> None:
    shown = call("GET", f"/api/workflow/{run}").json
    (task,) = shown["tasks"]
    assert (shown["status"], task["referenceTaskName"]) == ("COMPLETED", "hold")
    values = {"i": {"big": "i" * 40 * KB}, "o": {"big": "o" * 40 * KB, "small": 1}}
    for holder, field, side, whole in (
        (shown, "input", "Input", values["i"]),
        (shown, "output", "Output", {"all": values["o"]}),
        (task, "inputData", "Input", {"all": values["i"]}),
        (task, "outputData", "Output", values["o"]),
    ):
        path = holder.get(f"external{side}PayloadStoragePath")
        assert (holder[field] if path is None else fetched(call, external, path)) == whole
        assert path is None or holder[field] == {}
    moved = [path for holder in (shown, task) for name, path in holder.items() if name.startswith("external")]
    assert len(moved) == 3  # one of the four fits


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/workflow/{run}", None),
        ("GET", "/api/workflow/{run}?includeTasks=false", None),
        ("GET", "/api/workflow/{run}/tasks", None),
        ("GET", "/api/workflow/{run}/status?includeOutput=true", None),
        ("GET", "/api/tasks/{task}", None),
        ("GET", "/api/workflow/search-v2", None),
        ("GET", "/api/tasks/search-v2", None),
        ("GET", "/api/workflow/flow/correlated/c?includeClosed=true&includeTasks=true", None),
        ("POST", "/api/workflow/flow/correlated?includeClosed=true&includeTasks=true", ["c"]),
        ("POST", "/api/workflow/bulk/search", ["{run}"]),
    ],
)
def test_every_answer_that_shows_runs_or_tasks_fits(call: Gateway, run: str, method: str, path: str, body: Any) -> None:
    task = call("GET", f"/api/workflow/{run}").json["tasks"][0]["taskId"]
    sent = json.loads(json.dumps(body).replace("{run}", run))
    answered = call(method, path.replace("{run}", run).replace("{task}", task), sent)
    assert answered.status == 200, answered.text
    assert len(answered.text) < 64 * KB


def test_a_worker_gets_a_path_for_an_input_too_large(call: Gateway, external: MemoryExternalPayloads, small: None) -> None:
    call("POST", "/api/metadata/workflow", WORK)
    path = left(call, external, json.dumps({"big": {"text": "x" * 100 * KB}}).encode())
    call("POST", "/api/workflow", {"name": "work", "externalInputPayloadStoragePath": path})
    (task,) = call("GET", "/api/tasks/poll/batch/simple?count=1").json
    assert task["inputData"] == {}
    assert fetched(call, external, task["externalInputPayloadStoragePath"]) == {"all": {"text": "x" * 100 * KB}}


def test_an_executed_run_and_a_signalled_one_fit_too(call: Gateway, external: MemoryExternalPayloads, small: None) -> None:
    call("POST", "/api/metadata/workflow", HOLD)
    path = left(call, external, json.dumps({"big": "x" * 100 * KB}).encode())
    started = {"name": "flow", "externalInputPayloadStoragePath": path}
    shown = call("POST", "/api/workflow/execute/flow/1?waitForSeconds=1", started).json
    assert shown["input"] == {}
    assert fetched(call, external, shown["externalInputPayloadStoragePath"]) == {"big": "x" * 100 * KB}


def test_an_answer_that_fits_compressed_is_left_whole(call: Gateway, run: str) -> None:
    shown = call("GET", f"/api/workflow/{run}", headers={"accept-encoding": "gzip"})
    assert shown.headers["Content-Encoding"] == "gzip"
    assert "external" not in shown.text


def test_what_cannot_be_moved_is_413(call: Gateway, small: None) -> None:
    call("POST", "/api/metadata/workflow", HOLD)
    started = call("POST", "/api/workflow/flow").text
    for name in "abc":
        call("POST", f"/api/workflow/{started}/variables", {name: "v" * 30 * KB})
    assert call("GET", f"/api/workflow/{started}").status == 413


def test_data_that_looks_like_a_run_is_data() -> None:
    external = MemoryExternalPayloads()
    imposter = {"workflowId": "w", "input": {"x": "y" * 7 * KB * KB}}
    for value in ({"name": "n", "metadata": imposter}, {"results": [{"name": "n", "tasks": [imposter]}]}, {"a": [{"b": [imposter]}]}):
        reply = Reply(200, json.dumps(value), JSON)
        assert json.loads(fitted(external, reply, compresses=False).body) == value
    text = Reply(200, "x" * 7 * KB * KB, TEXT)
    assert fitted(external, text, compresses=False) is text


SIZES = st.lists(st.integers(0, 30 * KB), min_size=1, max_size=8)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(sizes=SIZES, letter=st.sampled_from(["x", '"', "é", "\U0001f600"]))
def test_the_largest_go_first_until_the_rest_fits(sizes: list[int], letter: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "MAX_PAYLOAD_BYTES", 64 * KB)
        external = MemoryExternalPayloads()
        tasks = [{"taskId": str(index), "inputData": {}, "outputData": {"t": letter * size}} for index, size in enumerate(sizes)]
        reply = fitted(external, Reply(200, json.dumps({"workflowId": "w", "tasks": tasks}), JSON), compresses=False)
        shown = json.loads(reply.body)["tasks"]
        assert fits(reply.body, compresses=False)
        paths = [task.get("externalOutputPayloadStoragePath") for task in shown]
        kept = [size for size, path in zip(sizes, paths, strict=True) if path is None]
        moved = [size for size, path in zip(sizes, paths, strict=True) if path]
        assert max(kept, default=0) <= min(moved, default=30 * KB)
        for task, path, size in zip(shown, paths, sizes, strict=True):
            content = task["outputData"] if path is None else json.loads(external.read(path) or b"")
            assert content == {"t": letter * size}
