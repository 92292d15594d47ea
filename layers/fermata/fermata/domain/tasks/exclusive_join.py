"""EXCLUSIVE_JOIN: waits for the first scheduled of the tasks it names (Conductor engine reference, 6.5)."""

from fermata.domain import joining
from fermata.domain.tasks import hooks
from fermata.domain.tasks.task_type import JoinFirst, Start, Starting, TaskType


def start(starting: Starting) -> Start:
    """Wait for one of `joinOn`, or of `defaultExclusiveJoinTask` when none of them was scheduled."""
    step = starting.workflow_task
    return JoinFirst(step.join_on, step.default_exclusive_join_task)


EXCLUSIVE_JOIN = TaskType(
    "EXCLUSIVE_JOIN",
    start,
    moved=joining.moved_first,
    deadline=hooks.in_its_own_time,
    stuck=joining.fail_for_ever_waiting,
    names_itself=True,
    may_retry=False,
    takes_input=False,
    waits_for_others=True,
)
