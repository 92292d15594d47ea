"""What an operator does to a run (reference 2.3)."""

from fermata.api.http import Reply, Request, Route, answer, done, nothing, words
from fermata.api.workflows import execution_body
from fermata.application import look, operate
from fermata.application import remove as removal
from fermata.application.engine import Engine
from fermata.domain.commands import Rerun, Skip
from fermata.domain.errors import InvalidRequest
from fermata.domain.json_value import JsonObject
from fermata.wire.bodies import parse
from fermata.wire.operations import operations_to_json
from fermata.wire.requests import rerun_request_from_json


def terminate(engine: Engine, request: Request) -> Reply:
    operate.terminate(engine, request.path["id"], request.word("reason"), request.order())
    return done()


def pause(engine: Engine, request: Request) -> Reply:
    operate.pause(engine, request.path["id"], request.order())
    return done()


def resume(engine: Engine, request: Request) -> Reply:
    operate.resume(engine, request.path["id"], request.order())
    return done()


def restart(engine: Engine, request: Request) -> Reply:
    latest = request.flag("useLatestDefinitions", default=False)
    operate.restart(engine, request.path["id"], use_latest_definitions=latest, order=request.order())
    return nothing()


def retry(engine: Engine, request: Request) -> Reply:
    resuming = request.flag("resumeSubworkflowTasks", default=False)
    operate.retry(engine, request.path["id"], resume_subworkflows=resuming, order=request.order())
    return nothing()


def rerun(engine: Engine, request: Request) -> Reply:
    """Answer with the id, which stays the same."""
    asked = rerun_request_from_json(request.json() if request.body else {})
    command = Rerun(asked.re_run_from_task_id or None, asked.workflow_input, asked.task_input, asked.correlation_id or None)
    operate.rerun(engine, request.path["id"], command, request.order())
    return words(request.path["id"])


def skip_task(engine: Engine, request: Request) -> Reply:
    command = Skip(request.path["ref"], _shown(request, "taskInput"), _shown(request, "taskOutput"))
    operate.skip(engine, request.path["id"], command, request.order())
    return done()


def _shown(request: Request, name: str) -> JsonObject:
    """Return what is sent for a skipped task: from the body, else from the query.

    SDKs send it in texts of their own languages (`skipTaskRequest`), which nobody can read: whatever is no JSON object counts as `{}`.
    """
    found = _object(request.body).get(name)
    return found if isinstance(found, dict) else _object((request.word(name) or "").encode())


def _object(text: bytes) -> JsonObject:
    try:
        value = parse(text) if text else None
    except InvalidRequest:
        return {}
    return value if isinstance(value, dict) else {}


def reset_callbacks(engine: Engine, request: Request) -> Reply:
    operate.reset_callbacks(engine, request.path["id"])
    return nothing()


def decide(engine: Engine, request: Request) -> Reply:
    operate.look_at_all(engine, request.path["id"])
    return done()


def update_variables(engine: Engine, request: Request) -> Reply:
    """Answer with the run as it is then, as Orkes Conductor does."""
    operate.update_variables(engine, request.path["id"], request.json_object())
    return answer(execution_body(engine, request.path["id"], include_tasks=True))


def remove(engine: Engine, request: Request) -> Reply:
    removal.remove(engine, request.path["id"], finished_only=request.flag("archiveWorkflow", default=True))
    return done()


def terminate_and_remove(engine: Engine, request: Request) -> Reply:
    request.flag("archiveWorkflow", default=True)
    removal.terminate_and_remove(engine, request.path["id"], request.word("reason"))
    return done()


def operations(engine: Engine, request: Request) -> Reply:
    return answer(operations_to_json(look.operations(engine, request.path["id"])))


ROUTES = (
    Route("GET", "/api/workflow/<id>/operations", operations),
    Route("DELETE", "/api/workflow/<id>", terminate),
    Route("PUT", "/api/workflow/<id>/pause", pause),
    Route("PUT", "/api/workflow/<id>/resume", resume),
    Route("POST", "/api/workflow/<id>/restart", restart),
    Route("POST", "/api/workflow/<id>/retry", retry),
    Route("POST", "/api/workflow/<id>/rerun", rerun),
    Route("PUT", "/api/workflow/<id>/skiptask/<ref>", skip_task),
    Route("POST", "/api/workflow/<id>/resetcallbacks", reset_callbacks),
    Route("PUT", "/api/workflow/decide/<id>", decide),
    Route("POST", "/api/workflow/<id>/variables", update_variables),
    Route("DELETE", "/api/workflow/<id>/remove", remove),
    Route("DELETE", "/api/workflow/<id>/terminate-remove", terminate_and_remove),
)
