"""The one place that knows moto's insides (5.2): its switch, its lock, its idea of time, and what it stores.

Moto keeps schedules and never fires them, and its SQS delays follow the system's clock. The local cloud fires and skips, so it
reads moto's memory directly: an API call for each look would cost more than the poll it looks for.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from unittest.mock import patch

import moto.scheduler.models as scheduler_models
import moto.sqs.models as sqs_models
from moto.core.base_backend import BackendDict
from moto.core.botocore_stubber import BotocoreStubber
from moto.core.models import DEFAULT_ACCOUNT_ID, MockAWS, botocore_stubber
from moto.dynamodb.models.table import Table
from moto.scheduler.models import Schedule, scheduler_backends

from fermata_local.clocks import LocalClock

ACCOUNT = DEFAULT_ACCOUNT_ID
REGION = "us-east-1"

# Moto is not thread-safe: without this, conditional writes lose updates and DynamoDB sees "dictionary changed size".
_LOCK = threading.RLock()
_stub_call = BotocoreStubber.__call__
_moto_query = Table.query


def _locked_call(self: BotocoreStubber, event_name: str, request: Any, **kwargs: Any) -> Any:
    with _LOCK:
        return _stub_call(self, event_name, request, **kwargs)


def _query(self: Table, hash_key: Any, *args: Any, **kwargs: Any) -> Any:
    """Look at the asked partition only: moto sorts the whole table at each query, and a server got slower with every run."""
    [(name, value)] = kwargs["hash_key_conditions"]  # the table and our indexes have one partition key each
    if name == self.hash_key_attr:
        found = list(self.items.get(hash_key, {}).values())
    else:
        rows = (item for partition in self.items.values() for item in partition.values())
        found = [item for item in rows if name in item.attrs and item.attrs[name].value == value.value]
    with patch.object(self, "all_items", lambda: found):
        return _moto_query(self, hash_key, *args, **kwargs)


class _BotocoreOnly(MockAWS):
    """Answers boto3 and leaves `requests` alone: the vendors' HTTP must not pass through moto's URL patterns."""

    def _enable_patching(self, reset: bool = True) -> None:  # noqa: FBT001, FBT002 - the shape of MockAWS
        botocore_stubber.enabled = True
        if reset:
            BackendDict.reset()

    def _disable_patching(self, remove_data: bool) -> None:  # noqa: FBT001 - the shape of MockAWS
        botocore_stubber.enabled = False
        if remove_data:
            BackendDict.reset()


@contextmanager
def running(clock: LocalClock) -> Iterator[None]:
    """Answer every boto3 call from memory, with SQS following `clock`. One at a time in a process; forgets everything at the end."""

    def seconds(moment: datetime | None = None) -> float:
        return (moment or clock.now()).timestamp()

    with ExitStack() as changes:
        changes.enter_context(patch.object(BotocoreStubber, "__call__", _locked_call))
        changes.enter_context(patch.object(Table, "query", _query))
        changes.enter_context(patch.object(sqs_models, "unix_time", seconds))
        changes.enter_context(patch.object(sqs_models, "unix_time_millis", lambda moment=None: seconds(moment) * 1000))
        # Whether a schedule's start is past: moto asks the system, and works with naive moments.
        changes.enter_context(patch.object(scheduler_models, "utcnow", lambda: clock.now().replace(tzinfo=None)))
        changes.enter_context(_BotocoreOnly())
        yield


@dataclass(frozen=True)
class OneShot:
    """A stored `at(...)` schedule: where its input goes, and when."""

    name: str
    at: datetime
    target_arn: str
    input: str
    delete_after: bool


def one_shots(group: str) -> list[OneShot]:
    """Return every enabled schedule of the group. Raises `ValueError` for one that is not an `at(...)`."""
    with _LOCK:
        stored = list(scheduler_backends[ACCOUNT][REGION].schedule_groups[group].schedules.values())
    return [_one_shot(schedule) for schedule in stored if schedule.state == "ENABLED"]


def complete(group: str, shot: OneShot) -> None:
    """Do what `ActionAfterCompletion` says: delete the fired schedule, or keep it without firing it again. Safe to repeat."""
    with _LOCK:
        schedules = scheduler_backends[ACCOUNT][REGION].schedule_groups[group].schedules
        if shot.delete_after:
            schedules.pop(shot.name, None)
        elif shot.name in schedules:
            schedules[shot.name].state = "DISABLED"


def _one_shot(schedule: Schedule) -> OneShot:
    return OneShot(
        name=schedule.name,
        at=_moment(schedule.schedule_expression),
        target_arn=schedule.target["Arn"],
        input=schedule.target.get("Input", "{}"),
        delete_after=schedule.action_after_completion == "DELETE",
    )


@dataclass(frozen=True)
class Recurring:
    """A stored `cron(...)` schedule that is enabled: its expression and zone, its window, where its input goes."""

    name: str
    expression: str
    zone: str
    start: datetime | None
    end: datetime | None
    target_arn: str
    input: str


def recurring(group: str) -> list[Recurring]:
    """Return every enabled recurring schedule of the group, by name."""
    with _LOCK:
        stored = list(scheduler_backends[ACCOUNT][REGION].schedule_groups[group].schedules.values())
    return sorted((_recurring(schedule) for schedule in stored if schedule.state == "ENABLED"), key=lambda found: found.name)


def _recurring(schedule: Schedule) -> Recurring:
    return Recurring(
        name=schedule.name,
        expression=schedule.schedule_expression,
        zone=schedule.schedule_expression_timezone,
        start=_bound(schedule.start_date),
        end=_bound(schedule.end_date),
        target_arn=schedule.target["Arn"],
        input=schedule.target.get("Input", "{}"),
    )


def _bound(epoch_seconds: Any) -> datetime | None:
    return datetime.fromtimestamp(float(epoch_seconds), UTC) if epoch_seconds else None


@lru_cache(maxsize=4096)
def _moment(expression: str) -> datetime:
    if not expression.startswith("at("):
        raise ValueError(f"the local cloud plays one-shot at(...) schedules only, not {expression!r}")
    return datetime.fromisoformat(expression[3:-1]).replace(tzinfo=UTC)


def next_message(queue: str) -> datetime | None:
    """Return when the queue's next message can be received (maybe a past moment), or None when the queue is empty."""
    with _LOCK:
        # Moto calls a message visible only after `visible_at`, and not at it.
        moments = [max(m.delayed_until, m.visible_at + 1) for m in sqs_models.sqs_backends[ACCOUNT][REGION].queues[queue]._messages]  # noqa: SLF001
    # Whole milliseconds upwards: a moment rounded down would come before the message does.
    return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=int(min(moments)) + 1) if moments else None
