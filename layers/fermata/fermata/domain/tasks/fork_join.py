"""FORK_JOIN: starts branches side by side (Conductor engine reference, 6.4)."""

from collections.abc import Iterable

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.tasks.task_type import Fork, Start, Starting, TaskType


def start(starting: Starting) -> Start:
    """Start every branch."""
    return Fork(starting.workflow_task.fork_tasks)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a fork without branches, and branches without tasks (Conductor's run would hang there)."""
    if not task.fork_tasks:
        yield Violation(f"{path}.forkTasks", f"forkTasks of FORK_JOIN task {task.task_reference_name} must not be empty")
    for index, branch in enumerate(task.fork_tasks):
        if not branch:
            message = f"branch {index} of FORK_JOIN task {task.task_reference_name} has no tasks"
            yield Violation(f"{path}.forkTasks[{index}]", message)


FORK_JOIN = TaskType("FORK_JOIN", start, validate, knows_own_id=False, names_itself=True, may_retry=False, record_name="FORK")
