"""Make, change, pause, resume and delete schedules: the row is stored first, then the recurring alarms are made to follow it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile

from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest, NotFound, TransientError, Violation
from fermata.domain.messages import StartScheduled
from fermata.domain.schedules import Schedule, first_missed, next_run, next_starts, recurrences
from fermata.ports import OUTBOX_GRACE, RecurrencePart, RecurrenceRefused

# How often the sweeper sets the alarms of a schedule anew although nothing changed: an alarm that got lost, by whatever, comes back.
AUDIT = timedelta(days=1)
MINUTE = timedelta(minutes=1)
ATTEMPTS = 20  # writers that meet at one row before the caller is told to come again


@dataclass(frozen=True)
class Changed:
    """A schedule after a change, and when it starts something next."""

    schedule: Schedule
    next_run: datetime | None


def save(engine: Engine, asked: Schedule) -> Changed:
    """Store a valid schedule in place of the one of that name, whose creation it keeps, and arm it. Safe to repeat.

    Raises `InvalidRequest` for a cron that never comes, and for what the keeper of the alarms does not take; then all is as it was.
    """
    now = engine.clock.now()
    _check_that_it_comes(asked, now)

    def saved(before: Schedule | None) -> Schedule:
        standing = before if before and not before.deleted else None
        made = replace(asked, create_time=standing.create_time, created_by=standing.created_by) if standing else asked
        keeps = standing is not None and standing.catches_up and standing.entries == asked.entries
        cursors = standing.cursors if standing and keeps else (now,) * len(asked.entries)
        return replace(made, cursors=cursors if asked.catches_up else ())

    return _shown(_change(engine, asked.name, saved), now)


def get(engine: Engine, name: str) -> Changed:
    """Raises `NotFound`."""
    return _shown(_existing(engine.schedules.load(name), name), engine.clock.now())


def every(engine: Engine) -> list[Changed]:
    """Return all schedules, by name."""
    now = engine.clock.now()
    return [_shown(schedule, now) for schedule in engine.schedules.all() if not schedule.deleted]


def pause(engine: Engine, name: str, reason: str | None = None) -> None:
    """Let it start nothing until it is resumed. One that is paused gets the new reason. Raises `NotFound`."""
    now = engine.clock.now()

    def paused(before: Schedule | None) -> Schedule:
        return replace(_existing(before, name), paused=True, paused_reason=reason, update_time=now)

    _change(engine, name, paused)


def resume(engine: Engine, name: str) -> None:
    """Let it go on; what it missed is made up for if it says so. Raises `NotFound` for one that is unknown or not paused."""
    now = engine.clock.now()

    def resumed(before: Schedule | None) -> Schedule:
        schedule = _existing(before, name)
        if not schedule.paused:
            raise NotFound(f"The schedule {name} is not paused.")
        return replace(schedule, paused=False, paused_reason=None, update_time=now)

    schedule = _change(engine, name, resumed)
    nudge(engine, schedule, now)


def delete(engine: Engine, name: str) -> None:
    """Forget it, its alarms and its records. Runs it started go on. Unknown: nothing happens."""
    if engine.schedules.load(name) is not None:
        _change(engine, name, lambda before: replace(before, deleted=True) if before else None)


def arm(engine: Engine, name: str) -> bool:
    """Make the recurring alarms follow the stored row. Return whether they did not. Safe to repeat, at any time, also by several at once.

    Whoever armed what is not stored any more by then arms again: the last one to arm has armed what is stored.
    """
    repaired = False
    for _ in range(ATTEMPTS):
        schedule = engine.schedules.load(name)
        if schedule is None:
            return repaired
        repaired = repaired or not schedule.armed
        if _disarmed(engine, schedule) if schedule.deleted else _armed(engine, schedule):
            return repaired
    raise TransientError(f"The schedule {name} is being changed by many at once.")


def nudge(engine: Engine, schedule: Schedule, now: datetime) -> None:
    """Send for what a schedule has missed, if it makes up for that."""
    if schedule.catches_up and not schedule.paused and not schedule.deleted:
        for entry in range(1, len(schedule.entries) + 1):
            if missed := first_missed(schedule, entry, now):
                engine.alarms.send(StartScheduled(schedule.name, entry, missed), now, now)


def _armed(engine: Engine, schedule: Schedule) -> bool:
    now = engine.clock.now()
    wanted = recurrences(schedule)
    for recurrence in wanted:
        engine.recurring.put(recurrence, now)
    for entry in range(len(wanted) + 1, schedule.may_be_armed + 1):
        engine.recurring.remove(schedule.name, entry)
    done = replace(schedule, revision=schedule.revision + 1, armed=True, may_be_armed=len(wanted), look_at=now + AUDIT)
    return engine.schedules.put(done)


def _disarmed(engine: Engine, schedule: Schedule) -> bool:
    for entry in range(1, schedule.may_be_armed + 1):
        engine.recurring.remove(schedule.name, entry)
    engine.schedules.forget_starts(engine.schedules.starts(schedule.name))
    return engine.schedules.forget(schedule)


def _change(engine: Engine, name: str, change: Callable[[Schedule | None], Schedule | None]) -> Schedule:
    """Store what `change` makes of the row, then arm. A crash in between leaves the row due, and the sweeper arms it a minute later."""
    for _ in range(ATTEMPTS):
        before = engine.schedules.load(name)
        after = change(before)
        if after is None:
            raise NotFound(f"There is no schedule {name}.")
        stored = replace(
            after,
            revision=before.revision + 1 if before else 1,
            armed=False,
            may_be_armed=max(len(after.entries), before.may_be_armed if before else 0),
            look_at=engine.clock.now() + OUTBOX_GRACE,
        )
        if engine.schedules.put(stored):
            _arm_or_take_back(engine, before, stored)
            _send_for_this_minute(engine, stored)
            return stored
    raise TransientError(f"The schedule {name} is being changed by many at once.")


def _arm_or_take_back(engine: Engine, before: Schedule | None, stored: Schedule) -> None:
    """Arm what was stored, or put back what stood there. Raises `InvalidRequest`.

    After a crash in between the row stays as it was asked for; the sweeper counts a failure until somebody changes it.
    """
    try:
        arm(engine, stored.name)
    except RecurrenceRefused as refused:
        back = replace(before, look_at=stored.look_at) if before else replace(stored, deleted=True)
        again = replace(back, revision=stored.revision + 1, armed=False, may_be_armed=stored.may_be_armed)
        with suppress(RecurrenceRefused):  # then it was not armed before either
            if engine.schedules.put(again):
                arm(engine, stored.name)
        raise _refusal(stored, refused) from refused


def _refusal(schedule: Schedule, refused: RecurrenceRefused) -> InvalidRequest:
    number = min(refused.entry, len(schedule.entries)) - 1  # another writer may have stored more of them meanwhile
    entry, of_one = schedule.entries[number], f"cronSchedules[{number}]." if schedule.crons else ""
    path, value = {
        RecurrencePart.CRON: (f"{of_one}cronExpression", entry.expression[:100]),
        RecurrencePart.ZONE: (f"{of_one}zoneId", entry.zone[:100]),
        RecurrencePart.START: ("scheduleStartTime", None),
        RecurrencePart.END: ("scheduleEndTime", None),
    }[refused.part]
    return InvalidRequest(f"{path} is not accepted.", (Violation(path, f"is not accepted by the scheduler: {str(refused)[:200]}", value),))


def _send_for_this_minute(engine: Engine, schedule: Schedule) -> None:
    """Send for what comes in the minute that has begun: its alarms are not set any more."""
    if schedule.paused or schedule.deleted:
        return
    now = engine.clock.now()
    next_minute = now.replace(second=0, microsecond=0) + MINUTE
    for entry in range(1, len(schedule.entries) + 1):
        for moment in takewhile(lambda moment: moment < next_minute, next_starts(schedule, entry, now)):
            engine.alarms.send(StartScheduled(schedule.name, entry, moment), moment, now)


def _existing(schedule: Schedule | None, name: str) -> Schedule:
    if schedule is None or schedule.deleted:
        raise NotFound(f"There is no schedule {name}.")
    return schedule


def _shown(schedule: Schedule, now: datetime) -> Changed:
    return Changed(schedule, next_run(schedule, now))


def _check_that_it_comes(asked: Schedule, now: datetime) -> None:
    anyway = replace(asked, start=None, end=None, paused=False)
    for index, entry in enumerate(asked.entries):
        alone = replace(anyway, cron=entry, crons=())
        if next_run(alone, now) is None:
            path = f"cronSchedules[{index}].cronExpression" if asked.crons else "cronExpression"
            wrong = Violation(path, "never comes: no day of the next 50 years meets it", entry.expression[:100])
            raise InvalidRequest(f"{path} never comes.", (wrong,))
