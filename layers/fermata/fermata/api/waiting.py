"""Requests that wait for a run to stand still, and what they are answered with (reference 2.3 and 3.9)."""

from dataclasses import replace
from datetime import timedelta

from fermata.api.external import with_external_input
from fermata.api.http import Reply, Request, Route, answer, whole_number
from fermata.api.tasks import task_body
from fermata.api.workflows import admit_definition, idempotency
from fermata.application import start
from fermata.application.engine import Engine
from fermata.application.standstill import Standstill, wait_until_still
from fermata.application.views import ExecutionView
from fermata.application.waiting import bounded
from fermata.domain.errors import InvalidRequest
from fermata.domain.json_value import Json
from fermata.wire import signals as wire
from fermata.wire.requests import start_request_from_json
from fermata.wire.signals import Answered, ReturnStrategy

DEFAULT_SECONDS = 10


def execute(engine: Engine, request: Request) -> Reply:
    """Start a run and wait for it. Name and version of the path count, not those of the body."""
    began, strategy = engine.clock.now(), strategy_of(request)
    asked = duration(request, "waitForSeconds", timedelta(seconds=1), DEFAULT_SECONDS) or timedelta(seconds=DEFAULT_SECONDS)
    version = whole_number("The version in the path", request.path["version"])
    body = {**request.json_object(), "name": request.path["name"], "version": version or None}
    named = start_request_from_json(body, external=True)
    admit_definition(request, named)
    key = idempotency(request, named.idempotency_key, named.idempotency_strategy)
    workflow_id = start.start(engine, replace(start.wanted(with_external_input(engine, named)), **key))
    still = wait_until_still(engine, workflow_id, bounded(engine, asked, began), request.words("waitUntilTaskRef"))
    return answer(response(still, strategy, request.word("requestId") or workflow_id))


def response(still: Standstill, strategy: ReturnStrategy, request_id: str) -> Json:
    """Return the SignalResponse. Where nothing blocks the run it shows the run itself (the reference's 500 there is a known defect)."""
    target = still.target.workflow
    if still.blocking is None or strategy is ReturnStrategy.TARGET_WORKFLOW:
        return _run(Answered(ReturnStrategy.TARGET_WORKFLOW, target, request_id, still.timed_out), still.target)
    answered = Answered(strategy, target, request_id, still.timed_out)
    if strategy is ReturnStrategy.BLOCKING_WORKFLOW:
        return _run(answered, still.within)
    return wire.task_response_to_json(answered, still.within.workflow, still.blocking.task)


def _run(answered: Answered, view: ExecutionView) -> Json:
    return wire.workflow_response_to_json(answered, view.workflow, [task_body(task) for task in view.tasks])


def strategy_of(request: Request) -> ReturnStrategy:
    name = request.word("returnStrategy") or ReturnStrategy.TARGET_WORKFLOW
    if name not in set(ReturnStrategy):
        raise InvalidRequest(f"{name[:40]!r} is no returnStrategy; use one of {', '.join(ReturnStrategy)}.")
    return ReturnStrategy(name)


def duration(request: Request, name: str, unit: timedelta, default: int) -> timedelta:
    """Return how long a caller wants to wait, cut to an hour. Raises `InvalidRequest` for a negative number or none."""
    asked = request.number(name, default)
    if asked < 0:
        raise InvalidRequest(f"The query parameter {name} must not be negative.")
    return min(asked, timedelta(hours=1) // unit) * unit


ROUTES = (Route("POST", "/api/workflow/execute/<name>/<version>", execute),)
