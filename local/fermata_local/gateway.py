"""What API Gateway does before a door: the route of a request, and a Lambda authorizer with open routes and remembered answers."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote

from fermata.api.roles import NEEDS, OPEN

from fermata_local import lambda_events
from fermata_local.environment import AIRPIPE_PREFIX
from fermata_local.lambda_events import Event, GatewayAnswer

# Both as in the template.
HEADER = "x-authorization"
REMEMBERED = timedelta(seconds=60)
OPEN_ROUTES = frozenset(route for route, need in NEEDS.items() if need is OPEN)
FORGET_FROM = 1000  # tokens; enough for a laptop
# The doors behind the routes, as in the template. Those of the pages ask nobody who he is. Every other route is for interfaces.
API_ROUTE, PAGES_ROUTE = "$default", "ANY /ui/{proxy+}"
DOORS = {API_ROUTE: "api", PAGES_ROUTE: "web", "ANY /ui": "web", "ANY /": "web"}
_NOT_INTERFACES = ("/api", "/docs", "/openapi.json", "/health", "/ui")


def route_of(target: str, airpipe_prefix: str = AIRPIPE_PREFIX) -> str:
    """Return the key of the route that takes a request. `target` is path and query.

    With an empty prefix interfaces have every path but those of the API and of the pages.
    """
    path = unquote(target.partition("?")[0])
    ours = any(path == each or path.startswith(f"{each}/") for each in _NOT_INTERFACES)
    if path.startswith(f"{airpipe_prefix}/") and path != f"{airpipe_prefix}/" and not ours:
        return f"ANY {airpipe_prefix}/{{proxy+}}"
    if path.startswith("/ui/"):
        return PAGES_ROUTE
    return f"ANY {path}" if f"ANY {path}" in DOORS else API_ROUTE


def door_of(route: str) -> str:
    """Return the door behind a route."""
    return DOORS.get(route, "airpipe")


class Authorizing:
    """An HTTP API's authorizer of the simple kind. Not for many threads at once."""

    def __init__(self, ask: Callable[[Event], Any], now: Callable[[], datetime]) -> None:
        self._ask = ask
        self._now = now
        self._answers: dict[str, tuple[datetime, Any]] = {}

    def __call__(self, event: Event) -> Event | GatewayAnswer:
        """Return the event with what the authorizer said, or the gateway's own refusal. Raises what asking raises."""
        if f"{event['requestContext']['http']['method']} {event['rawPath']}" in OPEN_ROUTES:
            return event
        token = event["headers"].get(HEADER)
        if not token:
            return lambda_events.plain_refusal(401, "Unauthorized")
        said = self._remembered(token, event)
        if said.get("isAuthorized") is not True:
            return lambda_events.plain_refusal(403, "Forbidden")
        context = {**event["requestContext"], "authorizer": {"lambda": said.get("context")}}
        return {**event, "requestContext": context}

    def _remembered(self, token: str, event: Event) -> Any:
        kept = self._answers.get(token)
        if kept and self._now() - kept[0] < REMEMBERED:
            return kept[1]
        if len(self._answers) >= FORGET_FROM:
            self._answers.clear()
        said = self._ask(lambda_events.authorizer_request(event, token))
        self._answers[token] = (self._now(), said)
        return said
