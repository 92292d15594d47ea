"""What a start does when its idempotency key is taken (Conductor engine reference, 8.3)."""

from enum import StrEnum


class IdempotencyStrategy(StrEnum):
    """Fail, answer with the run that has the key, or fail only while that run is not over."""

    FAIL = "FAIL"
    RETURN_EXISTING = "RETURN_EXISTING"
    FAIL_ON_RUNNING = "FAIL_ON_RUNNING"
