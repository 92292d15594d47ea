"""Is anybody there, and who (reference 2.8)."""

from fermata import VERSION
from fermata.api.http import Reply, Request, Route, answer, words
from fermata.application.engine import Engine


def health(_engine: Engine, _request: Request) -> Reply:
    return answer({"healthResults": [], "suppressedHealthResults": [], "healthy": True})


def version(_engine: Engine, _request: Request) -> Reply:
    return words(VERSION)


ROUTES = (
    # Clients look for a server at the root, before they know the base path.
    Route("GET", "/health", health),
    Route("GET", "/api/health", health),
    Route("GET", "/api/version", version),
)
