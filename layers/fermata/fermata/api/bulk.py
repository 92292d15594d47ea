"""One operation on many runs (reference 2.4). Each id stands for itself: an error is told by its id, and the status stays 200."""

from collections.abc import Callable, Iterable

from fermata.api.http import Reply, Request, Route, answer
from fermata.api.metadata import bulk_response
from fermata.api.workflows import execution_body
from fermata.application import operate, remove
from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest, RequestError, TransientError
from fermata.domain.json_value import Json

MAX_IDS = 1000  # as in Conductor


def pause(engine: Engine, request: Request) -> Reply:
    return _each(request, lambda workflow_id: operate.pause(engine, workflow_id, request.order()))


def resume(engine: Engine, request: Request) -> Reply:
    return _each(request, lambda workflow_id: operate.resume(engine, workflow_id, request.order()))


def restart(engine: Engine, request: Request) -> Reply:
    latest, order = request.flag("useLatestDefinitions", default=False), request.order()
    return _each(request, lambda workflow_id: operate.restart(engine, workflow_id, use_latest_definitions=latest, order=order))


def retry(engine: Engine, request: Request) -> Reply:
    return _each(request, lambda workflow_id: operate.retry(engine, workflow_id, order=request.order()))


def terminate(engine: Engine, request: Request) -> Reply:
    reason = request.word("reason")
    return _each(request, lambda workflow_id: operate.terminate(engine, workflow_id, reason, request.order()))


def remove_all(engine: Engine, request: Request) -> Reply:
    archive = request.flag("archiveWorkflow", default=True)
    return _each(request, lambda workflow_id: remove.remove(engine, workflow_id, finished_only=archive))


def terminate_and_remove(engine: Engine, request: Request) -> Reply:
    request.flag("archiveWorkflow", default=True)
    reason = request.word("reason")
    return _each(request, lambda workflow_id: remove.terminate_and_remove(engine, workflow_id, reason))


def search(engine: Engine, request: Request) -> Reply:
    include_tasks = request.flag("includeTasks", default=True)
    return _each(request, lambda workflow_id: execution_body(engine, workflow_id, include_tasks=include_tasks))


def each_of(names: Iterable[str], act: Callable[[str], Json]) -> Reply:
    """Act on every name. A success is shown as what `act` returned, or as the name where it returned nothing."""
    successes: list[Json] = []
    errors: dict[str, str] = {}
    for name in names:
        try:
            successes.append(act(name) or name)
        except (RequestError, TransientError) as error:
            errors[name] = str(error)
    return answer(bulk_response(successes, errors))


def _each(request: Request, act: Callable[[str], Json]) -> Reply:
    return each_of(_ids(request), act)


def _ids(request: Request) -> list[str]:
    ids = request.json()
    if not isinstance(ids, list) or not all(isinstance(each, str) and each for each in ids):
        raise InvalidRequest("The body must be a JSON list of workflow ids.")
    if not 1 <= len(ids) <= MAX_IDS:
        raise InvalidRequest(f"The list must hold from 1 to {MAX_IDS} workflow ids, not {len(ids)}.")
    return list(dict.fromkeys(str(each) for each in ids))


ROUTES = (
    Route("PUT", "/api/workflow/bulk/pause", pause),
    Route("PUT", "/api/workflow/bulk/resume", resume),
    Route("POST", "/api/workflow/bulk/restart", restart),
    Route("POST", "/api/workflow/bulk/retry", retry),
    Route("POST", "/api/workflow/bulk/terminate", terminate),
    Route("POST", "/api/workflow/bulk/search", search),
    Route("DELETE", "/api/workflow/bulk/remove", remove_all),
    Route("DELETE", "/api/workflow/bulk/terminate-remove", terminate_and_remove),
)
