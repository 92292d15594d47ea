"""Schedules: which workflow starts at which moments, and what came of each start."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice, takewhile

from fermata.domain.cron import Cron, parse
from fermata.domain.cron.moments import moments_after, moments_before, time_zone
from fermata.domain.ids import scheduled_execution_id, scheduled_run_id
from fermata.domain.json_value import JsonObject

MAX_CATCH_UP = 100  # missed starts that are made up for, the newest ones
MAX_REASON = 999  # characters, as in Conductor
KEPT_RUNS, TRIMMED_FROM = 5, 10  # as in Conductor: more than ten records of starts are cut down to the newest five


@dataclass(frozen=True)
class CronEntry:
    """One cron of a schedule, as it was sent. Both texts are valid."""

    expression: str
    zone: str = "UTC"


@dataclass(frozen=True)
class Schedule:
    """A stored schedule. `request` is Conductor's StartWorkflowRequest as it was sent; `crons`, if there are any, replace `cron`.

    `revision` counts the writes. `armed`: the recurring alarms are as this row says; `may_be_armed` is the highest number of a cron that
    may have one. `cursors` (only where missed starts are made up for): by cron, the moment up to which everything was started.
    """

    name: str
    request: JsonObject
    create_time: datetime
    update_time: datetime
    cron: CronEntry | None = None
    crons: tuple[CronEntry, ...] = ()
    paused: bool = False
    paused_reason: str | None = None
    catches_up: bool = False
    start: datetime | None = None
    end: datetime | None = None
    description: str | None = None
    created_by: str | None = None
    updated_by: str | None = None
    revision: int = 1
    armed: bool = False
    may_be_armed: int = 0
    cursors: tuple[datetime, ...] = ()
    look_at: datetime | None = None
    deleted: bool = False

    @property
    def entries(self) -> tuple[CronEntry, ...]:
        return self.crons or ((self.cron,) if self.cron else ())

    @property
    def workflow_name(self) -> str:
        return str(self.request.get("name") or "")

    def is_open_at(self, moment: datetime) -> bool:
        """Tell whether the moment lies in the window, both ends included, and not before the schedule was made."""
        since = max(self.create_time, self.start) if self.start else self.create_time
        return since <= moment and (self.end is None or moment <= self.end)


@dataclass(frozen=True)
class Recurrence:
    """A recurring alarm: every minute in which the cron has a moment. A few more minutes are allowed; whoever is woken looks again."""

    schedule: str
    entry: int
    cron: Cron
    zone: str
    enabled: bool = True
    start: datetime | None = None
    end: datetime | None = None


class StartState(StrEnum):
    """As Conductor names them: taken up, started, could not be started."""

    POLLED = "POLLED"
    EXECUTED = "EXECUTED"
    FAILED = "FAILED"


@dataclass(frozen=True)
class ScheduledStart:
    """The record of one start. `request` is what was asked for then, the scheduler's own inputs included."""

    execution_id: str
    schedule: str
    entry: int
    zone: str
    scheduled_time: datetime
    execution_time: datetime
    workflow_name: str
    request: JsonObject = field(default_factory=dict)
    state: StartState = StartState.POLLED
    workflow_id: str | None = None
    reason: str | None = None


def recurrences(schedule: Schedule) -> tuple[Recurrence, ...]:
    """Return the alarms that the schedule should have, one for each of its crons."""
    return tuple(
        Recurrence(schedule.name, number, parse(entry.expression), entry.zone, not schedule.paused, schedule.start, schedule.end)
        for number, entry in enumerate(schedule.entries, 1)
    )


def moments_at(schedule: Schedule, entry: int, at: datetime) -> tuple[datetime, ...]:
    """Return the moments that a message about `at` stands for, earliest first. None: it is stale, or the alarm was wider than the cron.

    A whole minute stands for all its seconds that the cron names, anything else for itself.
    """
    if schedule.deleted or schedule.paused or not 1 <= entry <= len(schedule.entries):
        return ()
    named = schedule.entries[entry - 1]
    cron, zone = parse(named.expression), time_zone(named.zone)
    seconds = sorted(cron.seconds) if not (at.second or at.microsecond) else (0,)
    asked = (at + timedelta(seconds=second) for second in seconds)
    return tuple(moment for moment in asked if schedule.is_open_at(moment) and not moment.microsecond and cron.has(moment, zone))


def next_starts(schedule: Schedule, entry: int, after: datetime) -> Iterator[datetime]:
    """Yield what one cron of the schedule will start, later than `after`, inside its window."""
    named = schedule.entries[entry - 1]
    begin = max(after, schedule.start - timedelta(seconds=1)) if schedule.start else after
    for moment in moments_after(parse(named.expression), time_zone(named.zone), begin):
        if schedule.end is not None and moment > schedule.end:
            return
        if schedule.is_open_at(moment):
            yield moment


def next_run(schedule: Schedule, now: datetime) -> datetime | None:
    """Return the next moment at which the schedule starts something; None while it is paused, and after its end."""
    if schedule.paused:
        return None
    numbers = range(1, len(schedule.entries) + 1)
    return min((first for number in numbers if (first := next(next_starts(schedule, number, now), None))), default=None)


def first_missed(schedule: Schedule, entry: int, now: datetime) -> datetime | None:
    """Return the oldest moment up to `now` that is still to be made up for. Of more than `MAX_CATCH_UP` only the newest are."""
    cursor, named = schedule.cursors[entry - 1], schedule.entries[entry - 1]
    first = next(next_starts(schedule, entry, cursor), None)
    if first is None or first > now:
        return None
    back = moments_before(parse(named.expression), time_zone(named.zone), now + timedelta(milliseconds=1))
    newest = list(islice(filter(schedule.is_open_at, takewhile(lambda moment: moment > cursor, back)), MAX_CATCH_UP))
    return newest[-1] if newest else None


def begun(schedule: Schedule, entry: int, at: datetime, now: datetime) -> ScheduledStart:
    """Return the record of a start that is about to be tried, with the inputs that tell the run where it came from (Conductor's names)."""
    named, run_id = schedule.entries[entry - 1], scheduled_run_id(schedule.name, entry, at)
    execution_id = scheduled_execution_id(run_id)
    given = schedule.request.get("input") or {}
    told = {
        "_startedByScheduler": schedule.name,
        "_scheduledTime": int(at.timestamp() * 1000),
        "_executedTime": int(now.timestamp() * 1000),
        "_executionId": execution_id,
        "_schedulerCron": f"{named.expression} {named.zone}",
    }
    return ScheduledStart(
        execution_id=execution_id,
        schedule=schedule.name,
        entry=entry,
        zone=named.zone,
        scheduled_time=at,
        execution_time=now,
        workflow_name=schedule.workflow_name,
        request={**schedule.request, "input": {**given, **told}},
    )
