"""What workers take, and what they write about it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from fermata.domain.work_limiting import Limiter
from fermata.domain.working import LogEntry, WorkerQueue, WorkItem, WorkKey


class WorkQueue(Protocol):
    """The worker rows of SIMPLE attempts and the queues in which they wait. Every row moves by compare-and-set on its version."""

    def open(self, item: WorkItem) -> None:
        """Create the row. "Already exists" is success and changes nothing."""

    def load(self, wanted: Collection[WorkKey]) -> Mapping[str, WorkItem]:
        """Return the rows among the asked ones, by task id, closed ones included."""

    def move(self, after: WorkItem) -> bool:
        """Replace the row if it is open and its version is the one before `after.version`. Return False when not."""

    def close(self, key: WorkKey) -> None:
        """Take the row out of its queue for good; no move succeeds any more. Unknown or closed: nothing happens."""

    def remove(self, key: WorkKey) -> None:
        """Forget the row. Unknown: nothing happens."""

    def waiting(self, queue: str, now: datetime, limit: int, at_once: int | None = None) -> Iterable[WorkItem]:
        """Give up to `limit` rows that may be taken now: first `at_once` of them (all, unless given), the rest when they are asked for.

        May miss new ones for a moment. Never shows one that had been taken when it was looked at.
        """

    def sizes(self, queues: Collection[str]) -> Mapping[str, int]:
        """Return how many rows wait in each queue, hidden ones included. May lag by a moment. One named twice counts once."""

    def queues(self) -> Sequence[WorkerQueue]:
        """Return every queue that ever held work or was polled, by name."""

    def note_poll(self, queue: WorkerQueue) -> None:
        """Keep that a worker asked for work (`queue.last_poll`). Two polls less than a second apart may count as one."""

    def last_polls(self, queues: Collection[str]) -> Mapping[str, datetime | None]:
        """Return each asked queue's last poll, None when there was none."""

    def limiter(self, name: str) -> Limiter:
        """Return what was let through of a task definition; version 0 when nothing ever was."""

    def limit(self, after: Limiter) -> bool:
        """Replace the limiter if its version is the one before `after.version`. Return False when not."""


class TaskLogs(Protocol):
    """What workers write about their tasks."""

    def append(self, key: WorkKey, entries: Sequence[LogEntry]) -> None:
        """Add entries. An equal entry of the same moment is kept once."""

    def read(self, key: WorkKey) -> Sequence[LogEntry]:
        """Return every entry, oldest first."""

    def remove(self, key: WorkKey) -> None:
        """Forget every entry. Unknown: nothing happens."""
