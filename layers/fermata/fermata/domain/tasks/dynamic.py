"""DYNAMIC: the name of the task stands in the run's data (Conductor engine reference, 6.8)."""

from collections.abc import Iterable

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.expressions.text import has_half_a_pair, text_of
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks.task_type import Become, EndWorkflow, Start, Starting, TaskType


def start(starting: Starting) -> Start:
    """Become the task named by the input. No name ends the run."""
    key = starting.workflow_task.dynamic_task_name_param or ""
    name = starting.task.input.get(key)
    if name is None or name == "" or has_half_a_pair(text_of(name)):
        reason = f"DYNAMIC task {starting.workflow_task.task_reference_name}: its input {key} names no task"
        return EndWorkflow(WorkflowStatus.FAILED, None, reason, TaskStatus.FAILED)
    return Become(text_of(name))


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a step that does not say which input holds the name."""
    if not task.dynamic_task_name_param:
        message = f"dynamicTaskNameParam field is required for taskType: DYNAMIC taskName: {task.name}"
        yield Violation(f"{path}.dynamicTaskNameParam", message)


DYNAMIC = TaskType("DYNAMIC", start, validate, merges_template=True, delays_start=True)
