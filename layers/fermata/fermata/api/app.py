"""The REST door's core: an API Gateway event (HTTP API, payload 2.0) in, its answer out."""

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from aws_lambda_powertools.utilities.typing import LambdaContext

from fermata.api import (
    admin,
    bulk,
    costs,
    documentation,
    dry_run,
    events,
    external,
    finding,
    health,
    interfaces,
    keys,
    metadata,
    operations,
    overviews,
    queue_admin,
    schedule_search,
    schedules,
    signals,
    tasks,
    testing,
    waiting,
    workers,
    workflows,
)
from fermata.api.admission import admitted
from fermata.api.errors import error_reply, failure
from fermata.api.fitting import MAX_PAYLOAD_BYTES, fitted
from fermata.api.http import Reply, Request, Route
from fermata.application.engine import Engine
from fermata.domain.access import Admitted, Authorization
from fermata.domain.errors import InvalidRequest, PayloadTooLarge

Event = dict[str, Any]
Door = Callable[[Event, LambdaContext], dict[str, Any]]

# Of two rules with variables that both match, the one that stands first here counts.
ROUTES: tuple[Route, ...] = (
    *health.ROUTES,
    *documentation.ROUTES,
    *keys.ROUTES,
    *metadata.ROUTES,
    *bulk.ROUTES,
    *finding.ROUTES,
    *overviews.ROUTES,
    *external.ROUTES,
    *waiting.ROUTES,
    *workflows.ROUTES,
    *operations.ROUTES,
    *costs.ROUTES,
    *signals.ROUTES,
    *workers.ROUTES,
    *tasks.ROUTES,
    *testing.ROUTES,
    *dry_run.ROUTES,
    *events.ROUTES,
    *schedule_search.ROUTES,
    *schedules.ROUTES,
    *interfaces.ROUTES,
    *queue_admin.ROUTES,
    *admin.ROUTES,
)

COMPRESS_FROM_CHARACTERS = 64 * 1024  # below, compressing costs more time than it saves

_ROOTS = ("/api/", "/health", "/docs", "/openapi.json")
_METHODS_BY_NAME = ("GET", "POST", "PUT", "DELETE")
# An HTTP API hands the path over decoded, a function URL encoded. Encoding what never stands literally in an encoded path makes one form
# of both, decoded once in `_request`. (A name with a slash must be encoded twice to pass an HTTP API.)
_SAFE_IN_PATH = "/%-._~!$&'()*+,;=:@"
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def create(engine: Engine, routes: tuple[Route, ...] = ROUTES, authorization: Authorization = Authorization.NONE) -> Door:
    """Return the handler. It may be called by several threads at once. `authorization`: what stands in front of it."""
    # A resolver holds the request it is answering, so each request needs one to itself; one is enough in Lambda.
    idle: list[APIGatewayHttpResolver] = []

    def door(event: Event, context: LambdaContext) -> dict[str, Any]:
        resolver = idle.pop() if idle else _resolver(engine, routes, authorization)
        plain = _plain_path(event)
        # Powertools sets these on the class, for all resolvers; its methods read the instance first.
        resolver.current_event = APIGatewayProxyEventV2(plain)
        resolver.lambda_context = context
        try:
            return _within_limit(resolver.resolve(plain, context), context)
        finally:
            idle.append(resolver)

    return door


def _resolver(engine: Engine, routes: tuple[Route, ...], authorization: Authorization) -> APIGatewayHttpResolver:
    resolver = APIGatewayHttpResolver(debug=False)  # debug would show stack traces to callers
    for route in routes:
        resolver.route(route.rule, method=route.method)(_adapted(resolver, engine, route, authorization))

    def unknown(_error: NotFoundError) -> Response[str]:
        return _response(_no_route(resolver.current_event, routes, _instance(resolver.lambda_context)))

    def failed(error: Exception) -> Response[str]:
        return _response(error_reply(error, _instance(resolver.lambda_context)))

    resolver.not_found(unknown)
    resolver.exception_handler(Exception)(failed)
    return resolver


def _adapted(resolver: APIGatewayHttpResolver, engine: Engine, route: Route, authorization: Authorization) -> Callable[..., Response[str]]:
    def handle(**variables: str) -> Response[str]:
        event = resolver.current_event
        caller = admitted(authorization, event.raw_event, route, engine.clock.now())
        reply = route.handler(engine, _request(event, variables, caller))
        return _response(fitted(engine.external, reply, compresses="gzip" in (event.headers.get("accept-encoding") or "")))

    return handle


def _request(event: APIGatewayProxyEventV2, variables: Mapping[str, str], caller: Admitted) -> Request:
    return Request(
        path={name: unquote(value) for name, value in variables.items()},
        query=parse_qs(event.raw_query_string, keep_blank_values=True),
        body=_body(event),
        headers={name.lower(): value for name, value in (event.get("headers") or {}).items()},
        caller=caller,
    )


def _body(event: APIGatewayProxyEventV2) -> bytes:
    text = event.body or ""
    try:
        body = base64.b64decode(text, validate=True) if event.is_base64_encoded else text.encode()
    except (binascii.Error, UnicodeEncodeError) as error:
        raise InvalidRequest("The body cannot be decoded.") from error
    if len(body) > MAX_PAYLOAD_BYTES:
        raise PayloadTooLarge("The body is larger than 6 MB, the most that one request can carry.")
    return body


def _response(reply: Reply) -> Response[str]:
    compress = len(reply.body) >= COMPRESS_FROM_CHARACTERS  # if the caller accepts it
    return Response(reply.status, reply.content_type, reply.body, reply.headers, compress=compress)


def _plain_path(event: Event) -> Event:
    """Return the event with an encoded path and without its stage, which is in the path or not, depending on the domain used."""
    context, path = event["requestContext"], event["rawPath"]
    rest = path.removeprefix(f"/{context.get('stage')}")
    if rest.startswith(_ROOTS):  # else a stage called `api` would swallow the base path
        path = rest
    encoded = quote(_BARE_PERCENT.sub("%25", path), safe=_SAFE_IN_PATH, errors="replace")
    return {**event, "rawPath": encoded, "requestContext": {**context, "stage": "$default"}}


def _no_route(event: APIGatewayProxyEventV2, routes: tuple[Route, ...], instance: str) -> Reply:
    allowed = {route.method for route in routes if route.matches(event.raw_path)}
    if allowed:
        verbs = ", ".join(method for method in _METHODS_BY_NAME if method in allowed)
        refused = failure(405, f"{event.http_method} is not supported at {event.raw_path}; use {verbs}.", instance)
        return replace(refused, headers={"Allow": verbs})  # RFC 9110, 15.5.6
    return failure(404, f"There is nothing at {event.raw_path}.", instance)


def _within_limit(response: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    # Lambda counts the response as the JSON text it becomes: a quote in the body counts twice, a letter at most six times.
    if len(response["body"]) * 6 < MAX_PAYLOAD_BYTES or len(json.dumps(response)) <= MAX_PAYLOAD_BYTES:
        return response
    reply = failure(
        413,
        "The answer is larger than 6 MB, the most that one response can carry. Ask for less: includeTasks=false for a run, "
        "a smaller size or count for a list; accepting gzip helps too.",
        _instance(context),
    )
    return {"statusCode": 413, "headers": {"Content-Type": reply.content_type}, "cookies": [], "body": reply.body, "isBase64Encoded": False}


def _instance(context: LambdaContext) -> str:
    return str(getattr(context, "aws_request_id", ""))
