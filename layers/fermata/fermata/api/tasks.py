"""Reading task attempts and their polls (reference 2.5, and our poll ledger)."""

from fermata.api.http import Reply, Request, Route, answer
from fermata.application import look
from fermata.application.engine import Engine
from fermata.application.views import TaskView
from fermata.domain.json_value import Json
from fermata.wire import executions as wire


def get_task(engine: Engine, request: Request) -> Reply:
    return answer(task_body(look.task(engine, request.path["id"])))


def get_polls(engine: Engine, request: Request) -> Reply:
    return answer(wire.ledger_to_json(look.polls(engine, request.path["id"])))


def task_body(view: TaskView) -> Json:
    """Return the Task body of a view."""
    return wire.task_to_json(view.task, view.workflow, view.workflow_task, view.poll)


ROUTES = (
    Route("GET", "/api/tasks/<id>", get_task),
    Route("GET", "/api/tasks/<id>/polls", get_polls),
)
