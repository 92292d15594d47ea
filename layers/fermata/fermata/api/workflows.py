"""Starting and reading runs (reference 2.3)."""

from dataclasses import replace
from typing import TypedDict

from fermata.api.conditional import conditional
from fermata.api.external import with_external_input
from fermata.api.http import Reply, Request, Route, answer, words
from fermata.api.tasks import task_body
from fermata.application import awaited, look, start
from fermata.application.engine import Engine
from fermata.application.start import StartWorkflow
from fermata.application.views import ExecutionView, TaskView
from fermata.domain.access import Role
from fermata.domain.errors import InvalidRequest
from fermata.domain.idempotency import IdempotencyStrategy, strategy_named
from fermata.domain.json_value import Json
from fermata.wire import executions as wire
from fermata.wire.awaited import waiting_to_json
from fermata.wire.requests import StartWorkflowRequest, correlation_id, start_request_from_json
from fermata.wire.summaries import search_result_to_json
from fermata.wire.summarized import OF_A_RUN, OF_A_TASK, summarized

DEFAULT_TASK_COUNT = 15


def start_workflow(engine: Engine, request: Request) -> Reply:
    asked = start_request_from_json(request.json(), external=True)
    admit_definition(request, asked)
    key = idempotency(request, asked.idempotency_key, asked.idempotency_strategy)
    return words(start.start(engine, replace(start.wanted(with_external_input(engine, asked)), **key)))


def admit_definition(request: Request, asked: StartWorkflowRequest) -> None:
    """Raises `Forbidden` when a definition comes with the start and the caller may not register one: it can name secrets."""
    if asked.workflow_def is not None:
        request.require(Role.ADMIN, "To start a definition that is not registered (workflowDef)")


def start_workflow_by_name(engine: Engine, request: Request) -> Reply:
    by_name = StartWorkflow(
        name=request.path["name"],
        version=request.optional_number("version"),
        input=request.json_object(),
        correlation_id=correlation_id(request.word("correlationId")),
        priority=request.number("priority", 0),
        **idempotency(request, None, None),
    )
    return words(start.start(engine, by_name))


def get_workflow(engine: Engine, request: Request) -> Reply:
    """Answer with the run and, while it is not over, with what it waits for."""

    def shown(view: ExecutionView) -> Json:
        found = waiting_to_json(awaited.waiting_for(engine, view))
        body = workflow_summary(view) if request.flag("summarize", default=False) else workflow_body(view)
        return {**body, **({"waitingFor": found} if found else {})}

    return conditional(engine, request, shown, include_tasks=request.flag("includeTasks", default=True))


def execution_body(engine: Engine, workflow_id: str, *, include_tasks: bool) -> Json:
    """Return the Workflow body of a run. Raises `NotFound`."""
    return workflow_body(look.execution(engine, workflow_id, include_tasks=include_tasks))


def get_status(engine: Engine, request: Request) -> Reply:
    output = request.flag("includeOutput", default=False)
    variables = request.flag("includeVariables", default=False)
    view = look.execution(engine, request.path["id"], include_tasks=False)
    return answer(wire.workflow_status_to_json(view.workflow, include_output=output, include_variables=variables))


def get_tasks(engine: Engine, request: Request) -> Reply:
    first, count = request.number("start", 0), request.number("count", DEFAULT_TASK_COUNT)
    if first < 0 or count < 0:
        raise InvalidRequest("start and count must not be negative.")
    wanted = {status.upper() for status in request.words("status")}
    summarize = request.flag("summarize", default=False)

    def shown(view: ExecutionView) -> Json:
        found = [each for each in view.tasks if not wanted or each.task.status in wanted]
        page = found[first : first + count]
        return search_result_to_json(len(found), [_task_summary(each, view) if summarize else task_body(each) for each in page])

    return conditional(engine, request, shown, include_tasks=True)


def workflow_body(view: ExecutionView) -> dict[str, Json]:
    """Return the Workflow body of a view."""
    return wire.workflow_to_json(view.workflow, view.definition, [task_body(task) for task in view.tasks])


def workflow_summary(view: ExecutionView) -> dict[str, Json]:
    """Return the Workflow body of a view without long payloads."""
    body = wire.workflow_to_json(view.workflow, view.definition, [_task_summary(task, view) for task in view.tasks])
    return summarized(body, OF_A_RUN, view.left_out.get(view.workflow.workflow_id, {}))


def _task_summary(each: TaskView, view: ExecutionView) -> Json:
    return summarized(task_body(each), OF_A_TASK, view.left_out.get(each.task.task_id, {}))


class Idempotency(TypedDict, total=False):
    idempotency_key: str
    idempotency_strategy: IdempotencyStrategy


def idempotency(request: Request, key: str | None, strategy: str | None) -> Idempotency:
    """Return key and strategy of a start, the body's before the headers'. Without a key there is no strategy: SDKs always send one."""
    key = key or request.headers.get("x-idempotency-key")
    if not key:
        return {}
    return {"idempotency_key": key, "idempotency_strategy": strategy_named(strategy or request.headers.get("x-on-conflict"))}


ROUTES = (
    Route("POST", "/api/workflow", start_workflow),
    Route("POST", "/api/workflow/<name>", start_workflow_by_name),
    Route("GET", "/api/workflow/<id>", get_workflow),
    Route("GET", "/api/workflow/<id>/status", get_status),
    Route("GET", "/api/workflow/<id>/tasks", get_tasks),
)
