"""Schedules, the records of what they started, and the alarms that recur for them."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from fermata.domain.errors import FermataError
from fermata.domain.schedules import Recurrence, Schedule, ScheduledStart


class Schedules(Protocol):
    """Schedules, and the records of what they started."""

    def put(self, schedule: Schedule) -> bool:
        """Store it if the stored revision is the one before `schedule.revision` (1: nothing is stored yet). Return False when not.

        The row's look-at becomes `schedule.look_at`.
        """

    def load(self, name: str) -> Schedule | None:
        """Return it, also one that is being deleted."""

    def all(self) -> Sequence[Schedule]:
        """Return every one, by name, also those that are being deleted."""

    def forget(self, schedule: Schedule) -> bool:
        """Remove it if the stored revision is this one's. Return False when not."""

    def begin(self, start: ScheduledStart) -> ScheduledStart:
        """Store the record unless there is one of its execution id; return the stored one."""

    def end(self, start: ScheduledStart) -> None:
        """Store how it went. Safe to repeat."""

    def starts(self, name: str) -> Sequence[ScheduledStart]:
        """Return the records that are kept of a schedule, the newest moment first."""

    def forget_starts(self, starts: Sequence[ScheduledStart]) -> None:
        """Remove records. Unknown ones: nothing happens."""


class RecurrencePart(StrEnum):
    """What of a recurrence was not taken."""

    CRON = "cron"
    ZONE = "zone"
    START = "start"
    END = "end"


class RecurrenceRefused(FermataError):
    """What keeps the alarms takes no such recurrence. The message is its own."""

    def __init__(self, entry: int, part: RecurrencePart, said: str) -> None:
        super().__init__(said)
        self.entry = entry
        self.part = part


class RecurringAlarms(Protocol):
    """Deliver `StartScheduled` at every minute in which a cron has a moment, at least once each, until it is removed."""

    def put(self, recurrence: Recurrence, now: datetime) -> None:
        """Let the cron with this number of this schedule be as told: made, changed or, when not `enabled`, silent. Safe to repeat.

        Raises `RecurrenceRefused`; then it is as it was.
        """

    def remove(self, schedule: str, entry: int) -> None:
        """Forget it. Unknown: nothing happens."""
