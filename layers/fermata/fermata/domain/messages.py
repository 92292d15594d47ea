"""What is delivered to the doors. Every message may come twice, late, early or never; it carries what it believes."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from fermata.domain.ids import scheduled_run_id


@dataclass(frozen=True)
class RunTask:
    """Try this task attempt (the id names the attempt)."""

    workflow_id: str
    task_id: str


@dataclass(frozen=True)
class PollDue:
    """Make poll number `poll` (from 1) of this HTTP_POLL attempt, if it is the next one and due."""

    workflow_id: str
    task_id: str
    poll: int


@dataclass(frozen=True)
class WakeTask:
    """Look at this task attempt: its wait is over, its deadline has passed, or its outcome was recorded. Safe at any time."""

    workflow_id: str
    task_id: str


@dataclass(frozen=True)
class WakeWorkflow:
    """Look at the run itself: its own timeout. Safe at any time."""

    workflow_id: str


@dataclass(frozen=True)
class EndRun:
    """Terminate this run if the task that started it no longer waits for it. A run that is over stays as it is."""

    workflow_id: str


@dataclass(frozen=True)
class StartFailureWorkflow:
    """Start the failure workflow of this run, which has failed. Its id is derived: a repeat starts nothing."""

    workflow_id: str


@dataclass(frozen=True)
class StartScheduled:
    """Start what this schedule starts at this moment, by the cron with this number (from 1), if it still is one of its moments.

    A moment on a whole minute stands for every second of that minute that the cron names. The run's id is derived: a repeat starts nothing.
    """

    schedule: str
    entry: int
    at: datetime

    @property
    def workflow_id(self) -> str:
        """The run that this message is about."""
        return scheduled_run_id(self.schedule, self.entry, self.at)


Message: TypeAlias = RunTask | PollDue | WakeTask | WakeWorkflow | EndRun | StartFailureWorkflow | StartScheduled
