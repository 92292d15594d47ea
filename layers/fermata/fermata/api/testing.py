"""Trying a definition with made-up task outputs (reference 2.3, 3.10)."""

from fermata.api.http import Reply, Request, Route, answer
from fermata.api.workflows import workflow_body
from fermata.application.engine import Engine
from fermata.application.start import wanted
from fermata.wire.requests import workflow_test_from_json


def run_test(engine: Engine, request: Request) -> Reply:
    from fermata.rehearsal.mocked import rehearse

    asked = workflow_test_from_json(request.json())
    return answer(workflow_body(rehearse(engine, wanted(asked), asked)))


ROUTES = (Route("POST", "/api/workflow/test", run_test),)
