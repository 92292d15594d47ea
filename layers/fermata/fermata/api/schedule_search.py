"""Searching schedules and the records of their starts (reference 2.9 and 4)."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from fermata.api.http import Reply, Request, Route, answer, whole_number
from fermata.application import schedules as use
from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest
from fermata.domain.json_value import Json
from fermata.wire.bodies import text as as_text
from fermata.wire.definitions import too_long
from fermata.wire.schedules import schedule_to_json, scheduled_start_to_json
from fermata.wire.summaries import search_result_to_json

DEFAULT_SIZE, MAX_SIZE = 100, 5000
MAX_SCHEDULES = 500  # a search of starts reads the records of each

Row = dict[str, Json]
Test = Callable[[Row], bool]

_SCHEDULE_FIELDS = ("name", "workflowName", "createTime", "updatedTime", "nextRunTime", "paused")
_START_FIELDS = ("scheduledTime", "executionTime", "scheduleName", "workflowName", "state")
_ALIASES = {"startTime": "scheduledTime"}  # as the user interface sorts
_CLAUSE = re.compile(
    r"\s*(?P<field>\w+)\s*(?P<op>=|<|>|\bIN\b)\s*(?P<value>\([^()]*\)|'[^']*'|\"[^\"]*\"|[^\s()'\"=<>]+)\s*", re.IGNORECASE
)
_OPERATOR = re.compile(r"[=<>]|\bIN\b", re.IGNORECASE)
_LISTED = ("scheduleName", "state", "workflowName", "executionId")


class Page(NamedTuple):
    start: int
    size: int


def search(engine: Engine, request: Request) -> Reply:
    page, text = _page(request), (request.word("freeText") or "*").lower()
    name, workflow = request.word("scheduleName"), request.word("workflowName")
    paused = request.flag("paused", default=False) if request.word("paused") else None
    found = []
    for each in use.every(engine):
        schedule = each.schedule
        fits = name in (None, schedule.name) and workflow in (None, schedule.workflow_name) and paused in (None, schedule.paused)
        if fits and (text == "*" or text in f"{schedule.name} {schedule.workflow_name}".lower()):
            found.append({**schedule_to_json(schedule, each.next_run), "workflowName": schedule.workflow_name})
    rows = _sorted(found, request.word("sort") or "name:ASC", _SCHEDULE_FIELDS)
    return _result([{key: value for key, value in row.items() if key != "workflowName"} for row in rows], page)


def search_starts(engine: Engine, request: Request) -> Reply:
    page, tests = _page(request), list(_tests(request.word("query") or ""))
    text = (request.word("freeText") or "*").lower()
    names = next((names for names in map(_schedules_of, _clauses(request.word("query") or "")) if names is not None), None)
    found = [scheduled_start_to_json(start) for name in _searched(engine, names) for start in engine.schedules.starts(name)]
    rows = [row for row in found if all(test(row) for test in tests) and (text == "*" or text in as_text(row).lower())]
    return _result(_sorted(rows, request.word("sort") or "scheduledTime:DESC", _START_FIELDS), page)


def _searched(engine: Engine, names: Collection[str] | None) -> list[str]:
    if names is not None:
        return [name for name in names if name and not tuple(too_long("name", name))]
    known = [each.name for each in engine.schedules.all()]
    if len(known) > MAX_SCHEDULES:
        raise InvalidRequest(f"There are {len(known)} schedules; name up to {MAX_SCHEDULES}: query=scheduleName IN (a, b).")
    return known


def _clauses(query: str) -> Iterator[Mapping[str, str]]:
    """Yield the clauses. A query without any operator is the name of a schedule. Raises `InvalidRequest` for what is no clause."""
    if query.strip() in ("", "*"):
        return
    if not _OPERATOR.search(query):
        yield {"field": "scheduleName", "op": "=", "value": f"'{query.strip()}'"}
        return
    for part in re.split(r"\bAND\b", query):
        clause = _CLAUSE.fullmatch(part)
        if clause is None:
            raise _refused(part)
        yield clause.groupdict()


def _tests(query: str) -> Iterator[Test]:
    for clause in _clauses(query):
        name, op, value = clause["field"], clause["op"].upper(), clause["value"]
        if name in _LISTED and op in ("=", "IN"):
            yield _one_of(name, _values(value))
        elif name == "scheduledTime" and op in ("<", ">"):
            yield _beside(op, whole_number("scheduledTime in the query", value.strip("'\"")))
        else:
            raise _refused(f"{name} {op} {value}")


def _one_of(name: str, values: Collection[str]) -> Test:
    return lambda row: row.get(name) in values


def _beside(op: str, time: int) -> Test:
    return lambda row: row["scheduledTime"] < time if op == "<" else row["scheduledTime"] > time


def _schedules_of(clause: Mapping[str, str]) -> list[str] | None:
    return _values(clause["value"]) if clause["field"] == "scheduleName" else None


def _values(value: str) -> list[str]:
    listed = value[1:-1].split(",") if value.startswith("(") else [value]
    return list(dict.fromkeys(part.strip().strip("'\"") for part in listed))


def _page(request: Request) -> Page:
    start, size = request.number("start", 0), request.number("size", DEFAULT_SIZE)
    if not 0 <= size <= MAX_SIZE or start < 0:
        raise InvalidRequest(f"start must not be negative, and size must be between 0 and {MAX_SIZE}.")
    return Page(start, size)


def _sorted(rows: list[Row], sort: str, fields: Collection[str]) -> list[Row]:
    """Sort by `field:DESC,other:ASC`; what has no value comes last when ascending."""
    for each in reversed(sort.split(",")):
        name, _, direction = each.strip().partition(":")
        name = _ALIASES.get(name, name)
        if name not in fields or direction.upper() not in ("", "ASC", "DESC"):
            raise InvalidRequest(f"sort is a list of field:ASC or field:DESC; the fields are {', '.join(fields)}, not {each[:40]!r}.")
        rows = sorted(rows, key=lambda row, name=name: _sort_key(row.get(name)), reverse=direction.upper() == "DESC")  # type: ignore[misc]
    return rows


def _sort_key(value: Json) -> tuple[bool, Json]:
    return (True, 0) if value is None else (False, value)


def _result(rows: list[Row], page: Page) -> Reply:
    return answer(search_result_to_json(len(rows), rows[page.start : page.start + page.size]))


def _refused(clause: str) -> InvalidRequest:
    return InvalidRequest(
        f"This part of the query cannot be searched: {clause.strip()[:200]!r}. Clauses are joined by AND; each is "
        "scheduleName, state, workflowName or executionId with = or IN (...), or scheduledTime with > or < and epoch milliseconds."
    )


ROUTES = (
    Route("GET", "/api/scheduler/schedules/search", search),
    Route("GET", "/api/scheduler/search/executions", search_starts),
)
