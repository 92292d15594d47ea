"""What workers send and are told, in Conductor's JSON (reference 3.3 and 3.6)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from fermata.domain.errors import InvalidRequest, Violation
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.working import LogEntry, WorkerQueue
from fermata.wire.codec import VALIDATION_FAILED, decode, decode_or_refuse
from fermata.wire.records import epoch_ms


@dataclass(frozen=True)
class TaskExecLog:
    log: str = ""
    created_time: int = 0


@dataclass(frozen=True)
class TaskResultBody:
    workflow_instance_id: str
    task_id: str
    status: str
    output_data: JsonObject = field(default_factory=dict)
    reason_for_incompletion: str | None = None
    callback_after_seconds: int = 0
    worker_id: str | None = None
    logs: tuple[TaskExecLog, ...] = ()
    external_output_payload_storage_path: str | None = None
    extend_lease: bool = False


def task_result_from_json(value: Json) -> TaskResultBody:
    """Raises `InvalidRequest`, naming every wrong field."""
    violations: list[Violation] = []
    result = decode(TaskResultBody, value, "", violations)
    if result is None:
        return decode_or_refuse(TaskResultBody, value)
    names = {"workflowInstanceId": result.workflow_instance_id, "taskId": result.task_id}
    violations += [Violation(name, "must not be empty") for name, given in names.items() if not given]
    if result.external_output_payload_storage_path and result.output_data:
        violations.append(Violation("outputData", "must be empty beside externalOutputPayloadStoragePath"))
    if violations:
        raise InvalidRequest(VALIDATION_FAILED, violations)
    return result


def poll_data_to_json(queues: Sequence[WorkerQueue]) -> Json:
    """Return the PollData bodies of queues that were polled."""
    return [_poll_data(queue) for queue in queues]


def logs_to_json(task_id: str, entries: Sequence[LogEntry]) -> Json:
    """Return the TaskExecLog bodies."""
    return [{"log": entry.log, "taskId": task_id, "createdTime": epoch_ms(entry.at)} for entry in entries]


def _poll_data(queue: WorkerQueue) -> Json:
    body: dict[str, Json] = {"queueName": queue.task_type, "lastPollTime": epoch_ms(queue.last_poll) if queue.last_poll else 0}
    shown = {"domain": queue.domain, "workerId": queue.worker_id}
    return {**body, **{key: value for key, value in shown.items() if value is not None}}
