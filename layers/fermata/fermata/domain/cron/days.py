"""The day terms of a cron expression that depend on the calendar, and which days meet them."""

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeAlias, assert_never

FRIDAY, SATURDAY, SUNDAY = 5, 6, 7
SHORTEST_MONTH = 28


@dataclass(frozen=True)
class Day:
    """This day of the month, from 1."""

    number: int


@dataclass(frozen=True)
class LastDay:
    """`L`, or `L-3`: so many days before the month's last one."""

    before: int = 0


@dataclass(frozen=True)
class LastWorkday:
    """`LW`: the last day of the month from Monday to Friday."""


@dataclass(frozen=True)
class NearestWorkday:
    """`15W`: the day from Monday to Friday that is nearest to this day, within its month."""

    number: int


@dataclass(frozen=True)
class Weekday:
    """This day of the week, 1 Monday to 7 Sunday (ISO 8601)."""

    number: int


@dataclass(frozen=True)
class LastWeekday:
    """`5L`: the month's last day that is this day of the week."""

    number: int


@dataclass(frozen=True)
class NthWeekday:
    """`5#2`: the month's n-th day that is this day of the week."""

    number: int
    nth: int


MonthDay: TypeAlias = Day | LastDay | LastWorkday | NearestWorkday
WeekDay: TypeAlias = Weekday | LastWeekday | NthWeekday


def is_month_day(term: MonthDay, day: date) -> bool:
    last = calendar.monthrange(day.year, day.month)[1]
    match term:
        case Day(number):
            return day.day == number
        case LastDay(before):
            return day.day == last - before
        case LastWorkday():
            return day == _workday_near(day.replace(day=last))
        case NearestWorkday(number):
            return number <= last and day == _workday_near(day.replace(day=number))
        case _ as never:
            assert_never(never)


def is_week_day(term: WeekDay, day: date) -> bool:
    if day.isoweekday() != term.number:
        return False
    match term:
        case Weekday():
            return True
        case LastWeekday():
            return day.day + 7 > calendar.monthrange(day.year, day.month)[1]
        case NthWeekday(_, nth):
            return (day.day + 6) // 7 == nth
        case _ as never:
            assert_never(never)


def possible_days(term: MonthDay) -> range:
    """Return the numbers that such a day can have in some month: no fewer, perhaps more."""
    match term:
        case Day(number):
            return range(number, number + 1)
        case LastDay(before):
            return range(max(SHORTEST_MONTH - before, 1), 31 - before + 1)
        case LastWorkday():
            return range(SHORTEST_MONTH - 2, 31 + 1)
        case NearestWorkday(number):
            return range(max(number - 2, 1), min(number + 2, 31) + 1)
        case _ as never:
            assert_never(never)


def _workday_near(day: date) -> date:
    """Return the nearest day from Monday to Friday; a Saturday goes back and a Sunday forward, unless that leaves the month."""
    if day.isoweekday() == SATURDAY:
        before = day - timedelta(days=1)
        return before if before.month == day.month else day + timedelta(days=2)
    if day.isoweekday() == SUNDAY:
        after = day + timedelta(days=1)
        return after if after.month == day.month else day - timedelta(days=2)
    return day
