"""When an action is tried again, and how long until then (air pipe reference, 5.1 and 5.2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from fermata.domain.json_value import Json

IN_PROCESS_BUDGET = timedelta(seconds=5)  # waits up to here in all are waited out before the caller is answered
RETRIED_CODES = frozenset({408, 429, 500, 502, 503, 504})
DEFAULT_EXPECTED = ("2xx", 304)
_MOST_DOUBLINGS = 40


@dataclass(frozen=True)
class Retry:
    """`attempts` counts all tries. `full_jitter` None: as documented for short waits, none for parked ones."""

    attempts: int = 1
    delay: timedelta = timedelta(0)
    doubling: bool = False
    max_delay: timedelta | None = None
    full_jitter: bool | None = None
    respects_retry_after: bool = True
    on: tuple[Json, ...] = ()
    never_on: tuple[Json, ...] = ()


def matches(code: int, classes: Iterable[Json]) -> bool:
    """Tell whether a status is among these codes and classes (`404`, `"404"`, `"5xx"`, `"any"`)."""
    return any(str(each).lower() in ("any", str(code), f"{code // 100}xx") for each in classes)


def retries_status(retry: Retry, code: int) -> bool:
    """Tell whether a status that was not expected is worth another try."""
    if matches(code, retry.never_on):
        return False
    return matches(code, retry.on) if retry.on else code in RETRIED_CODES


def retries_failure(retry: Retry, kind: str) -> bool:
    """Tell whether no answer at all is. `kind`: `timeout` or `connect`."""
    if _names(retry.never_on, kind):
        return False
    return _names(retry.on, kind) if retry.on else True


def wait_after(retry: Retry, attempt: int) -> timedelta:
    """Return the full wait after this many tries (from 1)."""
    factor = 2 ** min(attempt - 1, _MOST_DOUBLINGS) if retry.doubling else 1
    seconds = retry.delay.total_seconds() * factor
    limit = retry.max_delay.total_seconds() if retry.max_delay is not None else seconds
    return timedelta(seconds=min(seconds, limit, 10**8))


def waits_in_process(retry: Retry, attempt: int, budget: timedelta = IN_PROCESS_BUDGET) -> bool:
    """Tell whether all waits up to the one after this many tries fit together in what one invocation may wait."""
    total = timedelta(0)
    for made in range(1, attempt + 1):
        total += wait_after(retry, made)
        if total > budget:
            return False
    return True


def jittered_wait(retry: Retry, attempt: int, chance: float) -> timedelta:
    """Return the wait after this many tries. `chance` is from 0 to 1, drawn for this very try."""
    full = wait_after(retry, attempt)
    jitter = retry.full_jitter if retry.full_jitter is not None else waits_in_process(retry, attempt)
    return full * chance if jitter else full


def longest_wait(retry: Retry) -> timedelta:
    """Return what all waits add up to when every try fails."""
    total = timedelta(0)
    for made in range(1, retry.attempts):
        total += wait_after(retry, made)
    return total


def _names(classes: Iterable[Json], kind: str) -> bool:
    return any(str(each).lower() in ("any", kind) for each in classes)
