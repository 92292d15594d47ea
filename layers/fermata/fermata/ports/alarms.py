"""How a message is delivered, now or later."""

from datetime import datetime
from typing import Protocol

from fermata.domain.messages import Message


class Alarms(Protocol):
    """Deliver a message now or later, at least once. One port hides queue, queue delay and one-shot schedule."""

    def send(self, message: Message, at: datetime, now: datetime) -> None:
        """Deliver at `at`, at once when that is past. Repeating the same call is harmless."""
