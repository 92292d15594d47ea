"""The sweeper's index."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol


class DueKind(StrEnum):
    WORKFLOW = "WORKFLOW"
    TASK = "TASK"
    POLL = "POLL"
    WORK = "WORK"
    SCHEDULE = "SCHEDULE"


@dataclass(frozen=True)
class DueEntry:
    """Something whose look-at has come: a workflow row, a task row, the hot row of a poll, a worker row or a schedule.

    A schedule has no run: its name stands in `workflow_id`.
    """

    kind: DueKind
    workflow_id: str
    task_id: str | None
    look_at: datetime


# What every store writes into the index by itself; all other look-ats stand in what it is given.
OUTBOX_GRACE = timedelta(seconds=60)  # after a commit: a dispatch that has not confirmed by then is taken for lost
FIRST_LOOK_AFTER = timedelta(seconds=60)  # after a poll's first due time: the message that starts it may be lost


class DueIndex(Protocol):
    """The sweeper's sparse index over everything that has a look-at."""

    def overdue(self, now: datetime, limit: int) -> Sequence[DueEntry]:
        """Return up to `limit` entries with `look_at <= now`, oldest first within a shard. May lag by a moment."""

    def look_again(self, entry: DueEntry, look_at: datetime) -> None:
        """Move an entry forward, if it is still at `entry.look_at`; nothing happens otherwise."""
