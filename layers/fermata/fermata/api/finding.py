"""Finding runs by what they were started with (reference 2.3): running ones, correlated ones, and the search that shows whole runs."""

from collections.abc import Sequence
from datetime import datetime

from fermata.api import search
from fermata.api.http import Reply, Request, Route, answer
from fermata.api.workflows import execution_body
from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest
from fermata.domain.executions import Workflow
from fermata.domain.json_value import Json
from fermata.domain.status import WorkflowStatus
from fermata.ports import WorkflowQuery
from fermata.wire import executions as wire
from fermata.wire.records import moment

MAX_CORRELATED = 100  # correlation ids in one request: each is a search of its own
FIRST_VERSION = 1  # Conductor's default where others take the highest version


def running(engine: Engine, request: Request) -> Reply:
    version, bounds = request.number("version", FIRST_VERSION), [request.number(name, 0) for name in ("startTime", "endTime")]
    if not all(0 <= bound <= search.MAX_MOMENT for bound in bounds):
        raise InvalidRequest(f"startTime and endTime must be epoch milliseconds, between 0 and {search.MAX_MOMENT}.")
    after, before = [moment(bound) for bound in bounds] if all(bounds) else (None, None)
    open_statuses = (WorkflowStatus.RUNNING, WorkflowStatus.PAUSED)
    found = _find(engine, request.path["name"], None, open_statuses, after, before)
    return answer([run.workflow_id for run in found if run.workflow_version == version])


def correlated(engine: Engine, request: Request) -> Reply:
    return answer(_correlated(engine, request, request.path["correlation"]))


def correlated_many(engine: Engine, request: Request) -> Reply:
    ids = request.json()
    if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids) or len(ids) > MAX_CORRELATED:
        raise InvalidRequest(f"The body must be a JSON list of at most {MAX_CORRELATED} correlation ids.")
    return answer({str(each): _correlated(engine, request, str(each)) for each in ids})


def search_whole(engine: Engine, request: Request) -> Reply:
    page = search.find(engine, search.asked(request))
    bodies = [execution_body(engine, run.workflow_id, include_tasks=False) for run in page.workflows]
    return answer(wire.search_result_to_json(page.total_hits, bodies))


def _correlated(engine: Engine, request: Request, correlation_id: str) -> list[Json]:
    closed, tasks = request.flag("includeClosed", default=False), request.flag("includeTasks", default=False)
    statuses = () if closed else (WorkflowStatus.RUNNING,)
    found = _find(engine, request.path["name"], correlation_id, statuses)
    return [execution_body(engine, run.workflow_id, include_tasks=tasks) for run in found]


def _find(
    engine: Engine,
    name: str,
    correlation_id: str | None,
    statuses: Sequence[WorkflowStatus],
    after: datetime | None = None,
    before: datetime | None = None,
) -> Sequence[Workflow]:
    query = WorkflowQuery(
        workflow_type=name,
        statuses=statuses,
        correlation_id=correlation_id,
        started_after=after,
        started_before=before,
        size=search.MAX_SIZE,
    )
    return engine.executions.search(query).workflows


ROUTES = (
    Route("GET", "/api/workflow/running/<name>", running),
    Route("GET", "/api/workflow/<name>/correlated/<correlation>", correlated),
    Route("POST", "/api/workflow/<name>/correlated", correlated_many),
    Route("GET", "/api/workflow/search-v2", search_whole),
)
