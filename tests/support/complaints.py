"""What a browser found wrong while a test had its page open. Anything that the test did not expect fails it."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Error, Page, Request, Response

_OWN_SCHEMES = ("about", "blob", "data")
_SERVER_ERRORS = 500


@dataclass
class Complaints:
    """Listens to pages. `origins` are those that a page may ask for anything."""

    origins: Collection[str]
    said: list[str] = field(default_factory=list)
    _allowed: list[str] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        """Let complaints that match be: the test brings them about. The browser itself complains of every 4xx."""
        self._allowed.append(pattern)

    def listen(self, page: "Page") -> None:
        page.on("console", self._on_console)
        page.on("pageerror", self._on_error)
        page.on("request", self._on_request)
        page.on("response", self._on_response)

    def left(self) -> list[str]:
        return [each for each in self.said if not any(re.search(pattern, each) for pattern in self._allowed)]

    def _on_console(self, message: "ConsoleMessage") -> None:
        if message.type in {"error", "assert"}:  # what a Content-Security-Policy refuses is said here, too
            self.said.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _on_error(self, error: "Error") -> None:
        self.said.append(f"page error: {error}")

    def _on_request(self, request: "Request") -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in _OWN_SCHEMES and f"{parts.scheme}://{parts.netloc}" not in self.origins:
            self.said.append(f"request to another origin: {request.method} {request.url}")

    def _on_response(self, response: "Response") -> None:
        if response.status >= _SERVER_ERRORS:
            self.said.append(f"server error: {response.status} {response.url}")
