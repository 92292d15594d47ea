"""Requests of a configuration to its own address: they go through the router in this process, and never to the network."""

from urllib.parse import parse_qsl, urlsplit

from fermata.application.engine import Engine
from fermata.domain.airpipe.caller import CallerRequest
from fermata.domain.airpipe.steps import own_call_id
from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure, HttpRequest, HttpResult
from fermata.domain.polling import Poll

OWN_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
OWN_PORTS = frozenset({44111, 4111})  # the pack's, and Air Pipe's default
MAX_CALLS = 5  # how deep interfaces may call each other


def called(engine: Engine, request: HttpRequest, poll: Poll) -> HttpResult | None:
    """Return what our own interface answers; None when the request is not for one.

    The run it starts has an id that derives from the try: a repeated delivery finds it, and its answer.
    """
    from fermata.application.airpipe import serving  # it delivers messages, and so comes to make tries: here

    parts = urlsplit(request.uri)
    if parts.scheme != "http" or (parts.hostname or "") not in OWN_HOSTS or _port(request.uri) not in OWN_PORTS:
        return None
    found = serving.target(engine, request.method, parts.path)
    if found is None:
        return None
    depth = int(poll.spec.context.get("depth") or 0) + 1
    if depth > MAX_CALLS:
        return HttpFailure(FailureKind.FORBIDDEN_ADDRESS, f"interfaces may call each other {MAX_CALLS} deep, and no deeper")
    asked = CallerRequest(
        request.method, parts.path, dict(parse_qsl(parts.query, keep_blank_values=True)), request.headers, request.body or b""
    )
    began = engine.clock.now()
    run_id = own_call_id(poll.spec.task_id, poll.state.polls_made + 1)
    answer = serving.respond(engine, asked, serving.Place(), run_id=run_id, depth=depth)
    headers = {name: (value,) for name, value in answer.headers.items()}
    return HttpAnswer(answer.http_code, "", headers, answer.body.encode(), engine.clock.now() - began)


def _port(uri: str) -> int | None:
    try:
        return urlsplit(uri).port
    except ValueError:
        return None
