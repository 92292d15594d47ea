"""Answers larger than Lambda can carry: their largest payloads are put where callers fetch them, as Conductor does with large ones."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from fermata.api.http import JSON, Reply
from fermata.domain.json_value import Json
from fermata.ports import ExternalPayloads
from fermata.wire.bodies import text
from fermata.wire.records import json_bytes

MAX_PAYLOAD_BYTES = 6 * 1024 * 1024  # AWS limit: request and response of a synchronous Lambda invocation
HEADERS_BYTES = 16 * 1024  # more than headers and all else around a body take
WORTH_MOVING_BYTES = 1024  # a path and its name are a tenth of it
_LONGEST_ESCAPE = 6  # characters that JSON may take for one

_INPUT, _OUTPUT = "externalInputPayloadStoragePath", "externalOutputPayloadStoragePath"
_PATHS = {"input": _INPUT, "inputData": _INPUT, "output": _OUTPUT, "outputData": _OUTPUT}


@dataclass(frozen=True)
class _Payload:
    """A field of a run or a task within an answer, and how much of the response it takes."""

    holder: dict[str, Any]
    field: str
    size: int


def fitted(external: ExternalPayloads, reply: Reply, *, compresses: bool) -> Reply:
    """Return the reply, or one that fits into a response: the largest inputs and outputs of its runs and tasks are `{}` with a path.

    One that has nothing to move comes back as it was. `compresses`: it is sent compressed.
    """
    if reply.content_type != JSON or fits(reply.body, compresses=compresses):
        return reply
    value: Json = json.loads(reply.body)
    moved = _to_move(value, _size(reply.body) - MAX_PAYLOAD_BYTES + HEADERS_BYTES)
    paths = external.show([json_bytes(payload.holder[payload.field]) for payload in moved])
    for payload, path in zip(moved, paths, strict=True):
        payload.holder.update({payload.field: {}, _PATHS[payload.field]: path})
    headers = {name: value for name, value in reply.headers.items() if name != "ETag"}  # the paths do not hold as long as the run stands
    return replace(reply, body=text(value), headers=headers)


def fits(body: str, *, compresses: bool) -> bool:
    """Tell whether a body fits into a response, which carries it as a JSON string: as it is, or compressed and in base64."""
    most = MAX_PAYLOAD_BYTES - HEADERS_BYTES
    if len(body) * _LONGEST_ESCAPE <= most or _size(body) <= most:
        return True
    return compresses and len(gzip.compress(body.encode(), 6)) * 4 // 3 <= most


def _to_move(value: Json, excess: int) -> list[_Payload]:
    payloads = sorted(_payloads(value), key=lambda payload: payload.size, reverse=True)
    moved: list[_Payload] = []
    for payload in payloads:
        if excess <= 0 or payload.size < WORTH_MOVING_BYTES:
            break
        moved.append(payload)
        excess -= payload.size - len(_OUTPUT) - 100  # the path stands there instead
    return moved


def _payloads(value: Json) -> Iterator[_Payload]:
    for holder in _holders(value):
        for field in _PATHS.keys() & holder.keys():
            if isinstance(holder[field], dict):
                yield _Payload(holder, field, _size(text(holder[field])))


def _holders(value: Json) -> Iterator[dict[str, Any]]:
    """Yield the runs and tasks of an answer: a run, a task, a list or a page of them, or runs by correlation id."""
    match value:
        case {"workflowId": str()} | {"taskId": str()}:
            yield from _shown(value)
        case list(found) | {"results": list(found)} | {"bulkSuccessfulResults": list(found)}:
            for each in found:
                yield from _shown(each)
        case dict():
            for each in chain.from_iterable(runs for runs in value.values() if isinstance(runs, list)):
                yield from _shown(each)


def _shown(value: Json) -> Iterator[dict[str, Any]]:
    """Yield the value if it is a run or a task, and the tasks of a run. What they hold is data: it is never looked into."""
    match value:
        case {"workflowId": str(), "tasks": list(tasks)}:
            yield value
            yield from (task for task in tasks if isinstance(task, dict) and "taskId" in task)
        case {"workflowId": str()} | {"taskId": str()}:
            yield value


def _size(body: str) -> int:
    return len(json.dumps(body))
