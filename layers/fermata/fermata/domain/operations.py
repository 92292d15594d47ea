"""What somebody did to a run from outside, as it is written down: who, when, and why."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from fermata.domain.status import TaskStatus

MAX_REASON_CHARACTERS = 1000


class Verb(StrEnum):
    """What was done. The words are shown."""

    PAUSE = "pause"
    RESUME = "resume"
    TERMINATE = "terminate"
    RETRY = "retry"
    RESTART = "restart"
    RERUN = "rerun"
    SKIP = "skip-task"
    POLL_NOW = "poll-now"
    COMPLETE_TASK = "complete-task"
    FAIL_TASK = "fail-task"
    CANCEL_TASK = "cancel-task"


@dataclass(frozen=True)
class Order:
    """Who wants something done, and why. `by`: an access key's id, the ARN of whoever signed, `local` where nobody is asked."""

    by: str
    reason: str | None = None


@dataclass(frozen=True)
class Operation:
    """One thing that was done. `key` is derived from what it identifies, so that a repeat writes the same; empty until that is known."""

    workflow_id: str
    verb: Verb
    at: datetime
    by: str
    reason: str | None = None
    task_reference_name: str | None = None
    key: str = ""


def operation(order: Order, workflow_id: str, verb: Verb, at: datetime, task_reference_name: str | None = None, key: str = "") -> Operation:
    """Return what is written down of an order. Only the first `MAX_REASON_CHARACTERS` of a reason are kept."""
    reason = order.reason[:MAX_REASON_CHARACTERS] if order.reason else None
    return Operation(workflow_id, verb, at, order.by, reason, task_reference_name, key)


def of_decision(revision: int) -> str:
    """Return the key of what a decision carried out: each revision of a run is decided once."""
    return f"r{revision:012d}"


def of_poll(task_id: str, poll: int) -> str:
    """Return the key of asking for a poll: who asks again for the same poll is not written down again."""
    return f"p{task_id}#{poll}"


def of_end(task_id: str) -> str:
    """Return the key of ending an attempt: the first end that is told wins."""
    return f"e{task_id}"


def ending(status: TaskStatus) -> Verb:
    if status is TaskStatus.CANCELED:
        return Verb.CANCEL_TASK
    return Verb.COMPLETE_TASK if status.successful else Verb.FAIL_TASK
