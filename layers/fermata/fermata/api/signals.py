"""Signals: what an outside party tells the WAIT that blocks a run (reference 2.5)."""

from fermata.api.http import Reply, Request, Route, answer, done
from fermata.api.tasks import task_body
from fermata.application import complete, look
from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest, NotFound
from fermata.domain.json_value import Json
from fermata.domain.status import TaskStatus
from fermata.wire import signals as wire
from fermata.wire.signals import Answered, ReturnStrategy


def signal(engine: Engine, request: Request) -> Reply:
    complete.signal(engine, request.path["workflow"], reported_status(request), request.json_object())
    return done()


def signal_sync(engine: Engine, request: Request) -> Reply:
    """Answer with the run as the signal left it. What it goes on with elsewhere is not waited for: `signalTimeout` says so then."""
    workflow_id, strategy = request.path["workflow"], _strategy(request)
    request.number("timeoutMillis", 0)
    told = complete.signal(engine, workflow_id, reported_status(request), request.json_object())
    if told is None:
        raise NotFound(f"No WAIT task blocks workflow {workflow_id}.")
    return answer(_response(engine, workflow_id, strategy, told.task_id))


def _response(engine: Engine, workflow_id: str, strategy: ReturnStrategy, request_id: str) -> Json:
    """Return the SignalResponse. Where nothing blocks the run it shows the run itself (the reference's 500 there is a known defect)."""
    blocking = complete.first_waiting(engine, workflow_id)
    target = look.execution(engine, workflow_id, include_tasks=True)
    if blocking is None or strategy is ReturnStrategy.TARGET_WORKFLOW:
        unfinished = not target.workflow.status.terminal and (blocking is None or blocking.due is not None)
        answered = Answered(ReturnStrategy.TARGET_WORKFLOW, target.workflow, request_id, unfinished)
        return wire.workflow_response_to_json(answered, target.workflow, [task_body(task) for task in target.tasks])
    view = look.execution(engine, blocking.workflow_id, include_tasks=True)
    answered = Answered(strategy, target.workflow, request_id)
    if strategy is ReturnStrategy.BLOCKING_WORKFLOW:
        return wire.workflow_response_to_json(answered, view.workflow, [task_body(task) for task in view.tasks])
    return wire.task_response_to_json(answered, view.workflow, blocking)


def reported_status(request: Request) -> TaskStatus:
    """Return the task status that stands in the path. Raises `InvalidRequest` for one that an outside party cannot give."""
    name = request.path["status"].upper()
    if name not in complete.REPORTED:
        raise InvalidRequest(f"{name[:40]!r} is no status to report; use one of {', '.join(sorted(complete.REPORTED))}.")
    return TaskStatus(name)


def _strategy(request: Request) -> ReturnStrategy:
    name = request.word("returnStrategy") or ReturnStrategy.TARGET_WORKFLOW
    if name not in set(ReturnStrategy):
        raise InvalidRequest(f"{name[:40]!r} is no returnStrategy; use one of {', '.join(ReturnStrategy)}.")
    return ReturnStrategy(name)


ROUTES = (
    Route("POST", "/api/tasks/<workflow>/<status>/signal", signal),
    Route("POST", "/api/tasks/<workflow>/<status>/signal/sync", signal_sync),
)
