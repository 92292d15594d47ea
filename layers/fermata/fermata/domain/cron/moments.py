"""The moments of a cron expression in a time zone, forwards and backwards, and whether there are any."""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fermata.domain.cron.days import possible_days
from fermata.domain.cron.expression import Cron

HORIZON_YEARS = 50  # a 29 February that is a Monday comes back after 40 years at the latest
_LAST_SECOND, _FIRST_SECOND = time(23, 59, 59), time(0, 0, 0)
# Keys that the operating system's zone database has besides the zones.
_NO_ZONES = frozenset({"localtime", "posixrules", "Factory"})


def time_zone(name: str) -> ZoneInfo:
    """Return the zone. Raises `ValueError` for a name that the IANA database does not have."""
    try:
        return ZoneInfo("" if name in _NO_ZONES else name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name[:60]!r} is no time zone; use a name such as Europe/Berlin or UTC") from error


def moments_after(cron: Cron, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Yield the moments later than `after`, in UTC, for 50 years.

    As EventBridge Scheduler documents it: a time of day that the clocks skip does not come, one that they show twice comes once, the
    first time.
    """
    return _moments(cron, zone, after, reverse=False)


def moments_before(cron: Cron, zone: ZoneInfo, before: datetime) -> Iterator[datetime]:
    """Like `moments_after`, back from `before`."""
    return _moments(cron, zone, before, reverse=True)


def _moments(cron: Cron, zone: ZoneInfo, start: datetime, *, reverse: bool) -> Iterator[datetime]:
    """Let cronsim find the times on days that are possible, and leave out the days that are not meant."""
    from cronsim import CronSim, CronSimError  # here, because only those who ask for moments should pay for it

    text, at = _possible(cron), start.astimezone(zone)
    horizon = at.year + (-HORIZON_YEARS if reverse else HORIZON_YEARS)
    try:
        found = CronSim(text, at, reverse=reverse)
    except CronSimError:
        return  # such as 30 February
    while (moment := next(found, None)) is not None and (moment.year < horizon) != reverse:
        if not cron.has_day(moment.date()):
            edge = _FIRST_SECOND if reverse else _LAST_SECOND
            found = CronSim(text, datetime.combine(moment.date(), edge, zone), reverse=reverse)
        elif not moment.fold and cron.has(moment.astimezone(UTC), zone):  # not when the clocks skip it
            yield moment.astimezone(UTC)


def _possible(cron: Cron) -> str:
    """Return what cronsim is asked: all the times of day, on days of which the meant ones are a part."""
    days = sorted({day for term in cron.days for day in possible_days(term)}) if cron.days else ()
    weekdays = sorted({term.number for term in cron.weekdays}) if cron.weekdays and not days else ()
    fields = (_listed(cron.seconds, 60), _listed(cron.minutes, 60), _listed(cron.hours, 24), _listed(days, 31))
    return " ".join((*fields, _listed(cron.months, 12), _listed(weekdays, 7)))


def _listed(numbers: Collection[int], all_of_them: int) -> str:
    return "*" if len(numbers) in (0, all_of_them) else ",".join(str(number) for number in sorted(numbers))


def next_moment(cron: Cron, zone: ZoneInfo, after: datetime) -> datetime | None:
    """Return the next moment, None when none comes within 50 years."""
    return next(moments_after(cron, zone, after), None)
