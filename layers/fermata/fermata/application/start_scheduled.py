"""Act on a schedule's moment: start its workflow once, keep a record of how it went, and make up for what was missed."""

from dataclasses import replace
from datetime import datetime

from fermata.application.engine import Engine
from fermata.application.start import StartWorkflow, start, wanted
from fermata.domain.errors import InvalidRequest, RequestError
from fermata.domain.ids import scheduled_run_id
from fermata.domain.messages import StartScheduled
from fermata.domain.schedules import (
    KEPT_RUNS,
    MAX_REASON,
    TRIMMED_FROM,
    Schedule,
    ScheduledStart,
    StartState,
    begun,
    first_missed,
    moments_at,
)
from fermata.wire.requests import start_request_from_json


def start_scheduled(engine: Engine, message: StartScheduled) -> None:
    """Start what is due at the message's moment, and send on what comes later in its minute. Stale and repeated messages do nothing."""
    schedule = engine.schedules.load(message.schedule)
    if schedule is None:
        return
    now = engine.clock.now()
    moments = moments_at(schedule, message.entry, message.at)
    due = [moment for moment in moments if moment <= now]
    if due and schedule.catches_up:
        _go_on(engine, schedule, message.entry, now)
    else:
        for moment in due:
            _start(engine, schedule, message.entry, moment)
    for moment in moments[len(due) :]:
        engine.alarms.send(replace(message, at=moment), moment, now)


def _go_on(engine: Engine, schedule: Schedule, entry: int, now: datetime) -> None:
    """Start the oldest moment that was not started yet, and send for the one after it: missed starts come one after another."""
    moment = first_missed(schedule, entry, now)
    if moment is None:
        return
    _start(engine, schedule, entry, moment)
    cursors = (*schedule.cursors[: entry - 1], moment, *schedule.cursors[entry:])
    after = replace(schedule, revision=schedule.revision + 1, cursors=cursors)
    if not engine.schedules.put(after):
        # Somebody changed the schedule meanwhile, or the same moment came twice: look at it anew.
        engine.alarms.send(StartScheduled(schedule.name, entry, moment), now, now)
    elif following := first_missed(after, entry, now):
        engine.alarms.send(StartScheduled(schedule.name, entry, following), now, now)


def _start(engine: Engine, schedule: Schedule, entry: int, moment: datetime) -> None:
    record = engine.schedules.begin(begun(schedule, entry, moment, engine.clock.now()))
    if record.state is not StartState.POLLED:
        return  # the message came twice
    try:
        workflow_id = start(engine, _request(record, scheduled_run_id(schedule.name, entry, moment)))
        done = replace(record, state=StartState.EXECUTED, workflow_id=workflow_id)
    except RequestError as error:
        done = replace(record, state=StartState.FAILED, reason=_reason(error))
    engine.schedules.end(done)
    _trim(engine, schedule.name)


def _request(record: ScheduledStart, workflow_id: str) -> StartWorkflow:
    return replace(wanted(start_request_from_json(record.request)), workflow_id=workflow_id)


def _reason(error: RequestError) -> str:
    wrong = "; ".join(f"{each.path}: {each.message}" for each in error.violations) if isinstance(error, InvalidRequest) else ""
    return f"{error} {wrong}".strip()[:MAX_REASON]


def _trim(engine: Engine, name: str) -> None:
    starts = engine.schedules.starts(name)
    if len(starts) > TRIMMED_FROM:
        engine.schedules.forget_starts(starts[KEPT_RUNS:])
