"""What a task reaches for while it is carried out: vendors, expressions, secrets, big content."""

from collections.abc import Sequence
from typing import Protocol

from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.questions import Evaluate, EvaluationResult


class HttpClient(Protocol):
    def send(self, request: HttpRequest) -> HttpResult:
        """Make one request, following redirects inside the egress policy. Never raises for what a vendor does."""


class Evaluator(Protocol):
    def evaluate(self, question: Evaluate) -> EvaluationResult:
        """Run one untrusted expression under limits of time and memory. Never raises for what a script does."""

    def syntax_error(self, question: Evaluate) -> str | None:
        """Return what is wrong with the program's syntax, without running it; `subject` is not read."""


class Secrets(Protocol):
    def get(self, name: str) -> str | None:
        """Return the secret's value at this moment, or None. Never stored, logged or shown."""


class Payloads(Protocol):
    """Content too big for a row."""

    def put(self, workflow_id: str, content: bytes) -> str:
        """Store and return the key, derived from the content. Safe to repeat."""

    def get(self, key: str) -> bytes:
        """Raises `EngineBug` when there is none."""


class ExternalPayloads(Protocol):
    """Payloads that callers fetch and leave themselves, by addresses that hold for some minutes. Each is kept for about a day."""

    def show(self, contents: Sequence[bytes]) -> Sequence[str]:
        """Store JSON texts for callers to fetch. Return the path of each, derived from it. Safe to repeat."""

    def new_path(self) -> str:
        """Return a path, drawn afresh, at which a caller may leave a payload."""

    def address(self, path: str, *, to_leave: bool) -> str:
        """Return where to GET what is at a path, or to PUT what belongs there. One that starts with a slash is on this very server."""

    def read(self, path: str) -> bytes | None:
        """Return what is at the path, None when nothing is. Raises `PayloadTooLarge` above `MAX_EXTERNAL_BYTES`."""
