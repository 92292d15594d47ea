"""The gateway's events for Air Pipe's interfaces: an HTTP API event (payload 2.0) in, the answer out."""

import base64
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, quote

from fermata.application.airpipe.serving import Place, refused, respond
from fermata.application.engine import Engine
from fermata.domain.airpipe.caller import CallerRequest
from fermata.domain.airpipe.envelope import Answer
from fermata.domain.errors import RequestError, TransientError


def create(engine: Engine, place: Place) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """Return the handler of a door that serves interfaces at `place`."""

    def handle(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        answer = _answered(engine, caller_request(event), place)
        return {"statusCode": answer.http_code, "headers": dict(answer.headers), "body": answer.body}

    return handle


def caller_request(event: dict[str, Any]) -> CallerRequest:
    """Return the request of an event. The gateway has decoded its path; here it is as it was sent."""
    about = event["requestContext"]["http"]
    body: str = event.get("body") or ""
    return CallerRequest(
        method=about["method"],
        path=quote(event["rawPath"], safe="/:@!$&'()*+,;=-._~"),
        params=dict(parse_qsl(event.get("rawQueryString") or "", keep_blank_values=True)),
        headers=event.get("headers") or {},
        body=base64.b64decode(body) if event.get("isBase64Encoded") else body.encode(),
        ip=about.get("sourceIp"),
    )


def _answered(engine: Engine, request: CallerRequest, place: Place) -> Answer:
    try:
        return respond(engine, request, place)
    except TransientError as error:
        return refused(503, "try_again", str(error))
    except RequestError as error:
        return refused(400, "bad_request", str(error))
