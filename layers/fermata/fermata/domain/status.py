"""The statuses of workflows and tasks and what follows from each. Tables only (Conductor engine reference, section 2)."""

from enum import StrEnum


class WorkflowStatus(StrEnum):
    RUNNING = "RUNNING"
    PAUSED = "PAUSED"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    TIMED_OUT = "TIMED_OUT"
    TERMINATED = "TERMINATED"

    @property
    def terminal(self) -> bool:
        return self not in (WorkflowStatus.RUNNING, WorkflowStatus.PAUSED)


class TaskStatus(StrEnum):
    SCHEDULED = "SCHEDULED"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    COMPLETED_WITH_ERRORS = "COMPLETED_WITH_ERRORS"
    FAILED = "FAILED"
    FAILED_WITH_TERMINAL_ERROR = "FAILED_WITH_TERMINAL_ERROR"
    TIMED_OUT = "TIMED_OUT"
    CANCELED = "CANCELED"
    SKIPPED = "SKIPPED"

    @property
    def terminal(self) -> bool:
        return self not in _OPEN

    @property
    def successful(self) -> bool:
        return self in _SUCCESSFUL

    @property
    def retriable(self) -> bool:
        return self not in _NOT_RETRIABLE


_OPEN = frozenset({TaskStatus.SCHEDULED, TaskStatus.IN_PROGRESS})
_SUCCESSFUL = _OPEN | {TaskStatus.COMPLETED, TaskStatus.COMPLETED_WITH_ERRORS, TaskStatus.SKIPPED}
_NOT_RETRIABLE = frozenset({TaskStatus.FAILED_WITH_TERMINAL_ERROR, TaskStatus.CANCELED, TaskStatus.SKIPPED})
