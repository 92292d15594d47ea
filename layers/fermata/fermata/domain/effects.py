"""What a decision wants done once it is stored. Each effect is safe to carry out twice."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from fermata.domain.executions import Task, Workflow
from fermata.domain.messages import Message
from fermata.domain.operations import Operation
from fermata.domain.polling import PollSpec
from fermata.domain.working import WorkItem


@dataclass(frozen=True)
class Send:
    """Deliver `message` at `at` (a past moment means now)."""

    message: Message
    at: datetime


@dataclass(frozen=True)
class OpenPoll:
    """Create the hot row of an HTTP_POLL attempt. "Already exists" is success."""

    spec: PollSpec
    first_due: datetime


@dataclass(frozen=True)
class ClosePoll:
    """Make every later alarm of this HTTP_POLL attempt stale."""

    task_id: str


@dataclass(frozen=True)
class Enqueue:
    """Create the worker row of a SIMPLE attempt. "Already exists" is success."""

    item: WorkItem


@dataclass(frozen=True)
class Dequeue:
    """Take a SIMPLE attempt away from the workers, for good."""

    workflow_id: str
    task_id: str


@dataclass(frozen=True)
class ForgetWork:
    """Drop what is kept beside the row of a SIMPLE attempt that the run no longer keeps: its worker row and its logs."""

    workflow_id: str
    task_id: str


@dataclass(frozen=True)
class WriteDown:
    """Keep who ordered this decision, and why. "Already exists" is success."""

    operation: Operation


Effect: TypeAlias = Send | OpenPoll | ClosePoll | Enqueue | Dequeue | ForgetWork | WriteDown


@dataclass(frozen=True)
class Decision:
    """The next state of a run and what follows. Stored in one conditional write, then carried out."""

    workflow: Workflow
    tasks: tuple[Task, ...] = ()  # new or changed task rows, whole
    effects: tuple[Effect, ...] = ()
    removed: tuple[str, ...] = ()  # ids of task rows that the run no longer keeps (`keepLastN`)
    changed: bool = True
