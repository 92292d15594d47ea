"""TERMINATE: ends the run with a status, a reason and an output (Conductor engine reference, 6.12)."""

from collections.abc import Iterable

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.expressions.text import text_of
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks.task_type import EndWorkflow, Finished, Start, Starting, TaskType

_ENDS = (WorkflowStatus.COMPLETED, WorkflowStatus.FAILED, WorkflowStatus.TERMINATED)


def start(starting: Starting) -> Start:
    """End the run. A status that is none of the three fails the task instead."""
    given = starting.task.input
    status = given.get("terminationStatus")
    if status not in _ENDS:
        return Finished(TaskStatus.FAILED, reason=f"terminationStatus '{text_of(status)}' is not one of {_names()}")
    default_reason = f"Workflow is {status} by TERMINATE task: {starting.task.task_id}"
    reason = text_of(given.get("terminationReason") or default_reason)
    return EndWorkflow(WorkflowStatus(status), _output(given.get("workflowOutput")), reason)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a missing or unknown status, and `optional`, which makes no sense here."""
    status = task.input_parameters.get("terminationStatus")
    if status not in _ENDS:
        message = f"terminationStatus of TERMINATE task {task.task_reference_name} must be one of {_names()}"
        yield Violation(f"{path}.inputParameters.terminationStatus", message, status)
    if task.optional:
        yield Violation(f"{path}.optional", f"TERMINATE task {task.task_reference_name} cannot be optional")


def _output(value: Json) -> JsonObject:
    if value is None:
        return {}
    return value if isinstance(value, dict) else {"output": value}


def _names() -> str:
    return ", ".join(_ENDS)


TERMINATE = TaskType("TERMINATE", start, validate)
