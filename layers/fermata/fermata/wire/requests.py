"""What people send to start a run, in Conductor's JSON (reference 3.10)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import InvalidRequest, Violation
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.status import TaskStatus
from fermata.wire.codec import VALIDATION_FAILED, decode, decode_or_refuse
from fermata.wire.definitions import key_violations, too_long

MAX_PRIORITY = 99
MAX_MOCKED_MS = 366 * 24 * 3600 * 1000  # a year a task; the sum over a whole test still is a date
# What a worker may report (Conductor engine reference, 2): a mock stands for a worker's result.
_MOCKED = ("IN_PROGRESS", "COMPLETED", "FAILED", "FAILED_WITH_TERMINAL_ERROR", "CANCELED")

R = TypeVar("R", bound="StartWorkflowRequest")


@dataclass(frozen=True)
class StartWorkflowRequest:
    """`version` None: the highest. `workflow_def` wins over the registry. Without a key the strategy means nothing."""

    name: str
    version: int | None = None
    correlation_id: str | None = None
    input: JsonObject = field(default_factory=dict)
    task_to_domain: Mapping[str, str] = field(default_factory=dict)
    workflow_def: WorkflowDefinition | None = None
    external_input_payload_storage_path: str | None = None
    priority: int = 0
    created_by: str | None = None
    idempotency_key: str | None = None
    idempotency_strategy: str | None = None


@dataclass(frozen=True)
class TaskMock:
    """How a task of a test run ends. Times are milliseconds."""

    status: TaskStatus = TaskStatus.COMPLETED
    output: JsonObject = field(default_factory=dict)
    execution_time: int = 0
    queue_wait_time: int = 0


@dataclass(frozen=True)
class WorkflowTestRequest(StartWorkflowRequest):
    """A start request, and by reference name how each of its tasks ends, one after the other; for the children of its tasks alike."""

    task_ref_to_mock_output: Mapping[str, tuple[TaskMock, ...]] = field(default_factory=dict)
    sub_workflow_test_request: Mapping[str, "WorkflowTestRequest"] = field(default_factory=dict)


def start_request_from_json(value: Json, *, external: bool = False) -> StartWorkflowRequest:
    """Raises `InvalidRequest`, naming every wrong field. An absent `input` is `{}`, a null one is refused.

    `external`: the input may be the path of one that was left in the store.
    """
    return request_from_json(StartWorkflowRequest, value, external=external)


def workflow_test_from_json(value: Json) -> WorkflowTestRequest:
    """Like `start_request_from_json`, for `workflow/test`."""
    request = request_from_json(WorkflowTestRequest, value)
    wrong = list(_wrong_mocks(request, ""))
    if wrong:
        raise InvalidRequest(VALIDATION_FAILED, wrong)
    return request


def request_from_json(kind: type[R], value: Json, *, external: bool = False) -> R:
    """Like `start_request_from_json`, for a request that says more than a start."""
    violations: list[Violation] = []
    request = decode(kind, value, "", violations)
    if request is None:
        return decode_or_refuse(kind, value)
    violations += _violations(request)
    violations += _input_violations(request, value, external=external)
    if violations:
        raise InvalidRequest(VALIDATION_FAILED, violations)
    return request


def correlation_id(text: str | None) -> str | None:
    """Return the text. Raises `InvalidRequest` when it is too long for one."""
    if found := tuple(too_long("correlationId", text)):
        raise InvalidRequest(VALIDATION_FAILED, found)
    return text


def _wrong_mocks(request: WorkflowTestRequest, path: str) -> Iterator[Violation]:
    for reference, mocks in request.task_ref_to_mock_output.items():
        for index, mock in enumerate(mocks):
            place = f"{path}taskRefToMockOutput.{reference}[{index}]"
            if mock.status not in _MOCKED:
                yield Violation(place, f"status must be one of {', '.join(_MOCKED)}")
            if not (0 <= mock.execution_time <= MAX_MOCKED_MS and 0 <= mock.queue_wait_time <= MAX_MOCKED_MS):
                yield Violation(place, f"executionTime and queueWaitTime must be between 0 and {MAX_MOCKED_MS} milliseconds")
    for reference, child in request.sub_workflow_test_request.items():
        yield from _wrong_mocks(child, f"{path}subWorkflowTestRequest.{reference}.")


def _violations(request: StartWorkflowRequest) -> list[Violation]:
    found = [*too_long("correlationId", request.correlation_id)]
    if request.workflow_def is not None:
        found += key_violations(request.workflow_def, "workflowDef.")
    if not request.name:
        found.append(Violation("name", "must not be empty"))
    if not 0 <= request.priority <= MAX_PRIORITY:
        found.append(Violation("priority", f"must be between 0 and {MAX_PRIORITY}", request.priority))
    return found


def _input_violations(request: StartWorkflowRequest, value: Mapping[str, Json], *, external: bool) -> Iterator[Violation]:
    apart = bool(request.external_input_payload_storage_path)
    if apart and not external:
        yield Violation("externalInputPayloadStoragePath", "is not supported here; send the input itself")
    elif apart and request.input:
        yield Violation("input", "must be empty beside externalInputPayloadStoragePath")
    elif not apart and value.get("input", {}) is None:
        yield Violation("input", "must not be null; leave it out or send {}")


@dataclass(frozen=True)
class RerunRequest:
    """`re_run_from_task_id` absent: from the start. The id of the workflow stands in the path."""

    re_run_from_task_id: str | None = None
    workflow_input: JsonObject | None = None
    task_input: JsonObject | None = None
    correlation_id: str | None = None


def rerun_request_from_json(value: Json) -> RerunRequest:
    """Raises `InvalidRequest`, naming every wrong field."""
    return decode_or_refuse(RerunRequest, value)
