"""Conductor's completion queues (reference 2.7): what is put there ends a waiting task.

Here it ends the task at once, so that the queues exist by name only and nothing ever lies in them.
"""

from fermata.api.http import Reply, Request, Route, answer, done
from fermata.application.end_wait import ENDS, end_wait, end_wait_by_reference
from fermata.application.engine import Engine

QUEUES = {str(status): f"direct:{status}" for status in ENDS}


def queues(engine: Engine, request: Request) -> Reply:  # noqa: ARG001 - the signature of a route's handler
    return answer(dict(QUEUES))


def sizes(engine: Engine, request: Request) -> Reply:  # noqa: ARG001 - the signature of a route's handler
    return answer(dict.fromkeys(QUEUES.values(), 0))


def update_by_reference(engine: Engine, request: Request) -> Reply:
    path = request.path
    end_wait_by_reference(engine, path["workflow"], path["reference"], path["status"], request.json_object(), request.order())
    return done()


def update_by_id(engine: Engine, request: Request) -> Reply:
    end_wait(engine, request.path["workflow"], request.path["task"], request.path["status"], request.json_object(), request.order())
    return done()


ROUTES = (
    Route("GET", "/api/queue/", queues),  # the one path of Conductor's that ends in a slash
    Route("GET", "/api/queue/size", sizes),
    Route("POST", "/api/queue/update/<workflow>/task/<task>/<status>", update_by_id),
    Route("POST", "/api/queue/update/<workflow>/<reference>/<status>", update_by_reference),
)
