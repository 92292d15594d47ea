"""`HttpClient` without a network: a function answers."""

from collections.abc import Callable

from fermata.domain.http_exchange import HttpRequest, HttpResult


class ScriptedHttpClient:
    """Answers with what `script` returns and keeps every request in `requests`, oldest first."""

    def __init__(self, script: Callable[[HttpRequest], HttpResult]) -> None:
        self._script = script
        self.requests: list[HttpRequest] = []

    def send(self, request: HttpRequest) -> HttpResult:
        self.requests.append(request)
        return self._script(request)
