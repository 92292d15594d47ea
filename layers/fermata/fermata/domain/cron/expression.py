"""Reading a cron expression: what Spring's `CronExpression` accepts, field by field."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import NamedTuple, TypeVar

from fermata.domain.cron.days import (
    Day,
    LastDay,
    LastWeekday,
    LastWorkday,
    MonthDay,
    NearestWorkday,
    NthWeekday,
    WeekDay,
    Weekday,
    is_month_day,
    is_week_day,
)

T = TypeVar("T")

MAX_CHARACTERS = 500
MACROS: Mapping[str, str] = {
    "@YEARLY": "0 0 0 1 1 *",
    "@ANNUALLY": "0 0 0 1 1 *",
    "@MONTHLY": "0 0 0 1 * *",
    "@WEEKLY": "0 0 0 * * 0",
    "@DAILY": "0 0 0 * * *",
    "@MIDNIGHT": "0 0 0 * * *",
    "@HOURLY": "0 0 * * * *",
}
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_WEEKDAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
_SUNDAY = 7


class InvalidCron(ValueError):
    """Says which of the six fields is wrong, and why."""


class _Field(NamedTuple):
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


_SECOND, _MINUTE, _HOUR = _Field("second", 0, 59), _Field("minute", 0, 59), _Field("hour", 0, 23)
_DAY, _MONTH = _Field("day of month", 1, 31), _Field("month", 1, 12, _MONTHS)
_WEEKDAY = _Field("day of week", 1, 7, _WEEKDAYS)


@dataclass(frozen=True)
class Cron:
    """When: every second that meets all six. `days` or `weekdays` None: any day. When both are given, both must be met, as in Spring."""

    seconds: frozenset[int]
    minutes: frozenset[int]
    hours: frozenset[int]
    days: tuple[MonthDay, ...] | None
    months: frozenset[int]
    weekdays: tuple[WeekDay, ...] | None

    def has_day(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        fits_month = self.days is None or any(is_month_day(term, day) for term in self.days)
        return fits_month and (self.weekdays is None or any(is_week_day(term, day) for term in self.weekdays))

    def has(self, moment: datetime, zone: tzinfo) -> bool:
        """Tell whether the whole second of an aware moment is one of these, on the clocks of the zone."""
        local = moment.astimezone(zone)
        in_day = local.second in self.seconds and local.minute in self.minutes and local.hour in self.hours
        return in_day and self.has_day(local.date())


def parse(text: str) -> Cron:
    """Return the expression. Raises `InvalidCron`, naming the field.

    Spring's rules: numbers, names, lists, ranges, steps, `?`, `L`, `L-3`, `LW`, `15W`, `5L`, `FRI#2` and the macros such as `@daily`.
    Sunday is 0 or 7. Letters may be small everywhere. A day such as `31W` never leaves its month, as in Quartz.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidCron(f"has more than {MAX_CHARACTERS} characters")
    words = MACROS.get(text.strip().upper(), text).upper().split()
    if len(words) != len(("second", "minute", "hour", "day", "month", "weekday")):
        raise InvalidCron(f"must have six fields, seconds first, or be one of {', '.join(MACROS).lower()}; it has {len(words)}")
    second, minute, hour, day, month, weekday = words
    return Cron(
        seconds=_numbers(_SECOND, second),
        minutes=_numbers(_MINUTE, minute),
        hours=_numbers(_HOUR, hour),
        days=None if day in {"*", "?"} else _terms(day, _month_days),
        months=_numbers(_MONTH, month),
        weekdays=None if weekday in {"*", "?"} else _terms(weekday, _week_days),
    )


def _terms(word: str, read: Callable[[str], tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(term for part in word.split(",") for term in read(part)))


def _month_days(part: str) -> tuple[MonthDay, ...]:
    if part == "LW":
        return (LastWorkday(),)
    if found := re.fullmatch(r"L(?:-(\d{1,2}))?", part):
        before = int(found[1] or 0)
        if found[1] and not 1 <= before < _DAY.high:
            raise _wrong(_DAY, part, "the number after L- must be from 1 to 30")
        return (LastDay(before),)
    if part.endswith("W"):
        return (NearestWorkday(_number(_DAY, part[:-1])),)
    return tuple(Day(number) for number in sorted(_numbers(_DAY, part)))


def _week_days(part: str) -> tuple[WeekDay, ...]:
    if part.endswith("L"):
        return (LastWeekday(_weekday(part[:-1])),)
    if "#" in part:
        name, _, nth = part.partition("#")
        if nth not in {"1", "2", "3", "4", "5"}:
            raise _wrong(_WEEKDAY, part, "the number after # must be from 1 to 5")
        return (NthWeekday(_weekday(name), int(nth)),)
    return tuple(dict.fromkeys(Weekday(number or _SUNDAY) for number in sorted(_numbers(_WEEKDAY, part))))


def _weekday(name: str) -> int:
    return _number(_WEEKDAY, name) or _SUNDAY


def _numbers(field: _Field, word: str) -> frozenset[int]:
    return frozenset(number for part in word.split(",") for number in _range(field, part))


def _range(field: _Field, part: str) -> range:
    """Read `*`, `5`, `5-9` and each of them with a step. `5/15` goes on to the field's end."""
    span, slash, step = part.partition("/")
    if slash and not re.fullmatch(r"[1-9]\d{0,8}", step):
        raise _wrong(field, part, "a step must be a whole number from 1 on")
    first, dash, last = span.partition("-")
    if span == "*":
        low, high = field.low, field.high
    elif dash:
        low, high = _number(field, first), _number(field, last)
        low = 0 if field is _WEEKDAY and low == _SUNDAY else low
    else:
        low = _number(field, span)
        high = field.high if slash else low
    if low > high:
        raise _wrong(field, part, "a range must not go backwards")
    return range(low, high + 1, int(step or 1))


def _number(field: _Field, text: str) -> int:
    if text in field.names:
        return field.names.index(text) + 1
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise _wrong(field, text, "that is no value of this field")
    number, low = int(text), 0 if field is _WEEKDAY else field.low
    if not low <= number <= field.high:
        raise _wrong(field, text, f"it must be from {low} to {field.high}")
    return number


def _wrong(field: _Field, part: str, why: str) -> InvalidCron:
    return InvalidCron(f"{field.name} {part[:40]!r}: {why}")
