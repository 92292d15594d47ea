"""Messages waiting for their moment, in memory. Whoever plays the queues takes the due ones out."""

import threading
from collections.abc import Sequence
from datetime import datetime

from fermata.domain.messages import Message


class MemoryAlarms:
    """An `Alarms`. A message waiting for the same moment twice waits once, as a schedule of the same name would."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[tuple[Message, datetime], None] = {}  # in the order sent

    def send(self, message: Message, at: datetime, now: datetime) -> None:  # noqa: ARG002 - the port's signature
        with self._lock:
            self._waiting.setdefault((message, at))

    def waiting(self) -> Sequence[tuple[Message, datetime]]:
        """Return all that waits, in the order it was sent."""
        with self._lock:
            return list(self._waiting)

    def next_at(self) -> datetime | None:
        """Return the earliest moment something waits for, or None."""
        with self._lock:
            return min((at for _, at in self._waiting), default=None)

    def take_due(self, now: datetime) -> Sequence[Message]:
        """Remove and return the messages due by `now`, earliest first."""
        with self._lock:
            due = sorted((pair for pair in self._waiting if pair[1] <= now), key=lambda pair: pair[1])
            self._waiting = {pair: None for pair in self._waiting if pair[1] > now}
        return [message for message, _ in due]
