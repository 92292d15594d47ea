"""Conductor's spelling of a WAIT's `duration` and `until` (Conductor engine reference, 6.13)."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_DURATION = re.compile(
    r"\s*(?:(?P<days>\d{1,9})\s*(?:days|day|d))?"
    r"\s*(?:(?P<hours>\d{1,9})\s*(?:hours|hour|hrs|hr|h))?"
    r"\s*(?:(?P<minutes>\d{1,9})\s*(?:minutes|minute|mins|min|m))?"
    r"\s*(?:(?P<seconds>\d{1,9})\s*(?:seconds|second|secs|sec|s))?\s*",
    re.IGNORECASE,
)
_UNTIL_FORMATS = ("%Y-%m-%d %H:%M", "%Y-%m-%d")


def parse_duration(text: str) -> timedelta:
    """Return the duration of `1h30m`, `2 days 5 hours`, ... Raises `ValueError` for anything else, bare numbers too."""
    found = _DURATION.fullmatch(text)
    parts = {unit: int(number) for unit, number in found.groupdict().items() if number} if found else {}
    if not parts:
        raise ValueError(f"'{text}' is not a duration; write days, hours, minutes and seconds like '2d 5h 30m 10s'")
    try:
        return timedelta(**parts)
    except OverflowError as error:
        raise ValueError(f"'{text}' is too long a duration") from error


def parse_until(text: str) -> datetime:
    """Return the moment of `yyyy-MM-dd HH:mm z`, `yyyy-MM-dd HH:mm` or `yyyy-MM-dd`; UTC when no zone is given.

    Raises `ValueError` for anything else.
    """
    stripped = text.strip()
    moment_text, zone = stripped, UTC
    if re.fullmatch(r"\S+ \S+ \S.*", stripped):
        moment_text, _, zone_name = stripped.rpartition(" ")
        zone = _zone(zone_name, text)  # type: ignore[assignment]  # both are tzinfo
    for pattern in _UNTIL_FORMATS:
        try:
            return datetime.strptime(moment_text, pattern).replace(tzinfo=zone).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    raise ValueError(f"'{text}' is not a moment; write 'yyyy-MM-dd HH:mm', with a time zone after it if not UTC")


def _zone(name: str, text: str) -> ZoneInfo:
    try:
        return ZoneInfo("UTC" if name in ("GMT", "Z") else name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"'{text}' names the time zone '{name}', which is not known; write one like 'Europe/Berlin' or 'UTC'") from error
