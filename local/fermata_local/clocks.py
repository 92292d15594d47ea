"""The two clocks of the laptop: one waits, one skips. Both fit the engine's `Clock` port."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol


class LocalClock(Protocol):
    def now(self) -> datetime:
        """Return the present moment, aware, UTC."""

    def skip_to(self, moment: datetime) -> bool:
        """Go forward to `moment`. Return False on a clock that waits; a past moment changes nothing."""


class RealClock:
    """The system's time. Waiting is left to whoever asked to skip."""

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 - the laptop's clock adapter

    def skip_to(self, moment: datetime) -> bool:  # noqa: ARG002 - the shape of LocalClock
        return False


def _stands_still() -> float:
    return 0.0


class SkippingClock:
    """Time that jumps. Between jumps it follows `elapsed` (seconds); by default it stands still, which makes tests repeatable."""

    def __init__(self, start: datetime, elapsed: Callable[[], float] = _stands_still) -> None:
        self._start = start
        self._elapsed = elapsed
        self._skipped = timedelta(0)

    def now(self) -> datetime:
        return self._start + self._skipped + timedelta(seconds=self._elapsed())

    def skip_to(self, moment: datetime) -> bool:
        self._skipped += max(moment - self.now(), timedelta(0))
        return True


def skipping_from_now() -> SkippingClock:
    """Return a clock that begins at the real time, runs at its pace and can jump ahead of it."""
    began = time.monotonic()
    return SkippingClock(RealClock().now(), lambda: time.monotonic() - began)
