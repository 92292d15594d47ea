"""The messages of one run that the door which started it carries out itself, so that its caller is answered at once."""

from datetime import datetime, timedelta

from fermata.domain.messages import Message
from fermata.ports import Alarms


class InHand:
    """An `Alarms` that keeps the messages of one run that are due soon; all others go on to `beyond`."""

    def __init__(self, workflow_id: str, beyond: Alarms, soon: timedelta) -> None:
        self._workflow_id = workflow_id
        self._beyond = beyond
        self._soon = soon
        self._held: list[tuple[datetime, int, Message]] = []

    def send(self, message: Message, at: datetime, now: datetime) -> None:
        if getattr(message, "workflow_id", None) == self._workflow_id and at - now <= self._soon:
            self._held.append((at, len(self._held), message))
        else:
            self._beyond.send(message, at, now)

    def next(self) -> tuple[datetime, Message] | None:
        """Take the message that is due first."""
        if not self._held:
            return None
        first = min(self._held, key=lambda each: each[:2])
        self._held.remove(first)
        return first[0], first[2]

    def let_go(self, now: datetime) -> None:
        """Hand on what is left. A crash before that loses nothing: the sweeper finds what was due."""
        while (found := self.next()) is not None:
            self._beyond.send(found[1], found[0], now)
