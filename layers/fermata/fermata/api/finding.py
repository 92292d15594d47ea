"""Finding runs and tasks (reference 2.3, 2.5, 4): the searches, running runs and correlated ones."""

from collections.abc import Sequence
from dataclasses import replace

from fermata.api import search
from fermata.api.http import Reply, Request, Route, answer
from fermata.api.tasks import task_body
from fermata.api.workflows import execution_body
from fermata.application import find_tasks
from fermata.application.engine import Engine
from fermata.application.find_tasks import Page, TaskQuery
from fermata.application.views import TaskView
from fermata.domain.errors import InvalidRequest, SearchTooBroad
from fermata.domain.executions import Workflow
from fermata.domain.json_value import Json
from fermata.domain.searching.conditions import Both, Condition, OneOf, Within
from fermata.domain.searching.fields import (
    CORRELATION_ID,
    NEWEST_FIRST,
    START_TIME,
    STATUS,
    TASK_FIELDS,
    VERSION,
    WORKFLOW_FIELDS,
    WORKFLOW_TYPE,
)
from fermata.domain.status import WorkflowStatus
from fermata.ports import WorkflowPage, WorkflowQuery
from fermata.wire import executions as wire
from fermata.wire import summaries
from fermata.wire.search_query import order_from_text

MAX_CORRELATED = 100  # correlation ids in one request, and workflow names beside them
FIRST_VERSION = 1  # Conductor's default where others take the highest version
MAX_MOMENT = 10**14  # epoch ms; the year 5138 is late enough for any run


def search_runs(engine: Engine, request: Request) -> Reply:
    return _summaries(_runs(engine, request))


def search_whole_runs(engine: Engine, request: Request) -> Reply:
    return _whole_runs(engine, _runs(engine, request))


def search_runs_by_tasks(engine: Engine, request: Request) -> Reply:
    return _summaries(_runs_by_tasks(engine, request))


def search_whole_runs_by_tasks(engine: Engine, request: Request) -> Reply:
    return _whole_runs(engine, _runs_by_tasks(engine, request))


def search_tasks(engine: Engine, request: Request) -> Reply:
    page = _tasks(engine, request)
    longest = summaries.longest_text(len(page.found))
    return _result(page, [summaries.task_summary_to_json(each.task, each.workflow, longest) for each in page.found])


def search_whole_tasks(engine: Engine, request: Request) -> Reply:
    page = _tasks(engine, request)
    longest = summaries.longest_text(len(page.found))
    return _result(page, [task_body(replace(each, task=summaries.without_long(each.task, longest))) for each in page.found])


def running(engine: Engine, request: Request) -> Reply:
    version, bounds = request.number("version", FIRST_VERSION), [request.number(name, 0) for name in ("startTime", "endTime")]
    if not all(0 <= bound <= MAX_MOMENT for bound in bounds):
        raise InvalidRequest(f"startTime and endTime must be epoch milliseconds, between 0 and {MAX_MOMENT}.")
    condition: Condition = Both(OneOf(WORKFLOW_TYPE, (request.path["name"],)), OneOf(VERSION, (version,)))
    condition = Both(condition, OneOf(STATUS, (WorkflowStatus.RUNNING, WorkflowStatus.PAUSED)))
    found = _all(engine, Both(condition, Within(START_TIME, *bounds)) if all(bounds) else condition)
    return answer([run.workflow_id for run in found.workflows])


def correlated(engine: Engine, request: Request) -> Reply:
    wanted = request.path["correlation"]
    return answer(_correlated(engine, request, [request.path["name"]], [wanted])[wanted])


def correlated_many(engine: Engine, request: Request) -> Reply:
    ids = _texts(request.json(), "The body", "correlation ids")
    return answer(dict(_correlated(engine, request, [request.path["name"]], ids)))


def correlated_of_many(engine: Engine, request: Request) -> Reply:
    """Answer with the runs of several workflows, by correlation id (a call of Orkes Conductor, which its SDKs make)."""
    body = request.json_object()
    names = _texts(body.get("workflowNames"), "workflowNames", "names")
    ids = _texts(body.get("correlationIds"), "correlationIds", "correlation ids")
    return answer(dict(_correlated(engine, request, names, ids)))


def _texts(value: Json, what: str, of: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value) or len(value) > MAX_CORRELATED:
        raise InvalidRequest(f"{what} must be a JSON list of at most {MAX_CORRELATED} {of}.")
    return [str(each) for each in value]


def _runs(engine: Engine, request: Request) -> WorkflowPage:
    asked = search.asked(request, WORKFLOW_FIELDS)
    query = WorkflowQuery(search.of_kind(request, asked.condition), asked.order or NEWEST_FIRST, asked.start, asked.size)
    return engine.executions.search(replace(query, after=search.place(request, query.order)))


def _runs_by_tasks(engine: Engine, request: Request) -> WorkflowPage:
    asked = search.asked(replace(request, query={**request.query, "sort": ()}), TASK_FIELDS)
    order = order_from_text(request.word("sort") or "", WORKFLOW_FIELDS)
    query = TaskQuery(asked.condition, () if order == NEWEST_FIRST else order, asked.start, asked.size)
    page = find_tasks.find_runs_with_tasks(engine, query)
    return WorkflowPage(page.total_hits, page.found, page.exact)


def _tasks(engine: Engine, request: Request) -> Page[TaskView]:
    asked = search.asked(request, TASK_FIELDS)
    return find_tasks.find_tasks(engine, TaskQuery(asked.condition, asked.order, asked.start, asked.size))


def _summaries(page: WorkflowPage) -> Reply:
    longest, left_out = summaries.longest_text(len(page.workflows)), page.left_out
    return _result(page, [summaries.workflow_summary_to_json(run, longest, left_out.get(run.workflow_id, {})) for run in page.workflows])


def _whole_runs(engine: Engine, page: WorkflowPage) -> Reply:
    longest = summaries.longest_text(len(page.workflows))
    return _result(page, [_without_tasks(engine, summaries.without_long(run, longest)) for run in page.workflows])


def _without_tasks(engine: Engine, run: Workflow) -> Json:
    return wire.workflow_to_json(run, engine.definitions.pinned(run.definition_key), ())


def _result(page: WorkflowPage | Page[TaskView], bodies: Sequence[Json]) -> Reply:
    last = page.last if isinstance(page, WorkflowPage) else None
    return answer(
        summaries.search_result_to_json(page.total_hits, bodies, exact=page.exact, following=search.cursor(last) if last else None)
    )


def _correlated(engine: Engine, request: Request, names: Sequence[str], ids: Sequence[str]) -> dict[str, list[Json]]:
    """Return the runs of each id. Without `includeClosed` these are the RUNNING ones, as in Conductor."""
    closed, tasks = request.flag("includeClosed", default=False), request.flag("includeTasks", default=False)
    bodies: dict[str, list[Json]] = {each: [] for each in ids}
    if not names or not ids:
        return bodies
    condition: Condition = Both(OneOf(WORKFLOW_TYPE, tuple(names)), OneOf(CORRELATION_ID, tuple(ids)))
    found = _all(engine, condition if closed else Both(condition, OneOf(STATUS, (WorkflowStatus.RUNNING,))))
    for run in found.workflows:
        if run.workflow_name not in names or run.correlation_id not in bodies:
            continue  # a search takes a star for any characters; here it is itself
        whole = tasks or run.workflow_id in found.left_out
        body = execution_body(engine, run.workflow_id, include_tasks=tasks) if whole else _without_tasks(engine, run)
        bodies[run.correlation_id].append(body)
    return bodies


def _all(engine: Engine, condition: Condition) -> WorkflowPage:
    page = engine.executions.search(WorkflowQuery(condition, size=search.MAX_SIZE))
    if not page.exact or page.total_hits > search.MAX_SIZE:
        raise SearchTooBroad(f"There are more than {search.MAX_SIZE} such runs; use /workflow/search with start, size and startTime.")
    return page


ROUTES = (
    Route("GET", "/api/workflow/running/<name>", running),
    Route("GET", "/api/workflow/<name>/correlated/<correlation>", correlated),
    Route("POST", "/api/workflow/<name>/correlated", correlated_many),
    Route("POST", "/api/workflow/correlated/batch", correlated_of_many),
    Route("GET", "/api/workflow/search", search_runs),
    Route("GET", "/api/workflow/search-v2", search_whole_runs),
    Route("GET", "/api/workflow/search-by-tasks", search_runs_by_tasks),
    Route("GET", "/api/workflow/search-by-tasks-v2", search_whole_runs_by_tasks),
    Route("GET", "/api/tasks/search", search_tasks),
    Route("GET", "/api/tasks/search-v2", search_whole_tasks),
)
