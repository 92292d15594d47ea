"""EventBridge Scheduler's recurring schedules, which moto only stores: fires them by their own expressions, not by ours."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from cronsim import CronSim
from fermata.adapters.alarms.recurring import SCHEDULED_TIME

from fermata_local import moto_internals
from fermata_local.moto_internals import Recurring
from fermata_local.sources import Delivery, door_of, nothing


class RecurringSchedules:
    """Fires each schedule at its next moment after it was first seen, or fired. Missed moments are not made up for.

    When a door fails, the line that reports it has to do: here nobody retries, as Lambda would twice.
    """

    def __init__(self, group: str, clock_now: Callable[[], datetime]) -> None:
        self._group = group
        self._now = clock_now
        self._since: dict[Recurring, datetime] = {}

    def due(self, now: datetime) -> Sequence[Delivery]:
        deliveries = []
        for schedule, moment in self._next().items():
            if moment is not None and moment <= now:
                self._since[schedule] = now
                event = json.loads(schedule.input.replace(SCHEDULED_TIME, f"{moment:%Y-%m-%dT%H:%M:%SZ}"))
                deliveries.append(Delivery(door_of(schedule.target_arn), event, nothing, nothing))
        return deliveries

    def next_moment(self) -> datetime | None:
        return min((moment for moment in self._next().values() if moment is not None), default=None)

    def _next(self) -> dict[Recurring, datetime | None]:
        now, known = self._now(), self._since
        self._since = {schedule: known.get(schedule, now) for schedule in moto_internals.recurring(self._group)}
        return {schedule: next_after(schedule, since) for schedule, since in self._since.items()}


@lru_cache(maxsize=4096)
def next_after(schedule: Recurring, since: datetime) -> datetime | None:
    """Return the next moment in the schedule's window. What the clocks show twice comes once, what they skip not at all."""
    moments = CronSim(_unix(schedule.expression), since.astimezone(ZoneInfo(schedule.zone)))
    for local in moments:
        moment = local.astimezone(UTC)
        if schedule.end is not None and moment >= schedule.end:
            return None
        if not local.fold and (schedule.start is None or moment >= schedule.start):
            return moment
    return None


def _unix(expression: str) -> str:
    """Return `cron(minute hour day month weekday year)` as cronsim reads it: seconds first, no year, Sunday 0.

    Raises `ValueError` for anything but numbers, ranges, steps and `*`: our adapter writes nothing else.
    """
    minute, hour, day, month, weekday, year = expression.removeprefix("cron(").removesuffix(")").split()
    if year != "*" or not set(expression.removeprefix("cron")) <= set("()0123456789,-/*? "):
        raise ValueError(f"the local cloud plays no {expression}")
    days, slash, step = weekday.partition("/")
    days = "".join(str(int(sign) - 1) if sign.isdigit() else sign for sign in days)  # they have one digit each
    return f"0 {minute} {hour} {day} {month} {days}{slash}{step}".replace("?", "*")
