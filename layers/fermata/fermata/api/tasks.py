"""Reading task attempts and their polls (reference 2.5, and our poll ledger)."""

from fermata.api.http import Reply, Request, Route, answer
from fermata.application import look, poll_now
from fermata.application.engine import Engine
from fermata.application.views import TaskView
from fermata.domain.errors import InvalidRequest
from fermata.domain.json_value import Json
from fermata.wire import executions as wire
from fermata.wire.records import epoch_ms

MAX_POLL = 10**9  # nobody polls so often


def get_task(engine: Engine, request: Request) -> Reply:
    return answer(task_body(look.task(engine, request.path["id"])))


def get_polls(engine: Engine, request: Request) -> Reply:
    """Answer with the whole ledger, or with the polls after a number: a page that has some asks for the new ones."""
    since, count = request.number("since", 0), request.optional_number("count")
    if since < 0 or (count is not None and count < 1):
        raise InvalidRequest("since must not be negative, and count must be at least 1.")
    return answer(wire.ledger_to_json(look.polls(engine, request.path["id"], min(since, MAX_POLL), count)))


def poll_it_now(engine: Engine, request: Request) -> Reply:
    """Answer which poll comes now."""
    hastened = poll_now.poll_now(engine, request.path["id"], request.order(_reason(request)))
    task = hastened.task
    known = {"workflowId": task.workflow_id, "taskId": task.task_id, "taskReferenceName": task.task_reference_name}
    return answer({**known, "poll": hastened.poll, "due": epoch_ms(hastened.due)})


def _reason(request: Request) -> str | None:
    """Return the `reason` of the body. Raises `InvalidRequest` when it is no text."""
    found = request.json_object().get("reason")
    if found is not None and not isinstance(found, str):
        raise InvalidRequest("reason must be a text.")
    return found


def task_body(view: TaskView) -> dict[str, Json]:
    """Return the Task body of a view."""
    return wire.task_to_json(view.task, view.workflow, view.workflow_task, view.poll)


ROUTES = (
    Route("GET", "/api/tasks/<id>", get_task),
    Route("GET", "/api/tasks/<id>/polls", get_polls),
    Route("POST", "/api/tasks/<id>/poll-now", poll_it_now),
)
