"""The OpenAPI 3.1 document: what the rooms say, in OpenAPI's layout."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from fermata import VERSION
from fermata.api.description.operations.admin import ADMIN, COMPLETION_QUEUES
from fermata.api.description.operations.events import EVENTS
from fermata.api.description.operations.external import EXTERNAL_PAYLOADS
from fermata.api.description.operations.finding import FINDING
from fermata.api.description.operations.interfaces import INTERFACES
from fermata.api.description.operations.metadata import TASK_DEFINITIONS, WORKFLOW_DEFINITIONS
from fermata.api.description.operations.runs import BULK, OPERATIONS, RUNS
from fermata.api.description.operations.schedules import SCHEDULES
from fermata.api.description.operations.system import KEYS, SYSTEM
from fermata.api.description.operations.tasks import QUEUES, SIGNALS, TASKS, WORKERS
from fermata.api.description.shapes import schemas
from fermata.api.description.vocabulary import JSON, OURS, WORD, Answer, Operation, Parameter, Room, ref
from fermata.api.roles import NEEDS, OPEN

Document = dict[str, Any]

# In this order they are shown.
ROOMS: tuple[Room, ...] = (
    RUNS,
    OPERATIONS,
    BULK,
    FINDING,
    TASKS,
    WORKERS,
    SIGNALS,
    QUEUES,
    WORKFLOW_DEFINITIONS,
    TASK_DEFINITIONS,
    EVENTS,
    SCHEDULES,
    INTERFACES,
    COMPLETION_QUEUES,
    EXTERNAL_PAYLOADS,
    ADMIN,
    KEYS,
    SYSTEM,
)

ABOUT = (
    "Conductor's REST API, as Fermata serves it: Conductor workflow definitions on AWS Lambda, DynamoDB and EventBridge Scheduler. "
    f"What Conductor does not have is marked `{OURS}`. Scalars are read as Conductor reads them: a number may come as a text, and null "
    "is the default; unknown properties are ignored. Every moment is epoch milliseconds unless it says otherwise."
)
ROLE = "x-fermata-role"

REFUSALS: Mapping[int, str] = {
    400: "Something in the request is wrong; `validationErrors` names the fields.",
    401: "No token, or one that is no good.",
    403: "The key's role does not reach.",
    404: "There is no such thing.",
    409: "It cannot be done in the state it is in.",
    413: "The request or the answer is too large.",
    503: "Not now; the same request may succeed later.",
}
_ALWAYS, _GUARDED = (400, 413, 503), (401, 403)

_SECURITY = {
    "token": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Authorization",
        "description": "With `ApiAuthorization=KEYS`: the token from `POST /api/token`, without `Bearer`. The local server asks for it "
        "with `--auth`.",
    },
    "signature": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "With `ApiAuthorization=AWS_IAM`: AWS Signature Version 4, service `execute-api`.",
        "x-amazon-apigateway-authtype": "awsSigv4",
    },
}


@cache
def document() -> Document:
    """Return the document. It is the same for every server; do not change it."""
    paths: dict[str, dict[str, Any]] = {}
    for room in ROOMS:
        for route, operation in room.operations.items():
            verb, _, rule = route.partition(" ")
            paths.setdefault(_template(rule), {})[verb.lower()] = _operation(room, route, operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Fermata",
            "version": VERSION,
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{name: []} for name in _SECURITY],
        "tags": [{"name": room.name, "description": room.about} for room in ROOMS],
        "paths": paths,
        "components": {"schemas": schemas(), "securitySchemes": _SECURITY},
    }


def _template(rule: str) -> str:
    return re.sub(r"<(\w+)>", r"{\1}", rule)


def _operation(room: Room, route: str, operation: Operation) -> Document:
    parameters = [*_path_parameters(room, route, operation), *map(_parameter, operation.query)]
    need = NEEDS[route]
    return {
        "operationId": operation.id,
        "tags": [room.name],
        "summary": operation.summary,
        **({"description": operation.about} if operation.about else {}),
        **({"parameters": parameters} if parameters else {}),
        **_body(operation),
        "responses": dict(_responses(operation, guarded=need is not OPEN)),
        **({"security": []} if need is OPEN else {}),
        ROLE: need.value,
        **({OURS: True} if operation.ours else {}),
    }


def _path_parameters(room: Room, route: str, operation: Operation) -> Iterator[Document]:
    for name in re.findall(r"<(\w+)>", route):
        yield _parameter(operation.path[name] if name in operation.path else room.path[name])


def _parameter(parameter: Parameter) -> Document:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "description": parameter.about,
        **({"required": True} if parameter.required else {}),
        "schema": parameter.schema,
    }


def _body(operation: Operation) -> Document:
    if operation.body is None:
        return {}
    content = {operation.body.content_type: {"schema": operation.body.schema}}
    return {"requestBody": {"description": operation.body.about, "content": content, "required": operation.body.required}}


def _responses(operation: Operation, *, guarded: bool) -> Iterator[tuple[str, Document]]:
    for status, answer in operation.answers.items():
        yield str(status), _answer(answer)
    for status in sorted({*_ALWAYS, *operation.refuses, *(_GUARDED if guarded else ())}):
        shape = ref("AuthErrorResponse" if status in _GUARDED else "ErrorResponse")
        yield str(status), _answer(Answer(REFUSALS[status], shape, JSON))


def _answer(answer: Answer) -> Document:
    headers = {name: {"description": about, "schema": WORD} for name, about in answer.headers.items()}
    content = {answer.content_type: {"schema": answer.schema}} if answer.content_type else {}
    return {
        "description": answer.about,
        **({"headers": headers} if headers else {}),
        **({"content": content} if content else {}),
    }


def kept_text() -> str:
    """Return the document as it is kept in docs/openapi.json: a line for each thing, so that changes can be read."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"
