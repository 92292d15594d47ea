"""When the next poll is due, and where polling ends."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from fermata.domain.poll_settings import PollingStrategy, PollSettings
from fermata.domain.polling import PollSpec

_FASTEST_DOUBLING = 40  # 2^40 seconds is past every cap; the exponent stops there


def next_due(settings: PollSettings, spec: PollSpec, polls_made: int, now: datetime, retry_after: datetime | None) -> datetime:
    """Return when the next poll is due: the strategy's interval or Retry-After, the later of the two.

    Both are bounded by `maxPollingInterval`, and by the deadline, where a last look is taken.
    """
    due = now + interval_after(settings, polls_made)
    if retry_after is not None:
        due = max(due, min(retry_after, now + settings.max_interval))
    limit = deadline_of(settings, spec)
    return min(due, limit) if limit else due


def interval_after(settings: PollSettings, polls_made: int) -> timedelta:
    """Return the wait after `polls_made` polls (from 1): FIXED i; LINEAR i*k; EXPONENTIAL i*2^(k-1); capped."""
    match settings.strategy:
        case PollingStrategy.FIXED:
            return settings.interval
        case PollingStrategy.LINEAR_BACKOFF:
            factor = polls_made
        case PollingStrategy.EXPONENTIAL_BACKOFF:
            factor = 2 ** min(polls_made - 1, _FASTEST_DOUBLING)
    seconds = min(settings.interval.total_seconds() * factor, settings.max_interval.total_seconds())
    return timedelta(seconds=seconds)


def deadline_of(settings: PollSettings, spec: PollSpec) -> datetime | None:
    """Return the moment of the last look, or None."""
    return spec.opened_at + settings.deadline if settings.deadline else None


def parse_retry_after(text: str, now: datetime) -> datetime | None:
    """Return the moment of a Retry-After value, seconds or an HTTP date (RFC 9110, 10.2.3), or None when it is neither."""
    stripped = text.strip()
    if stripped.isascii() and stripped.isdigit():
        return now + timedelta(seconds=min(int(stripped[:12]), 10**8))
    try:
        moment = parsedate_to_datetime(stripped)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
