"""What we know of moto's insides (5.2): its switch, its lock, its idea of time, what it stores (also: `moto_table`, `moto_schedules`).

Moto keeps schedules and never fires them, and its SQS delays follow the system's clock. The local cloud fires and skips, so it
reads moto's memory directly: an API call for each look would cost more than the poll it looks for.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import moto.dynamodb.models as dynamodb_models
import moto.scheduler.models as scheduler_models
import moto.sqs.models as sqs_models
from moto.core.base_backend import BackendDict
from moto.core.botocore_stubber import BotocoreStubber
from moto.core.models import MockAWS, botocore_stubber
from moto.dynamodb.models import DynamoDBBackend
from moto.scheduler.models import Schedule, scheduler_backends

from fermata_local import moto_table
from fermata_local.account import ACCOUNT, REGION
from fermata_local.clocks import LocalClock
from fermata_local.moto_schedules import OrderedGroup
from fermata_local.moto_table import OrderedTable

# Moto is not thread-safe: without this, conditional writes lose updates and DynamoDB sees "dictionary changed size".
_LOCK = threading.RLock()
_stub_call = BotocoreStubber.__call__


def _locked_call(self: BotocoreStubber, event_name: str, request: Any, **kwargs: Any) -> Any:
    with _LOCK:
        return _stub_call(self, event_name, request, **kwargs)


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
        changes.enter_context(patch.object(dynamodb_models, "Table", OrderedTable))
        changes.enter_context(patch.object(DynamoDBBackend, "update_item", moto_table.update_item))
        changes.enter_context(patch.object(sqs_models, "unix_time", seconds))
        changes.enter_context(patch.object(sqs_models, "unix_time_millis", lambda moment=None: seconds(moment) * 1000))
        changes.enter_context(patch.object(scheduler_models, "ScheduleGroup", OrderedGroup))
        # Whether a schedule's start is past: moto asks the system, and works with naive moments.
        changes.enter_context(patch.object(scheduler_models, "utcnow", lambda: clock.now().replace(tzinfo=None)))
        changes.enter_context(_BotocoreOnly())
        yield


def rows_looked_at(table: str) -> int:
    """Return how many rows the queries of a table have gone through."""
    counted: int = dynamodb_models.dynamodb_backends[ACCOUNT][REGION].tables[table].rows_looked_at  # type: ignore[attr-defined]
    return counted


@dataclass(frozen=True)
class OneShot:
    """A stored `at(...)` schedule: where its input goes, and when."""

    name: str
    at: datetime
    target_arn: str
    input: str
    delete_after: bool


def one_shots(group: str, until: datetime | None = None) -> list[OneShot]:
    """Return the group's one-shots that have not fired, up to `until`, by moment and name."""
    with _LOCK:
        return [_one_shot(schedule) for schedule in _group(group).one_shots(until)]


def next_one_shot(group: str) -> datetime | None:
    """Return the moment of the first one, without a look at the others: there is one for each attempt that a worker has."""
    with _LOCK:
        schedule = _group(group).next_one_shot()
    return _one_shot(schedule).at if schedule else None


def complete(group: str, shot: OneShot) -> None:
    """Do what `ActionAfterCompletion` says: delete the fired schedule, or keep it without firing it again. Safe to repeat."""
    with _LOCK:
        found = _group(group)
        if shot.name in found.schedules:
            (found.delete_schedule if shot.delete_after else found.done)(shot.name)


def _group(name: str) -> OrderedGroup:
    found: OrderedGroup = scheduler_backends[ACCOUNT][REGION].schedule_groups[name]  # type: ignore[assignment]
    return found


def _one_shot(schedule: Schedule) -> OneShot:
    return OneShot(
        name=schedule.name,
        at=datetime.fromisoformat(schedule.schedule_expression.removeprefix("at(").removesuffix(")")).replace(tzinfo=UTC),
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
        stored = list(_group(group).schedules.values())
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


def next_message(queue: str) -> datetime | None:
    """Return when the queue's next message can be received (maybe a past moment), or None when the queue is empty."""
    with _LOCK:
        # Moto calls a message visible only after `visible_at`, and not at it.
        moments = [max(m.delayed_until, m.visible_at + 1) for m in sqs_models.sqs_backends[ACCOUNT][REGION].queues[queue]._messages]  # noqa: SLF001
    # Whole milliseconds upwards: a moment rounded down would come before the message does.
    return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=int(min(moments)) + 1) if moments else None
