"""Schedules (reference 2.9). GET stands beside PUT and POST where SDKs of other languages send it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import islice

from fermata.api.bulk import each_of
from fermata.api.http import Reply, Request, Route, answer, done
from fermata.application import schedules as use
from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest, NotFound
from fermata.domain.json_value import Json
from fermata.domain.schedules import Schedule, next_starts
from fermata.wire.definitions import too_long
from fermata.wire.records import epoch_ms, moment
from fermata.wire.schedules import MAX_TEXT, cron_from_text, schedule_from_json, schedule_to_json

MAX_FEW = 5  # as in Conductor
MAX_NAMES = 1000
ALL_PAUSED = "All schedules were paused."
_LATEST = 10**14  # epoch ms; the year 5138
_DONE: Json = {"status": "done"}  # an empty body breaks Python's SDK


def save(engine: Engine, request: Request) -> Reply:
    return answer(_body(use.save(engine, schedule_from_json(request.json(), engine.clock.now()))))


def list_all(engine: Engine, request: Request) -> Reply:
    workflow = request.word("workflowName")
    return answer([_body(each) for each in use.every(engine) if workflow in (None, each.schedule.workflow_name)])


def get(engine: Engine, request: Request) -> Reply:
    return answer(_body(use.get(engine, _name(request))))


def delete(engine: Engine, request: Request) -> Reply:
    if not tuple(too_long("name", request.path["name"])):
        use.delete(engine, request.path["name"])
    return done()


def pause(engine: Engine, request: Request) -> Reply:
    reason = request.word("reason")
    if reason is not None and len(reason) > MAX_TEXT:
        raise InvalidRequest(f"The reason must be at most {MAX_TEXT} characters long.")
    use.pause(engine, _name(request), reason)
    return done()


def resume(engine: Engine, request: Request) -> Reply:
    use.resume(engine, _name(request))
    return done()


def next_few(engine: Engine, request: Request) -> Reply:
    """Answer with the next moments of a cron in UTC, within the given window."""
    now = engine.clock.now()
    cron = cron_from_text("cronExpression", request.word("cronExpression") or "")
    start, end = _time(request, "scheduleStartTime"), _time(request, "scheduleEndTime")
    limit = request.number("limit", MAX_FEW)
    if limit < 0:
        raise InvalidRequest("limit must not be negative.")
    begin = min(start, now) if start else now
    asked = Schedule("", {}, begin, begin, cron=cron, start=start, end=end)
    after = max(now, start - timedelta(milliseconds=1)) if start else now
    return answer([epoch_ms(found) for found in islice(next_starts(asked, 1, after), min(limit, MAX_FEW))])


def pause_many(engine: Engine, request: Request) -> Reply:
    return _each(request, lambda name: use.pause(engine, name))


def resume_many(engine: Engine, request: Request) -> Reply:
    return _each(request, lambda name: use.resume(engine, name))


def arm_all(engine: Engine, _request: Request) -> Reply:
    """Set the recurring alarms of every schedule anew."""
    for each in use.every(engine):
        use.arm(engine, each.schedule.name)
    return answer(_DONE)


def pause_all(engine: Engine, _request: Request) -> Reply:
    for each in use.every(engine):
        if not each.schedule.paused:
            use.pause(engine, each.schedule.name, ALL_PAUSED)
    return answer(_DONE)


def resume_all(engine: Engine, _request: Request) -> Reply:
    """Let go on what `pause_all` paused; what was paused by itself stays so."""
    for each in use.every(engine):
        if each.schedule.paused and each.schedule.paused_reason == ALL_PAUSED:
            use.resume(engine, each.schedule.name)
    return answer(_DONE)


def _body(changed: use.Changed) -> dict[str, Json]:
    return schedule_to_json(changed.schedule, changed.next_run)


def _name(request: Request) -> str:
    """Return the name in the path. Raises `NotFound` for one that is too long to be anybody's."""
    name = request.path["name"]
    if tuple(too_long("name", name)):
        raise NotFound(f"There is no schedule {name[:60]}...")
    return name


def _time(request: Request, name: str) -> datetime | None:
    number = request.number(name, 0)
    if not 0 <= number <= _LATEST:
        raise InvalidRequest(f"{name} must be epoch milliseconds.")
    return moment(number) if number else None


def _each(request: Request, act: Callable[[str], None]) -> Reply:
    """Act on every name. Each stands for itself: an error is told by its name, and the status stays 200."""
    names = request.json()
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names) or len(names) > MAX_NAMES:
        raise InvalidRequest(f"The body must be a JSON list of at most {MAX_NAMES} names of schedules.")

    def on_one(name: str) -> None:
        if tuple(too_long("name", name)):
            raise NotFound("There is no schedule of that name.")
        act(name)

    return each_of(dict.fromkeys(names), on_one)


_AT = "/api/scheduler"
ROUTES = (
    Route("POST", f"{_AT}/schedules", save),
    Route("GET", f"{_AT}/schedules", list_all),
    Route("GET", f"{_AT}/schedules/<name>", get),
    Route("DELETE", f"{_AT}/schedules/<name>", delete),
    Route("GET", f"{_AT}/nextFewSchedules", next_few),
    Route("PUT", f"{_AT}/bulk/pause", pause_many),
    Route("PUT", f"{_AT}/bulk/resume", resume_many),
    *(Route(method, f"{_AT}/schedules/<name>/pause", pause) for method in ("PUT", "GET")),
    *(Route(method, f"{_AT}/schedules/<name>/resume", resume) for method in ("PUT", "GET")),
    *(Route(method, f"{_AT}/admin/requeue", arm_all) for method in ("GET", "POST")),
    *(Route(method, f"{_AT}/admin/pause", pause_all) for method in ("GET", "POST")),
    *(Route(method, f"{_AT}/admin/resume", resume_all) for method in ("GET", "POST")),
)
