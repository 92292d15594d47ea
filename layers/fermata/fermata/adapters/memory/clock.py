"""A clock that moves when told to, and ids that count: time and chance for tests and the skipping laptop."""

import threading
import uuid
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, tzinfo=UTC)


class VirtualClock:
    """A `Clock` that stands still until moved. It never goes back."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start
        self._lock = threading.Lock()

    def now(self) -> datetime:
        with self._lock:
            return self._now

    def advance(self, by: timedelta) -> datetime:
        """Move on by `by` (a negative step stays) and return the new moment."""
        with self._lock:
            self._now += max(by, timedelta(0))
            return self._now

    def move_to(self, moment: datetime) -> datetime:
        """Move to `moment`, or stay when it is past, and return the moment it is."""
        with self._lock:
            self._now = max(self._now, moment)
            return self._now


class CountingIds:
    """An `Ids` that draws 1, 2, 3... in the form of UUIDs: the same test gives the same ids."""

    def __init__(self) -> None:
        self._count = 0
        self._lock = threading.Lock()

    def new_workflow_id(self) -> str:
        with self._lock:
            self._count += 1
            return str(uuid.UUID(int=self._count))
