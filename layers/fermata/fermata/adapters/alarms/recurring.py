"""Recurring alarms: EventBridge Scheduler's own recurring schedules, one for each cron of a schedule."""

import hashlib
import re
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Protocol

from fermata.adapters.alarms.target import WakeupTarget, target
from fermata.adapters.aws import Client, Refused, call
from fermata.domain.cron import Cron
from fermata.domain.cron.days import possible_days
from fermata.domain.errors import EngineBug, FermataError, TransientError
from fermata.domain.schedules import Recurrence
from fermata.ports import RecurrencePart, RecurrenceRefused
from fermata.wire.deliveries import recurring_text

# What Scheduler puts in this place when it fires: the moment it was meant for, e.g. 2026-03-22T18:59:00Z.
SCHEDULED_TIME = "<aws.scheduler.scheduled-time>"
MAX_DESCRIPTION = 512

_MINUTE = timedelta(minutes=1)
_EXISTS, _ABSENT = frozenset({"ConflictException"}), frozenset({"ResourceNotFoundException"})
_MOVED = _EXISTS | _ABSENT  # somebody else changes it, or has just removed it
_INVALID = frozenset({"ValidationException"})
# By words of its messages, such as "Invalid Schedule Expression cron(...)".
_PARTS = {
    "timezone": RecurrencePart.ZONE,
    "time zone": RecurrencePart.ZONE,
    "startdate": RecurrencePart.START,
    "start date": RecurrencePart.START,
    "enddate": RecurrencePart.END,
    "end date": RecurrencePart.END,
    "expression": RecurrencePart.CRON,
}
_A_ROW = 3  # numbers in a row from which `5-9` is shorter than a list


class RecurringTargets(WakeupTarget, Protocol):
    """What recurring schedules wake, and the name of the group they stand in."""

    @property
    def recurring_group(self) -> str: ...


class AwsRecurringAlarms:
    """A `RecurringAlarms`. A new one costs one call, a change two: it cannot be known from here whether it is there already."""

    def __init__(self, scheduler: Client, targets: RecurringTargets) -> None:
        self._scheduler = scheduler
        self._targets = targets

    def put(self, recurrence: Recurrence, now: datetime) -> None:
        if recurrence.end is not None and recurrence.end < now:
            self.remove(recurrence.schedule, recurrence.entry)  # Scheduler takes no end that is past
            return
        params = self._params(recurrence, now)
        try:
            if not self._created(params):
                call(self._scheduler.update_schedule, params, _MOVED | _INVALID)
        except Refused as refused:
            raise (_refusal(recurrence, refused) if refused.code in _INVALID else _meanwhile(refused)) from refused

    def remove(self, schedule: str, entry: int) -> None:
        params = {"Name": schedule_name(schedule, entry), "GroupName": self._targets.recurring_group}
        try:
            call(self._scheduler.delete_schedule, params, _MOVED)
        except Refused as refused:
            if refused.code not in _ABSENT:  # else it is gone already
                raise _meanwhile(refused) from refused

    def _created(self, params: dict[str, Any]) -> bool:
        try:
            call(self._scheduler.create_schedule, params, _EXISTS | _INVALID)
        except Refused as refused:
            if refused.code in _INVALID:
                raise
            return False
        return True

    def _params(self, recurrence: Recurrence, now: datetime) -> dict[str, Any]:
        return {
            "Name": schedule_name(recurrence.schedule, recurrence.entry),
            "GroupName": self._targets.recurring_group,
            "Description": f"Cron {recurrence.entry} of the schedule {recurrence.schedule}"[:MAX_DESCRIPTION],
            "ScheduleExpression": expression(recurrence.cron),
            "ScheduleExpressionTimezone": recurrence.zone,
            "State": "ENABLED" if recurrence.enabled else "DISABLED",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "ActionAfterCompletion": "NONE",
            "Target": target(self._targets, recurring_text(recurrence.schedule, recurrence.entry, SCHEDULED_TIME)),
            **_window(recurrence, now),
        }


def _refusal(recurrence: Recurrence, refused: Refused) -> FermataError:
    """Return what the schedule's author can mend; of anything else, such as the role, he knows nothing."""
    said = str(refused.answer.get("Error", {}).get("Message", ""))
    named = [(part is not RecurrencePart.ZONE, said.lower().index(word), part) for word, part in _PARTS.items() if word in said.lower()]
    if not named:
        return EngineBug(f"EventBridge Scheduler took no schedule: {refused.code}: {said}")
    # What is named first; the zone before all, because its field is ScheduleExpressionTimezone.
    return RecurrenceRefused(recurrence.entry, min(named)[2], said)


def _meanwhile(refused: Refused) -> TransientError:
    return TransientError(f"EventBridge Scheduler answered {refused.code}: the schedule is being changed; trying again may help.")


def schedule_name(schedule: str, entry: int) -> str:
    """Return the name of the recurring schedule, e.g. `nightly-report-1-1f0c...`: at most 64 of `[0-9a-zA-Z-_.]` (Scheduler's limit)."""
    digest = hashlib.sha256(schedule.encode()).hexdigest()[:32]
    return f"{re.sub(r'[^0-9a-zA-Z_.-]', '-', schedule)[:20]}-{entry}-{digest}"


def expression(cron: Cron) -> str:
    """Return Scheduler's `cron(...)` for every minute in which the cron has a moment, and perhaps some more.

    It is made of plain numbers, whose meaning is beyond doubt: `L`, `W` and `#` become all the days that can be meant, and where both
    kinds of days are restricted only the days of the month are told. Whoever is woken looks at the cron itself. The day of the week is 1
    on Sundays here, and one of the two day fields must be `?`. The longest that there can be has 247 characters, and 256 are allowed.
    """
    minutes, hours, months = _told(cron.minutes, 0, 59), _told(cron.hours, 0, 23), _told(cron.months, 1, 12)
    days, weekdays = _days(cron)
    return f"cron({minutes} {hours} {days} {months} {weekdays} *)"


def _days(cron: Cron) -> tuple[str, str]:
    if cron.days is not None:
        return _told({day for term in cron.days for day in possible_days(term)}, 1, 31), "?"
    if cron.weekdays is not None:
        return "?", _told({term.number % 7 + 1 for term in cron.weekdays}, 1, 7)
    return "*", "?"


def _told(numbers: Collection[int], low: int, high: int) -> str:
    """Return numbers as a field: `*`, a step such as `0/15`, or a list of numbers and ranges."""
    ordered = sorted(numbers)
    if len(ordered) == high - low + 1:
        return "*"
    step = ordered[1] - ordered[0] if len(ordered) > _A_ROW else 0
    if step > 1 and ordered == list(range(ordered[0], high + 1, step)):
        return f"{ordered[0]}/{step}"
    return ",".join(f"{row[0]}-{row[-1]}" if len(row) >= _A_ROW else ",".join(map(str, row)) for row in _rows(ordered))


def _rows(ordered: list[int]) -> list[list[int]]:
    rows: list[list[int]] = []
    for number in ordered:
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return rows


def _window(recurrence: Recurrence, now: datetime) -> dict[str, datetime]:
    """Return what of the window Scheduler is told, in whole minutes and never narrower. A start that is past is none."""
    window = {}
    if recurrence.start is not None and recurrence.start > now:
        window["StartDate"] = recurrence.start.replace(second=0, microsecond=0)
    if recurrence.end is not None:
        window["EndDate"] = recurrence.end.replace(second=0, microsecond=0) + _MINUTE
    return window
