"""How long a piece of work takes."""

import statistics
import time
from collections.abc import Callable


def median_seconds(work: Callable[[], object], times: int) -> float:
    """Return the median time of `times` runs: other work on the machine moves it less than a mean."""
    return statistics.median(_seconds(work) for _ in range(times))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
