"""Whether and when a failed attempt is tried again (Conductor engine reference, 5.2 and 5.3)."""

import hashlib
from datetime import timedelta

from fermata.domain.definitions import RetryLogic, TaskDefinition, WorkflowTask

_MAX_SECONDS = 2**31 - 1  # Conductor computes in 32-bit seconds; larger products are cut there


def retries_allowed(task: WorkflowTask) -> int:
    """Return how many retries the step has: its own `retryCount`, else its task definition's, else none."""
    if task.task_definition is None:
        return 0
    return task.retry_count if task.retry_count is not None else task.task_definition.retry_count


def retry_delay(definition: TaskDefinition, failed_attempt: int, jitter: float) -> timedelta:
    """Return the wait before the next attempt. `failed_attempt` counts from 0; `jitter` is a fraction from 0 to 1.

    `maxRetryDelaySeconds` caps every logic, also FIXED; the jitter (`backoffJitterMs` at most) is added after the cap.
    """
    base = definition.retry_delay_seconds
    match definition.retry_logic:
        case RetryLogic.FIXED:
            seconds = base
        case RetryLogic.LINEAR_BACKOFF:
            seconds = base * definition.backoff_scale_factor * (failed_attempt + 1)
        case RetryLogic.EXPONENTIAL_BACKOFF:
            seconds = base * 2 ** min(failed_attempt, 31)
    seconds = min(seconds, _MAX_SECONDS)
    if definition.max_retry_delay_seconds > 0:
        seconds = min(seconds, definition.max_retry_delay_seconds)
    return timedelta(seconds=seconds, milliseconds=int(definition.backoff_jitter_ms * jitter))


def jitter_of(task_id: str) -> float:
    """Return a fraction from 0 up to 1 that looks random and is always the same for one task id.

    Spreading retries needs numbers that differ between tasks, not numbers nobody can repeat: so decisions stay pure.
    """
    return int.from_bytes(hashlib.sha256(task_id.encode()).digest()[:4]) / 2**32
