"""What a start does when its idempotency key is taken (Conductor engine reference, 8.3)."""

from enum import StrEnum

from fermata.domain.errors import InvalidRequest


class IdempotencyStrategy(StrEnum):
    """Fail, answer with the run that has the key, or fail only while that run is not over."""

    FAIL = "FAIL"
    RETURN_EXISTING = "RETURN_EXISTING"
    FAIL_ON_RUNNING = "FAIL_ON_RUNNING"


def strategy_named(name: str | None) -> IdempotencyStrategy:
    """Return the strategy of this name, FAIL for none. Raises `InvalidRequest` for a name that is no strategy's."""
    wrong = wrong_strategy(name)
    if wrong:
        raise InvalidRequest(wrong)
    return IdempotencyStrategy(name or IdempotencyStrategy.FAIL)


def wrong_strategy(name: str | None) -> str | None:
    """Return what is wrong with a strategy's name, or None."""
    if not name or name in set(IdempotencyStrategy):
        return None
    return f"{name[:40]!r} is no idempotency strategy; use one of {', '.join(IdempotencyStrategy)}."
