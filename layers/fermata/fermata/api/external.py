"""External payloads (reference 2.3, 2.5): where callers fetch and leave what fits in no answer and no request."""

from dataclasses import replace
from enum import StrEnum

from fermata.api.http import Reply, Request, Route, answer
from fermata.application.engine import Engine
from fermata.application.external import place_to_fetch, place_to_leave, what_was_left
from fermata.domain.access import Role
from fermata.domain.errors import InvalidRequest
from fermata.wire.requests import StartWorkflowRequest


class Operation(StrEnum):
    READ = "READ"
    WRITE = "WRITE"


class PayloadType(StrEnum):
    WORKFLOW_INPUT = "WORKFLOW_INPUT"
    WORKFLOW_OUTPUT = "WORKFLOW_OUTPUT"
    TASK_INPUT = "TASK_INPUT"
    TASK_OUTPUT = "TASK_OUTPUT"


def location(engine: Engine, request: Request) -> Reply:
    """Answer with an address. To WRITE, the path is always ours: what the caller proposes is not read."""
    operation = _word(request, "operation", Operation)
    _word(request, "payloadType", PayloadType)
    if operation == Operation.WRITE:
        request.require(Role.OPERATOR, "To leave a payload (operation=WRITE)")
        place = place_to_leave(engine)
    else:
        place = place_to_fetch(engine, request.word("path") or "")
    return answer({"uri": _absolute(request, place.uri), "path": place.path})


def with_external_input(engine: Engine, asked: StartWorkflowRequest) -> StartWorkflowRequest:
    """Return the start request with the input that was left for it, if it names one. Raises `InvalidRequest`, `PayloadTooLarge`."""
    path = asked.external_input_payload_storage_path
    return replace(asked, input=what_was_left(engine, path, "externalInputPayloadStoragePath")) if path else asked


def _word(request: Request, name: str, known: type[StrEnum]) -> str:
    word = (request.word(name) or "").upper()
    if word not in set(known):
        raise InvalidRequest(f"The query parameter {name} must be one of {', '.join(known)}, not {word[:40]!r}.")
    return word


def _absolute(request: Request, uri: str) -> str:
    return f"http://{request.headers.get('host', 'localhost')}{uri}" if uri.startswith("/") else uri


ROUTES = tuple(
    Route("GET", f"/api/{of}/{spelled}", location)
    for of in ("workflow", "tasks")
    for spelled in ("externalstoragelocation", "external-storage-location")
)
