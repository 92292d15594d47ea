"""HTTP: one request, carried out by a door (Conductor engine reference, 6.1), and what its result means."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.http_exchange import HttpAnswer, HttpFailure, HttpRequest, HttpResult
from fermata.domain.http_rules import (
    SAFE_METHODS,
    accepted_codes,
    accepts,
    build_request,
    request_fields,
    response_document,
)
from fermata.domain.json_value import JsonObject
from fermata.domain.status import TaskStatus
from fermata.domain.tasks import hooks
from fermata.domain.tasks.task_type import Finished, RunElsewhere, Start, Starting, TaskType

IDEMPOTENCY_HEADER = "Idempotency-Key"  # draft-ietf-httpapi-idempotency-key-header


def start(starting: Starting) -> Start:  # noqa: ARG001 - the signature of a task type's `start`
    """Hand the request to a door."""
    return RunElsewhere()


def request_of(task_input: JsonObject, idempotency_key: str) -> HttpRequest:
    """Return the request of an HTTP task. Raises `BadRequestFields`.

    Unsafe methods carry an Idempotency-Key, the same on every retry and redelivery, so that a vendor that honours it never
    starts two jobs. The definition may set the header itself, name another key (`idempotencyKey`: text) or disable it (false).
    """
    fields = request_fields(task_input)
    request = build_request(fields)
    wanted = fields.get("idempotencyKey", True)
    own = any(name.lower() == IDEMPOTENCY_HEADER.lower() for name in request.headers)
    if own or not wanted or request.method.upper() in SAFE_METHODS:
        return request
    key = wanted if isinstance(wanted, str) else idempotency_key
    return replace(request, headers={**request.headers, IDEMPOTENCY_HEADER: key})


def interpret(task_input: JsonObject, result: HttpResult) -> Finished:
    """Return what a result means. Failed answers keep the response map, so that a definition can look at them."""
    match result:
        case HttpFailure(reason=reason):
            message = f"Failed to invoke HTTP task due to: {reason}"
            return Finished(TaskStatus.FAILED, {"response": message}, message)
        case HttpAnswer() as answer:
            output = {"response": response_document(answer)}
            if accepts(accepted_codes(request_fields(task_input)), answer.status_code):
                return Finished(TaskStatus.COMPLETED, output)
            status = f"{answer.status_code} {answer.reason_phrase}".strip()
            return Finished(TaskStatus.FAILED, output, f"Failed to invoke HTTP task due to: the vendor answered {status}")


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a step that has no request, or one that names no address or method and so could only fail."""
    yield from validate_request(task, path)
    request = task.input_parameters.get("http_request")
    if isinstance(request, Mapping) and not request.get("method"):
        message = f"http_request.method is required for HTTP task {task.task_reference_name}"
        yield Violation(f"{path}.inputParameters.http_request.method", message)


def validate_request(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a step that has no request, or one without an address."""
    template = task.task_definition.input_template if task.task_definition else {}
    given = task.input_parameters
    if not any(key in given for key in ("http_request", "uri", "method")) and "http_request" not in template:
        message = f"http_request is required for {task.type} task {task.task_reference_name}"
        yield Violation(f"{path}.inputParameters.http_request", message)
    request = given.get("http_request")
    if request is not None and not isinstance(request, Mapping) and not str(request).startswith("${"):
        yield Violation(f"{path}.inputParameters.http_request", "http_request must be an object", str(request)[:80])
    if isinstance(request, Mapping) and not request.get("uri"):
        message = f"http_request.uri is required for {task.type} task {task.task_reference_name}"
        yield Violation(f"{path}.inputParameters.http_request.uri", message)


HTTP = TaskType(
    "HTTP",
    start,
    validate,
    deadline=hooks.until_it_is_sent,
    merges_template=True,
    delays_start=True,
    has_runner=True,
    may_end_outside=True,
    asks_a_vendor=True,
)
