"""A scripted vendor: what it answers to which request, and every request it got."""

import fnmatch
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from fermata.adapters.memory.clock import VirtualClock
from fermata.domain.http_exchange import HttpRequest, HttpResult

from fermata_testing.answers import as_answer


class UnexpectedRequest(AssertionError):
    """The definition asked for something that the script does not know."""


@dataclass(frozen=True)
class Request:
    """A request as the vendor got it. `body` is parsed where it is JSON, else text; `at` is virtual time."""

    method: str
    uri: str
    headers: Mapping[str, str]
    body: Any
    at: datetime


@dataclass
class Script:
    """The answers to one kind of request: one after the other, the last one again and again."""

    method: str
    pattern: str
    answers: list[Any] = field(default_factory=list)
    asked: int = 0

    def matches(self, request: HttpRequest) -> bool:
        return self.method in ("*", request.method.upper()) and fnmatch.fnmatchcase(request.uri, self.pattern)

    def next(self, request: Request) -> HttpResult:
        if not self.answers:
            raise UnexpectedRequest(f"the script for {self.method} {self.pattern} has no answers")
        self.asked += 1
        given = self.answers[min(self.asked, len(self.answers)) - 1]
        return as_answer(given(request) if callable(given) else given)


class Vendor:
    """Answers by method and address. The script added last wins, so a test can override one answer of a shared vendor."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._scripts: list[Script] = []

    def on(self, method: str, pattern: str, *answers: Any) -> "Vendor":
        """Answer requests whose method and whole address match; `*` stands for anything. Returns the vendor.

        Each of `answers` is a JSON body, an `answer(...)`, a `no_answer(...)`, or a function of the `Request` that returns one.
        They are given in order; the last one is repeated.
        """
        self._scripts.append(Script(method.upper(), pattern, list(answers)))
        return self

    def asked(self, method: str = "*", pattern: str = "*") -> list[Request]:
        """Return the requests that match, oldest first."""
        wanted = Script(method.upper(), pattern)
        return [
            request for request in self.requests if wanted.method in ("*", request.method) and fnmatch.fnmatchcase(request.uri, pattern)
        ]

    def reply(self, request: HttpRequest, now: datetime) -> HttpResult:
        """Return the answer. Raises `UnexpectedRequest` when no script matches."""
        seen = Request(request.method.upper(), request.uri, request.headers, _body(request.body), now)
        self.requests.append(seen)
        for script in reversed(self._scripts):
            if script.matches(request):
                return script.next(seen)
        known = ", ".join(f"{script.method} {script.pattern}" for script in self._scripts) or "nothing"
        raise UnexpectedRequest(f"nobody answers {request.method} {request.uri}; the vendor knows {known}")


class PlayedHttp:
    """An `HttpClient` that asks a vendor; its thinking takes virtual time."""

    def __init__(self, reply: Callable[[HttpRequest, datetime], HttpResult], clock: VirtualClock) -> None:
        self._reply = reply
        self._clock = clock

    def send(self, request: HttpRequest) -> HttpResult:
        result = self._reply(request, self._clock.now())
        self._clock.advance(result.latency)
        return result


def _body(content: bytes | None) -> Any:
    if content is None:
        return None
    try:
        return json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace")
