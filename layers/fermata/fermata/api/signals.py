"""Signals: what an outside party tells the WAIT that blocks a run (reference 2.5)."""

from datetime import timedelta

from fermata.api.http import Reply, Request, Route, answer, done
from fermata.api.waiting import duration, response, strategy_of
from fermata.application import complete
from fermata.application.engine import Engine
from fermata.application.standstill import wait_until_still
from fermata.application.waiting import bounded
from fermata.domain.errors import InvalidRequest, NotFound
from fermata.domain.status import TaskStatus

DEFAULT_TIMEOUT_MS = 5000


def signal(engine: Engine, request: Request) -> Reply:
    complete.signal(engine, request.path["workflow"], reported_status(request), request.json_object(), request.order())
    return done()


def signal_sync(engine: Engine, request: Request) -> Reply:
    """Answer with the run when it stands still again, or as it is after `timeoutMillis`."""
    began, workflow_id, strategy = engine.clock.now(), request.path["workflow"], strategy_of(request)
    asked = duration(request, "timeoutMillis", timedelta(milliseconds=1), DEFAULT_TIMEOUT_MS)
    told = complete.signal(engine, workflow_id, reported_status(request), request.json_object(), request.order())
    if told is None:
        raise NotFound(f"No WAIT task blocks workflow {workflow_id}.")
    still = wait_until_still(engine, workflow_id, bounded(engine, asked, began))
    return answer(response(still, strategy, told.task_id))


def reported_status(request: Request) -> TaskStatus:
    """Return the task status that stands in the path. Raises `InvalidRequest` for one that an outside party cannot give."""
    name = request.path["status"].upper()
    if name not in complete.REPORTED:
        raise InvalidRequest(f"{name[:40]!r} is no status to report; use one of {', '.join(sorted(complete.REPORTED))}.")
    return TaskStatus(name)


ROUTES = (
    Route("POST", "/api/tasks/<workflow>/<status>/signal", signal),
    Route("POST", "/api/tasks/<workflow>/<status>/signal/sync", signal_sync),
)
