"""The description of this API, for machines and for people. What it is made of is loaded when somebody asks."""

from fermata.api.http import JSON, Reply, Request, Route
from fermata.application.engine import Engine
from fermata.wire.bodies import text

HTML = "text/html;charset=UTF-8"
_SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "max-age=300"}


def openapi(_engine: Engine, _request: Request) -> Reply:
    from fermata.api.description.document import document

    return Reply(200, text(document()), JSON, _SAFE)


def docs(_engine: Engine, _request: Request) -> Reply:
    from fermata.api.description.page import POLICY, page

    return Reply(200, page(), HTML, {**_SAFE, "Content-Security-Policy": POLICY})


ROUTES = (
    Route("GET", "/docs", docs),
    Route("GET", "/openapi.json", openapi),
    Route("GET", "/api/openapi.json", openapi),
)
