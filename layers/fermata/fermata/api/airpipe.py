"""The gateway's events for Air Pipe's interfaces: an HTTP API event (payload 2.0) in, the answer out."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote

from fermata.api.admission import admit
from fermata.api.errors import status_of
from fermata.api.fitting import MAX_PAYLOAD_BYTES
from fermata.api.roles import TO_CALL_AN_INTERFACE, TO_LOOK_AT_ITS_RUNS
from fermata.application.airpipe.serving import Place, only_looks, refused, respond
from fermata.application.engine import Engine
from fermata.domain.access import Authorization
from fermata.domain.airpipe.caller import CallerRequest
from fermata.domain.airpipe.envelope import Answer
from fermata.domain.errors import RequestError, TransientError, Unauthenticated

Event = dict[str, Any]

_WORDS: Mapping[int, str] = {403: "forbidden", 404: "not_found", 503: "try_again"}


def create(engine: Engine, place: Place, authorization: Authorization = Authorization.NONE) -> Callable[[Event, Any], Event]:
    """Return the handler of a door that serves interfaces at `place` to those whom `authorization` lets in."""

    def handle(event: Event, _context: Any) -> Event:
        request = caller_request(event)
        answer = _answered(engine, event, request, _as_asked_for(place, request.path), authorization)
        returned = {"statusCode": answer.http_code, "headers": dict(answer.headers), "body": answer.body}
        if len(answer.body) * 6 < MAX_PAYLOAD_BYTES or len(json.dumps(returned)) <= MAX_PAYLOAD_BYTES:
            return returned
        told = refused(500, "answer_too_large", "The answer is larger than the 6 MB that one response can carry. Let the file answer less.")
        return {"statusCode": told.http_code, "headers": dict(told.headers), "body": told.body}

    return handle


def caller_request(event: Event) -> CallerRequest:
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


def _as_asked_for(place: Place, path: str) -> Place:
    """Return the place as the caller sees it: a stage, or the path that a domain of one's own maps to the API, stands before its prefix."""
    before, found, _ = path.partition(f"{place.prefix}/")
    return replace(place, prefix=before + place.prefix) if place.prefix and found else place


def _answered(engine: Engine, event: Event, request: CallerRequest, place: Place, authorization: Authorization) -> Answer:
    need = TO_LOOK_AT_ITS_RUNS if only_looks(request, place) else TO_CALL_AN_INTERFACE
    try:
        caller = admit(authorization, event, need, f"{request.method} {request.path}", engine.clock.now())
        return respond(engine, replace(request, by=caller.by), place)
    except Unauthenticated as error:
        return refused(401, error.code, str(error))
    except (RequestError, TransientError) as error:
        status = status_of(error) or 400
        return refused(status, _WORDS.get(status, "bad_request"), str(error))
