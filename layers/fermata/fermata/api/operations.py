"""What an operator does to a run (reference 2.3)."""

from fermata.api.http import Reply, Request, Route, done, nothing
from fermata.application import operate
from fermata.application.engine import Engine


def terminate(engine: Engine, request: Request) -> Reply:
    operate.terminate(engine, request.path["id"], request.word("reason"))
    return done()


def pause(engine: Engine, request: Request) -> Reply:
    operate.pause(engine, request.path["id"])
    return done()


def resume(engine: Engine, request: Request) -> Reply:
    operate.resume(engine, request.path["id"])
    return done()


def restart(engine: Engine, request: Request) -> Reply:
    operate.restart(engine, request.path["id"], use_latest_definitions=request.flag("useLatestDefinitions", default=False))
    return nothing()


def retry(engine: Engine, request: Request) -> Reply:
    operate.retry(engine, request.path["id"])
    return nothing()


ROUTES = (
    Route("DELETE", "/api/workflow/<id>", terminate),
    Route("PUT", "/api/workflow/<id>/pause", pause),
    Route("PUT", "/api/workflow/<id>/resume", resume),
    Route("POST", "/api/workflow/<id>/restart", restart),
    Route("POST", "/api/workflow/<id>/retry", retry),
)
