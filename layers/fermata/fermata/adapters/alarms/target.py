"""What every schedule of ours wakes: the wake-up function, with Scheduler's own retries and a dead-letter queue behind them."""

from typing import Any, Protocol

# Scheduler's own retries, when the wake-up function can't be invoked. After them the message is in the dead-letter queue.
RETRY_POLICY = {"MaximumEventAgeInSeconds": 3600, "MaximumRetryAttempts": 30}


class WakeupTarget(Protocol):
    """What schedules wake and in whose name, as the deployment names it: ARNs."""

    @property
    def wakeup_target_arn(self) -> str: ...
    @property
    def scheduler_role_arn(self) -> str: ...
    @property
    def scheduler_dlq_arn(self) -> str: ...


def target(wakeup: WakeupTarget, text: str) -> dict[str, Any]:
    """Return the `Target` of a schedule that hands `text` to the wake-up function."""
    return {
        "Arn": wakeup.wakeup_target_arn,
        "RoleArn": wakeup.scheduler_role_arn,
        "Input": text,
        "DeadLetterConfig": {"Arn": wakeup.scheduler_dlq_arn},
        "RetryPolicy": RETRY_POLICY,
    }
