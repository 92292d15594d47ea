"""Let a caller wait for an answer: look, pause, look again, the pauses growing. Nothing else in the engine waits.

A function that waits is paid for by the millisecond, so the time is bounded, and each look must be cheap.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from fermata.application.engine import Engine
from fermata.domain.errors import TransientError

FIRST_GAP = timedelta(milliseconds=50)
# A look costs about a fiftieth of a held second. With longer gaps the caller is held longer, on average half a gap after what it waits for.
LONGEST_GAP = timedelta(milliseconds=400)
NO_TIME = timedelta(0)

Seen = TypeVar("Seen")


def wait_for(engine: Engine, look: Callable[[], Seen | None], at_most: timedelta) -> Seen | None:
    """Look until something is seen; return None when nothing is at the end of `at_most`. It looks at least once.

    Raises `TransientError` only when the last look does.

    The pauses are counted, not the clock: time that jumps on a laptop ends nobody's patience.
    """
    gap, left = FIRST_GAP, at_most
    while (seen := _looked(look, is_last=left <= NO_TIME)) is None and left > NO_TIME:
        pause = min(gap, left)
        engine.pauses.pause(pause)
        gap, left = min(2 * gap, LONGEST_GAP), left - pause
    return seen


def _looked(look: Callable[[], Seen | None], *, is_last: bool) -> Seen | None:
    """Look. What failed for now is looked at again: a caller that has started a run must not lose its answer for it."""
    try:
        return look()
    except TransientError:
        if is_last:
            raise
        return None


def bounded(engine: Engine, asked: timedelta, began: datetime | None = None) -> timedelta:
    """Return how long a caller may wait that asks for so long: the operator's bound, less what its request has taken since it `began`."""
    spent = engine.clock.now() - began if began else NO_TIME
    return max(NO_TIME, min(asked, engine.longest_hold - spent))
