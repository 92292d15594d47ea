"""Time limits of one call, measured on a clock that is an argument."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from fermata.domain.http_exchange import HttpRequest

# How long a whole call may take beyond its two timeouts, redirects and a slow body included: 6 MB at 5 Mbit/s.
TRANSFER_ALLOWANCE = timedelta(seconds=10)

# A timeout in a definition is anybody's number: sockets take neither zero (non-blocking) nor more than they can count,
# and no Lambda function waits longer than 15 minutes.
_SHORTEST_SECONDS = 0.001
_LONGEST_SECONDS = 900.0


@dataclass(frozen=True)
class TimeLimits:
    """Seconds. `ends_at` is a reading of `clock`; until then everything must be complete."""

    connect: float
    read: float
    total: float
    ends_at: float
    clock: Callable[[], float]

    @classmethod
    def of(cls, request: HttpRequest, clock: Callable[[], float], allowance: timedelta) -> "TimeLimits":
        connect, read = _bounded(request.connection_timeout), _bounded(request.read_timeout)
        total = connect + read + allowance.total_seconds()
        return cls(connect, read, total, clock() + total, clock)

    @property
    def over(self) -> bool:
        return self.clock() >= self.ends_at

    def next_wait(self, limit: float) -> float:
        """Return how long the next wait may be, at most `limit`. Raises `TimeoutError` when the time is over."""
        left = self.ends_at - self.clock()
        if left <= 0:
            raise TimeoutError("the time for the whole call is over")
        return min(limit, left)


def _bounded(timeout: timedelta) -> float:
    return min(max(timeout.total_seconds(), _SHORTEST_SECONDS), _LONGEST_SECONDS)
