"""HUMAN: over when somebody says so (Conductor engine reference, 6.14)."""

from fermata.domain.tasks import hooks
from fermata.domain.tasks.task_type import Start, Starting, TaskType, Wait


def start(starting: Starting) -> Start:  # noqa: ARG001 - the signature of a task type's `start`
    """Wait for an update of the task."""
    return Wait(None)


HUMAN = TaskType("HUMAN", start, deadline=hooks.in_its_own_time)
