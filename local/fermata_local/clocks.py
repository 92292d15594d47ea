"""The two clocks of the laptop: one waits, one skips. Both fit the engine's `Clock` port."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from fermata.adapters.clock import SystemClock

_MILLISECOND = timedelta(milliseconds=1)


class LocalClock(Protocol):
    def now(self) -> datetime:
        """Return the present moment, aware, UTC, in whole milliseconds."""

    def skip_to(self, moment: datetime) -> bool:
        """Go forward to `moment`. Return False on a clock that waits; a past moment changes nothing."""


class RealClock(SystemClock):
    """The system's time. Waiting is left to whoever asked to skip."""

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
        now = self._start + self._skipped + timedelta(seconds=self._elapsed())
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    def skip_to(self, moment: datetime) -> bool:
        milliseconds = -((self.now() - moment) // _MILLISECOND)  # upwards: the moment is reached, not nearly so
        self._skipped += max(milliseconds, 0) * _MILLISECOND
        return True


def skipping_from_now() -> SkippingClock:
    """Return a clock that begins at the real time, runs at its pace and can jump ahead of it."""
    began = time.monotonic()
    return SkippingClock(RealClock().now(), lambda: time.monotonic() - began)
