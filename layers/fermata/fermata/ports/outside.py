"""What a task reaches for while it is carried out: vendors, expressions, secrets, big content."""

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
