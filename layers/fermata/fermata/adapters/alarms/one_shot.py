"""Messages now, in seconds, or at a time: SQS, an SQS delay, or a one-shot EventBridge Scheduler schedule."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Protocol

from fermata.adapters.alarms.target import WakeupTarget, target
from fermata.adapters.aws import Client, Refused, call
from fermata.domain.messages import Message, PollDue, RunTask
from fermata.wire import deliveries

# Scheduler fires within the named minute, SQS to the second: below a minute the queue is the better clock.
SCHEDULE_FROM = timedelta(seconds=60)
# Nothing documents how far ahead a schedule may lie. A year on, the message comes early, changes nothing, and the sweeper arms the rest.
FARTHEST = timedelta(days=365)

_SECOND = timedelta(seconds=1)
_ABOUT = {"RunTask": "task", "PollDue": "poll", "WakeTask": "wake", "WakeWorkflow": "run"}  # the others are never scheduled
_EXISTS = frozenset({"ConflictException"})


class AlarmTargets(WakeupTarget, Protocol):
    """Where messages go, as the deployment names it: two queue URLs, a schedule group's name, and what schedules wake."""

    @property
    def work_queue_url(self) -> str: ...
    @property
    def wakeup_queue_url(self) -> str: ...
    @property
    def schedule_group(self) -> str: ...


class AwsAlarms:
    """An `Alarms`. Runs at once go to the work queue; what waits goes to the wake-up door."""

    def __init__(self, sqs: Client, scheduler: Client, targets: AlarmTargets) -> None:
        self._sqs = sqs
        self._scheduler = scheduler
        self._targets = targets

    def send(self, message: Message, at: datetime, now: datetime) -> None:
        wait = at - now
        text = deliveries.to_text(message, at if wait > timedelta(0) else None)
        if wait >= SCHEDULE_FROM:
            second = _whole_second(min(at, now + FARTHEST))
            self._schedule(schedule_name(message, second), text, second)
        elif wait > timedelta(0) or not isinstance(message, RunTask | PollDue):
            self._enqueue(self._targets.wakeup_queue_url, text, max(0, -(-wait // _SECOND)))
        else:
            self._enqueue(self._targets.work_queue_url, text, 0)

    def _enqueue(self, queue_url: str, text: str, delay_seconds: int) -> None:
        call(self._sqs.send_message, {"QueueUrl": queue_url, "MessageBody": text, "DelaySeconds": delay_seconds})

    def _schedule(self, name: str, text: str, at: datetime) -> None:
        params = {
            "Name": name,
            "ClientToken": name,
            "GroupName": self._targets.schedule_group,
            "ScheduleExpression": f"at({at:%Y-%m-%dT%H:%M:%S})",
            "ScheduleExpressionTimezone": "UTC",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "ActionAfterCompletion": "DELETE",
            "Target": target(self._targets, text),
        }
        try:
            call(self._scheduler.create_schedule, params, _EXISTS)
        except Refused:
            return  # the same message for the same second is armed already


def schedule_name(message: Message, at: datetime) -> str:
    """Return the name of the one schedule for this message at this second, e.g. `poll-17-20260301T120000-1f0c...`.

    At most 64 of `[0-9a-zA-Z-_.]` (Scheduler's limit, also its client token's, which has no dot).
    """
    digest = hashlib.sha256(f"{deliveries.to_text(message)}@{at.isoformat()}".encode()).hexdigest()[:32]
    number = f"-{message.poll % 10**8}" if isinstance(message, PollDue) else ""
    return f"{_ABOUT.get(type(message).__name__, 'message')}{number}-{at:%Y%m%dT%H%M%S}-{digest}"


def _whole_second(moment: datetime) -> datetime:
    utc = moment.astimezone(UTC)
    return utc if not utc.microsecond else utc.replace(microsecond=0) + _SECOND
