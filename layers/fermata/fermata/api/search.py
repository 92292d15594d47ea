"""The search grammar of runs: clauses joined by AND, as Conductor's SQL servers read it (reference 4).

A clause we cannot honour is refused by name: dropping it, as Conductor does, would show runs nobody asked for.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import product

from fermata.api.http import Request, whole_number
from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest
from fermata.domain.status import WorkflowStatus
from fermata.ports import WorkflowPage, WorkflowQuery
from fermata.wire.records import moment

DEFAULT_SIZE = 100
MAX_SIZE = 5000  # as in Conductor
MAX_SEARCHES = 20  # each combination of listed names is a search of its own
MAX_MOMENT = 10**14  # epoch ms; the year 5138 is late enough for any run

NEWEST_FIRST = "startTime:DESC"

_CLAUSE = re.compile(
    r"""\s*(?P<field>[A-Za-z]+)\s*(?P<op>=|>|<|\bIN\b)\s*
        (?P<value>\([^()]*\)|'[^']*'|"[^"]*"|[^\s()'"=<>]+)\s*
        (?P<more>\bAND\b|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_LISTED = ("workflowType", "workflowId", "correlationId", "status")


@dataclass(frozen=True)
class Asked:
    """What one search asks for. `any_of`: field -> the values that match, an absent field matching all."""

    any_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    started_after: datetime | None = None
    started_before: datetime | None = None
    start: int = 0
    size: int = DEFAULT_SIZE


def asked(request: Request) -> Asked:
    """Read the query parameters of a search. Raises `InvalidRequest`, naming the clause or the parameter that cannot be honoured."""
    start, size = request.number("start", 0), request.number("size", DEFAULT_SIZE)
    if not 0 <= size <= MAX_SIZE or start < 0:
        raise InvalidRequest(f"start must not be negative, and size must be between 0 and {MAX_SIZE}.")
    if request.word("freeText") not in (None, "*"):
        raise InvalidRequest("Searching by freeText is not supported; use query, for example workflowType='name' AND status='FAILED'.")
    if request.word("sort") not in (None, NEWEST_FIRST):
        raise InvalidRequest(f"Runs are sorted by {NEWEST_FIRST}; another sort is not supported.")
    return replace(read_query(request.word("query") or ""), start=start, size=size)


def read_query(query: str) -> Asked:
    """Read the clauses. Raises `InvalidRequest`, naming the one that cannot be honoured."""
    wanted = Asked()
    for clause in _clauses(query):
        name, op, value = clause["field"], clause["op"].upper(), clause["value"]
        if name in _LISTED and op in ("=", "IN") and "*" not in value:
            wanted = _with_values(wanted, name, _values(value))
        elif name == "startTime" and op in ("<", ">"):
            wanted = _with_moment(wanted, op, value)
        else:
            raise _refused(clause[0])
    return wanted


def find(engine: Engine, wanted: Asked) -> WorkflowPage:
    """Return the page, newest first. Raises `InvalidRequest` when too many values are combined."""
    names = [wanted.any_of.get(key, (None,)) for key in ("workflowType", "workflowId", "correlationId")]
    queries = [_query(wanted, *combination) for combination in product(*names)]
    if len(queries) == 1:
        return engine.executions.search(replace(queries[0], start=wanted.start, size=wanted.size))
    if len(queries) > MAX_SEARCHES:
        raise InvalidRequest(f"The query combines {len(queries)} names and ids; at most {MAX_SEARCHES} can be searched at once.")
    pages = [engine.executions.search(replace(query, size=wanted.start + wanted.size)) for query in queries]
    found = sorted((run for page in pages for run in page.workflows), key=lambda run: run.create_time, reverse=True)
    return WorkflowPage(sum(page.total_hits for page in pages), found[wanted.start : wanted.start + wanted.size])


def _query(wanted: Asked, workflow_type: str | None, workflow_id: str | None, correlation_id: str | None) -> WorkflowQuery:
    return WorkflowQuery(
        workflow_type=workflow_type,
        statuses=tuple(_status(name) for name in wanted.any_of.get("status", ())),
        workflow_id=workflow_id,
        correlation_id=correlation_id,
        started_after=wanted.started_after,
        started_before=wanted.started_before,
    )


def _clauses(query: str) -> Iterator[re.Match[str]]:
    at = 0
    while query[at:].strip():
        clause = _CLAUSE.match(query, at)
        if clause is None:
            raise _refused(query[at:])
        at = clause.end()
        yield clause
        if clause["more"] and not query[at:].strip():
            raise _refused(clause[0])


def _with_values(wanted: Asked, name: str, values: Sequence[str]) -> Asked:
    if name in wanted.any_of:
        raise InvalidRequest(f"The query names {name} twice; use {name} IN (a, b).")
    if name == "status":
        values = [_status(value).value for value in values]
    return replace(wanted, any_of={**wanted.any_of, name: tuple(dict.fromkeys(values))})


def _with_moment(wanted: Asked, op: str, value: str) -> Asked:
    number = whole_number("startTime in the query", value.strip("'\""))
    if not 0 <= number <= MAX_MOMENT:
        raise InvalidRequest(f"startTime in the query must be epoch milliseconds, between 0 and {MAX_MOMENT}.")
    # Conductor's < and > leave the named millisecond out, the store's bounds take it in.
    return replace(wanted, started_after=moment(number + 1)) if op == ">" else replace(wanted, started_before=moment(number - 1))


def _values(value: str) -> list[str]:
    return [part.strip().strip("'\"") for part in value.strip("()").split(",")]


def _status(name: str) -> WorkflowStatus:
    try:
        return WorkflowStatus(name)
    except ValueError as error:
        raise InvalidRequest(f"{name[:40]!r} is no workflow status; use one of {', '.join(WorkflowStatus)}.") from error


def _refused(clause: str) -> InvalidRequest:
    return InvalidRequest(
        f"This part of the query cannot be searched: {clause.strip()[:200]!r}. Clauses are joined by AND; each is "
        "workflowType, workflowId, correlationId or status with = or IN (...), or startTime with > or < and epoch milliseconds."
    )
