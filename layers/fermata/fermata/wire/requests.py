"""What people send to start a run, in Conductor's JSON (reference 3.10)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import InvalidRequest, Violation
from fermata.domain.json_value import Json, JsonObject
from fermata.wire.codec import VALIDATION_FAILED, decode, decode_or_refuse
from fermata.wire.definitions import key_violations, too_long

MAX_PRIORITY = 99


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


def start_request_from_json(value: Json) -> StartWorkflowRequest:
    """Raises `InvalidRequest`, naming every wrong field. An absent `input` is `{}`, a null one is refused."""
    violations: list[Violation] = []
    request = decode(StartWorkflowRequest, value, "", violations)
    if request is None:
        return decode_or_refuse(StartWorkflowRequest, value)
    violations += _violations(request, value)
    if violations:
        raise InvalidRequest(VALIDATION_FAILED, violations)
    return request


def correlation_id(text: str | None) -> str | None:
    """Return the text. Raises `InvalidRequest` when it is too long for one."""
    if found := tuple(too_long("correlationId", text)):
        raise InvalidRequest(VALIDATION_FAILED, found)
    return text


def _violations(request: StartWorkflowRequest, value: Mapping[str, Json]) -> list[Violation]:
    found = [*too_long("correlationId", request.correlation_id)]
    if request.workflow_def is not None:
        found += key_violations(request.workflow_def, "workflowDef.")
    if not request.name:
        found.append(Violation("name", "must not be empty"))
    if value.get("input", {}) is None:
        found.append(Violation("input", "must not be null; leave it out or send {}"))
    if not 0 <= request.priority <= MAX_PRIORITY:
        found.append(Violation("priority", f"must be between 0 and {MAX_PRIORITY}", request.priority))
    if request.external_input_payload_storage_path:
        found.append(Violation("externalInputPayloadStoragePath", "is not supported; send the input itself"))
    return found


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
