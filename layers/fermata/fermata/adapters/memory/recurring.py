"""Recurring alarms in memory, for whoever plays them on a clock of his own."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from fermata.domain.cron.moments import next_moment, time_zone
from fermata.domain.messages import StartScheduled
from fermata.domain.schedules import Recurrence

_MINUTE = timedelta(minutes=1)


class MemoryRecurringAlarms:
    """A `RecurringAlarms`. It fires at every minute in which a cron has a moment, once it has been put."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._armed: dict[tuple[str, int], tuple[Recurrence, datetime]] = {}

    def put(self, recurrence: Recurrence, now: datetime) -> None:
        key = (recurrence.schedule, recurrence.entry)
        by_minute = replace(recurrence, cron=replace(recurrence.cron, seconds=frozenset({0})))
        with self._lock:
            if key not in self._armed or self._armed[key][0] != by_minute:
                self._armed[key] = (by_minute, now)

    def remove(self, schedule: str, entry: int) -> None:
        with self._lock:
            self._armed.pop((schedule, entry), None)

    def armed(self) -> Sequence[Recurrence]:
        """Return all there are, by schedule and number. Their seconds are left out: they fire by the minute."""
        with self._lock:
            return [self._armed[key][0] for key in sorted(self._armed)]

    def next_at(self) -> datetime | None:
        """Return when the next one fires, or None."""
        with self._lock:
            firsts = [_next(recurrence, since) for recurrence, since in self._armed.values()]
        return min((first for first in firsts if first), default=None)

    def take_due(self, now: datetime) -> Sequence[StartScheduled]:
        """Return the messages of all that fire up to `now`, and go on from there."""
        with self._lock:
            due = [message for recurrence, since in self._armed.values() for message in _fired(recurrence, since, now)]
            self._armed = {key: (recurrence, max(since, now)) for key, (recurrence, since) in self._armed.items()}
        return sorted(due, key=lambda message: message.at)


def _next(recurrence: Recurrence, since: datetime) -> datetime | None:
    if not recurrence.enabled:
        return None
    begin = max(since, recurrence.start - _MINUTE) if recurrence.start else since
    moment = next_moment(recurrence.cron, time_zone(recurrence.zone), begin)
    return moment if moment and (recurrence.end is None or moment <= recurrence.end) else None


def _fired(recurrence: Recurrence, since: datetime, now: datetime) -> list[StartScheduled]:
    fired = []
    while (since_next := _next(recurrence, since)) is not None and since_next <= now:
        fired.append(StartScheduled(recurrence.schedule, recurrence.entry, since_next))
        since = since_next
    return fired
