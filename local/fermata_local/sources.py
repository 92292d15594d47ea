"""What brings events to the doors, one class per AWS service: queues, one-shot schedules, the sweeper's minute."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from fermata_local import environment, lambda_events, moto_internals
from fermata_local.lambda_events import Event

BATCH_SIZE = 10
# Lambda tries an asynchronous event twice more when the function fails, after one minute and after two.
ASYNC_RETRIES = (timedelta(minutes=1), timedelta(minutes=2))
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Delivery:
    """An event for a door. `done` is told what the door returned; `failed` that it raised."""

    door: str
    event: Event
    done: Callable[[Any], Sequence[str]]
    failed: Callable[[], Sequence[str]]


class Source(Protocol):
    def due(self, now: datetime) -> Sequence[Delivery]:
        """Take what is due. What was taken is not offered again before it failed."""

    def next_moment(self) -> datetime | None:
        """Return when there may be something due (maybe a past moment), or None when nothing is waiting."""


def nothing(*_: object) -> Sequence[str]:
    return ()


class Queue:
    """An SQS queue in front of a door: batches, partial failures, redelivery after the visibility timeout, dead letters."""

    def __init__(self, name: str, door: str, sqs: Any) -> None:
        self._name = name
        self._door = door
        self._sqs = sqs
        self._url = environment.queue_url(name)

    def due(self, now: datetime) -> Sequence[Delivery]:
        moment = self.next_moment()
        if moment is None or moment > now:
            return ()
        received = self._sqs.receive_message(
            QueueUrl=self._url, MaxNumberOfMessages=BATCH_SIZE, MessageSystemAttributeNames=["All"], MessageAttributeNames=["All"]
        )
        # Empty when moto has moved a message that failed too often to the dead letters.
        messages = received.get("Messages", [])
        if not messages:
            return ()
        event = lambda_events.sqs(messages, environment.queue_arn(self._name))
        return (Delivery(self._door, event, lambda result: self._settle(event, result), nothing),)

    def next_moment(self) -> datetime | None:
        return moto_internals.next_message(self._name)

    def _settle(self, event: Event, result: Any) -> Sequence[str]:
        failed = lambda_events.sqs_failures(result, event)
        for record in event["Records"]:
            if record["messageId"] not in failed:
                self._sqs.delete_message(QueueUrl=self._url, ReceiptHandle=record["receiptHandle"])
        return [f"{self._door} reported message {message_id} as failed; it comes back" for message_id in sorted(failed)]


@dataclass(frozen=True)
class _Retry:
    at: datetime
    attempt: int
    door: str
    event: Event


class Schedules:
    """EventBridge Scheduler: fires the one-shots that moto only stores, and deletes them afterwards."""

    def __init__(self, group: str, clock_now: Callable[[], datetime]) -> None:
        self._group = group
        self._now = clock_now
        self._retries: list[_Retry] = []

    def due(self, now: datetime) -> Sequence[Delivery]:
        shots = moto_internals.one_shots(self._group, now)
        retries, self._retries = [r for r in self._retries if r.at <= now], [r for r in self._retries if r.at > now]
        for shot in shots:
            moto_internals.complete(self._group, shot)
        fired = [_Retry(shot.at, 0, door_of(shot.target_arn), json.loads(shot.input)) for shot in shots]
        return [self._delivery(attempt) for attempt in (*fired, *retries)]

    def next_moment(self) -> datetime | None:
        first = moto_internals.next_one_shot(self._group)
        return min([*([first] if first else []), *(retry.at for retry in self._retries)], default=None)

    def _delivery(self, attempt: _Retry) -> Delivery:
        return Delivery(attempt.door, attempt.event, nothing, lambda: self._again(attempt))

    def _again(self, attempt: _Retry) -> Sequence[str]:
        if attempt.attempt == len(ASYNC_RETRIES):
            return [f"{attempt.door} failed {attempt.attempt + 1} times; the event is given up: {json.dumps(attempt.event)[:200]}"]
        delay = ASYNC_RETRIES[attempt.attempt]
        self._retries.append(replace(attempt, at=self._now() + delay, attempt=attempt.attempt + 1))
        return [f"{attempt.door} gets the event again in {delay.seconds} s"]


def door_of(target_arn: str) -> str:
    """Return the door behind a function's ARN. Raises `ValueError` for any other target."""
    prefix = environment.function_arn("")
    if not target_arn.startswith(prefix):
        raise ValueError(f"the local cloud has no target {target_arn}")
    return target_arn.removeprefix(prefix)


class EveryMinute:
    """The rule that calls the sweeper. Missed minutes are not made up for, as on AWS.

    Another `period` than the deployed minute saves a skipping clock the sweeps in which nothing can have gone wrong.
    """

    def __init__(self, door: str, start: datetime, period: timedelta = MINUTE) -> None:
        self._door = door
        self._period = period
        self._next = start + period
        self._ticks = 0

    def due(self, now: datetime) -> Sequence[Delivery]:
        if now < self._next:
            return ()
        self._next = now + self._period
        self._ticks += 1
        event = lambda_events.every_minute(f"00000000-0000-4000-9000-{self._ticks:012d}", now)
        return (Delivery(self._door, event, nothing, nothing),)

    def next_moment(self) -> datetime:
        return self._next
