"""NOOP: over at once, with nothing (Conductor engine reference, 6.19)."""

from fermata.domain.status import TaskStatus
from fermata.domain.tasks.task_type import Finished, Start, Starting, TaskType


def start(starting: Starting) -> Start:  # noqa: ARG001 - the signature of a task type's `start`
    """Do nothing."""
    return Finished(TaskStatus.COMPLETED)


NOOP = TaskType("NOOP", start, takes_input=False)
