"""A vendor that answers from a script: which response comes to which request, and what happens where the script says nothing."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from http import HTTPStatus

from fermata.adapters.memory.clock import VirtualClock
from fermata.domain.flow import unsuffixed
from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure, HttpRequest, HttpResult
from fermata.domain.json_value import Json
from fermata.rehearsal.telling import Telling, What
from fermata.wire.dry_run import ScriptedAnswers, ScriptedResponse

_ASSUMED = ScriptedResponse(body={})
_MAX_SHOWN = 300  # characters of an address


class ScriptedVendor:
    """An `HttpClient`. Whoever delivers a message says first whose request it may make.

    The first script that fits answers: its responses in order, the last one again and again. A request that none fits is answered
    200 `{}`, which is told.
    """

    def __init__(self, answers: Sequence[ScriptedAnswers], clock: VirtualClock, telling: Telling) -> None:
        self._answers, self._clock, self._telling = answers, clock, telling
        self._asked = [0] * len(answers)
        self._reference, self._iteration = "", 0
        self.requests = 0

    def asked_by(self, reference: str, iteration: int) -> None:
        self._reference, self._iteration = reference, iteration

    def send(self, request: HttpRequest) -> HttpResult:
        self.requests += 1
        what = f"{request.method} {request.uri[:_MAX_SHOWN]}"
        response = self._next(request)
        if response is None:
            self._telling.tell(What.NO_ANSWER_SCRIPTED, f"no answer scripted for {what}: 200 {{}} assumed", self._reference)
            response = _ASSUMED
        said = response.failure or response.status_code
        self._telling.tell(What.REQUEST, f"{what}: {said} after {response.latency_ms} ms", self._reference)
        self._clock.advance(timedelta(milliseconds=response.latency_ms))
        return _result(response)

    def _next(self, request: HttpRequest) -> ScriptedResponse | None:
        for index, script in enumerate(self._answers):
            if self._fits(script, request.uri):
                self._asked[index] += 1
                return _at(script.responses, self._asked[index])
        return None

    def _fits(self, script: ScriptedAnswers, uri: str) -> bool:
        names = (self._reference, unsuffixed(self._reference, self._iteration))
        return (script.task_reference_name or self._reference) in names and (script.url is None or matches(script.url, uri))


def matches(pattern: str, uri: str) -> bool:
    """Tell whether a whole address fits a pattern in which `*` stands for anything. Its time grows with the address alone."""
    first, *others = pattern.split("*")
    if not others:
        return pattern == uri
    *inner, last = others
    if not uri.startswith(first) or len(uri) < len(first) + len(last) or not uri.endswith(last):
        return False
    place, end = len(first), len(uri) - len(last)
    for part in inner:
        found = uri.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return True


def _at(responses: Sequence[ScriptedResponse], number: int) -> ScriptedResponse:
    """Return the response to request `number` (from 1)."""
    for response in responses:
        number -= response.times
        if number <= 0:
            return response
    return responses[-1]


def _result(response: ScriptedResponse) -> HttpResult:
    latency = timedelta(milliseconds=response.latency_ms)
    if response.failure is not None:
        return HttpFailure(FailureKind(response.failure), f"the script gives no answer ({response.failure})", latency)
    named = {name.lower(): value for name, value in response.headers.items()}
    headers = {"content-type": "application/json", **named}
    given = {name: (value,) for name, value in headers.items()}
    return HttpAnswer(response.status_code, _phrase(response.status_code), given, _content(response.body, headers), latency)


def _content(body: Json, headers: Mapping[str, str]) -> bytes:
    """Return the bytes of a body: JSON, but text as it is where the headers say that it is none."""
    if isinstance(body, str) and "json" not in headers["content-type"].lower():
        return body.encode(errors="replace")
    return b"" if body is None else json.dumps(body).encode()


def _phrase(status_code: int) -> str:
    return HTTPStatus(status_code).phrase if status_code in set(HTTPStatus) else ""
