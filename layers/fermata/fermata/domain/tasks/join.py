"""JOIN: waits until all tasks it names are over (Conductor engine reference, 6.4)."""

from collections.abc import Iterable

from fermata.domain import joining
from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.tasks import hooks
from fermata.domain.tasks.task_type import Join, Start, Starting, TaskType


def start(starting: Starting) -> Start:
    """Wait for `joinOn`: the definition's, or what a dynamic fork has just forked."""
    awaited = starting.task.input.get("joinOn", starting.workflow_task.join_on)
    return Join(tuple(awaited))


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a `joinMode` that is not known."""
    if task.join_mode not in (None, "SYNC", "ASYNC"):
        yield Violation(f"{path}.joinMode", f"joinMode of JOIN task {task.task_reference_name} must be SYNC or ASYNC", task.join_mode)


JOIN = TaskType(
    "JOIN",
    start,
    validate,
    moved=joining.moved,
    deadline=hooks.in_its_own_time,
    stuck=joining.fail_for_ever_waiting,
    names_itself=True,
    may_retry=False,
    takes_input=False,
    waits_for_others=True,
)
