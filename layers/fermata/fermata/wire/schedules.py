"""Schedules and the records of their starts, in Conductor's JSON (reference 3.10)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from fermata.domain.cron import InvalidCron, parse
from fermata.domain.cron.moments import time_zone
from fermata.domain.errors import InvalidRequest, PayloadTooLarge, Violation
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.schedules import CronEntry, Schedule, ScheduledStart
from fermata.wire.codec import VALIDATION_FAILED, decode, decode_or_refuse
from fermata.wire.definitions import too_long
from fermata.wire.records import epoch_ms, json_bytes, moment
from fermata.wire.requests import start_request_from_json

MAX_CRONS = 50
MAX_REQUEST_BYTES = 64 * 1024  # it is stored with the schedule and with each of the records that are kept
MAX_TEXT = 2000  # characters of a description or a reason


@dataclass(frozen=True)
class CronBody:
    """`zone_id` None: the schedule's."""

    cron_expression: str = ""
    zone_id: str | None = None


@dataclass(frozen=True)
class ScheduleBody:
    name: str = ""
    cron_expression: str | None = None
    zone_id: str | None = None
    cron_schedules: tuple[CronBody, ...] = ()
    run_catchup_schedule_instances: bool = False
    paused: bool = False
    paused_reason: str | None = None
    start_workflow_request: JsonObject = field(default_factory=dict)
    schedule_start_time: int | None = None
    schedule_end_time: int | None = None
    description: str | None = None
    created_by: str | None = None
    updated_by: str | None = None


def schedule_from_json(value: Json, now: datetime) -> Schedule:
    """Return a new schedule, made at `now`. Raises `InvalidRequest`, naming every wrong field, or `PayloadTooLarge`.

    A time of 0 means none. A cron of the list that has no zone takes the schedule's.
    """
    violations: list[Violation] = []
    body = decode(ScheduleBody, value, "", violations)
    if body is None:
        body = decode_or_refuse(ScheduleBody, value)
    violations += [*_wrong_texts(body), *_wrong_crons(body), *_wrong_times(body), *_wrong_request(body.start_workflow_request)]
    if violations:
        raise InvalidRequest(VALIDATION_FAILED, violations)
    size = len(json_bytes(body.start_workflow_request))
    if size > MAX_REQUEST_BYTES:
        raise PayloadTooLarge(f"startWorkflowRequest has {size} bytes; a schedule can keep {MAX_REQUEST_BYTES}.")
    return _schedule(body, now)


def cron_from_text(path: str, text: str) -> CronEntry:
    """Return a cron in UTC. Raises `InvalidRequest`, naming `path`."""
    if wrong := tuple(_wrong_cron(path, text)):
        raise InvalidRequest(VALIDATION_FAILED, wrong)
    return CronEntry(text)


def schedule_to_json(schedule: Schedule, next_run: datetime | None) -> dict[str, Json]:
    """Return Conductor's WorkflowSchedule. `nextRunTime` is absent while the schedule is paused and when nothing comes any more."""
    return _without_none(
        {
            "name": schedule.name,
            "cronExpression": schedule.cron.expression if schedule.cron else None,
            "zoneId": schedule.cron.zone if schedule.cron else "UTC",
            "cronSchedules": [{"cronExpression": cron.expression, "zoneId": cron.zone} for cron in schedule.crons],
            "runCatchupScheduleInstances": schedule.catches_up,
            "paused": schedule.paused,
            "pausedReason": schedule.paused_reason,
            "startWorkflowRequest": schedule.request,
            "scheduleStartTime": _ms(schedule.start),
            "scheduleEndTime": _ms(schedule.end),
            "createTime": _ms(schedule.create_time),
            "updatedTime": _ms(schedule.update_time),
            "createdBy": schedule.created_by,
            "updatedBy": schedule.updated_by,
            "description": schedule.description,
            "nextRunTime": _ms(next_run),
        }
    )


def scheduled_start_to_json(start: ScheduledStart) -> dict[str, Json]:
    """Return Conductor's WorkflowScheduleExecution. There never is a `stackTrace`."""
    return _without_none(
        {
            "executionId": start.execution_id,
            "scheduleName": start.schedule,
            "scheduledTime": _ms(start.scheduled_time),
            "executionTime": _ms(start.execution_time),
            "workflowName": start.workflow_name,
            "workflowId": start.workflow_id,
            "reason": start.reason,
            "startWorkflowRequest": start.request,
            "state": start.state.value,
            "zoneId": start.zone,
        }
    )


def _schedule(body: ScheduleBody, now: datetime) -> Schedule:
    zone = body.zone_id or "UTC"
    return Schedule(
        name=body.name,
        request=body.start_workflow_request,
        create_time=now,
        update_time=now,
        cron=CronEntry(body.cron_expression, zone) if body.cron_expression else None,
        crons=tuple(CronEntry(cron.cron_expression, cron.zone_id or zone) for cron in body.cron_schedules),
        paused=body.paused,
        paused_reason=body.paused_reason,
        catches_up=body.run_catchup_schedule_instances,
        start=moment(body.schedule_start_time) if body.schedule_start_time else None,
        end=moment(body.schedule_end_time) if body.schedule_end_time else None,
        description=body.description,
        created_by=body.created_by,
        updated_by=body.updated_by,
    )


def _wrong_texts(body: ScheduleBody) -> Iterator[Violation]:
    if not body.name:
        yield Violation("name", "must not be empty")
    yield from too_long("name", body.name)
    texts = {
        "description": body.description,
        "pausedReason": body.paused_reason,
        "createdBy": body.created_by,
        "updatedBy": body.updated_by,
    }
    for path, text in texts.items():
        if text is not None and len(text) > MAX_TEXT:
            yield Violation(path, f"must be at most {MAX_TEXT} characters long")


def _wrong_crons(body: ScheduleBody) -> Iterator[Violation]:
    if body.cron_expression:
        yield from _wrong_cron("cronExpression", body.cron_expression)
    elif not body.cron_schedules:
        yield Violation("cronExpression", "must not be empty, unless cronSchedules has crons")
    if body.zone_id:
        yield from _wrong_zone("zoneId", body.zone_id)
    if len(body.cron_schedules) > MAX_CRONS:
        yield Violation("cronSchedules", f"must have at most {MAX_CRONS} crons")
    for index, cron in enumerate(body.cron_schedules[:MAX_CRONS]):
        yield from _wrong_cron(f"cronSchedules[{index}].cronExpression", cron.cron_expression)
        if cron.zone_id:
            yield from _wrong_zone(f"cronSchedules[{index}].zoneId", cron.zone_id)


def _wrong_cron(path: str, text: str) -> Iterator[Violation]:
    try:
        parse(text)
    except InvalidCron as error:
        yield Violation(path, str(error), text[:100])


def _wrong_zone(path: str, name: str) -> Iterator[Violation]:
    try:
        time_zone(name)
    except ValueError as error:
        yield Violation(path, str(error), name[:100])


def _wrong_times(body: ScheduleBody) -> Iterator[Violation]:
    times = {"scheduleStartTime": body.schedule_start_time or 0, "scheduleEndTime": body.schedule_end_time or 0}
    for path, time in times.items():
        if time < 0:
            yield Violation(path, "must be epoch milliseconds", time)
    start, end = times.values()
    if end and start > end:
        yield Violation("scheduleEndTime", "must not be before scheduleStartTime", end)


def _wrong_request(request: JsonObject) -> Iterator[Violation]:
    try:
        start_request_from_json(request)
    except InvalidRequest as error:
        for wrong in error.violations:
            yield Violation(f"startWorkflowRequest.{wrong.path}", wrong.message, wrong.invalid_value)


def _ms(time: datetime | None) -> int | None:
    return None if time is None else epoch_ms(time)


def _without_none(values: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in values.items() if value is not None}
