"""The present moment, a pause, and the only id that is drawn."""

from datetime import datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the present moment, aware, UTC, in whole milliseconds: a store gives it back as it was."""


class Pauses(Protocol):
    def pause(self, length: timedelta) -> None:
        """Let `length` pass while a caller waits for an answer. Only `application/waiting.py` calls it; nothing else ever waits."""


class Ids(Protocol):
    def new_workflow_id(self) -> str:
        """Return a fresh lower-case UUID: the only id that is drawn and not derived."""
