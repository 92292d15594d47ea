"""What a scripted vendor can answer with."""

import json
from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any, TypeAlias

from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure, HttpResult

Answer: TypeAlias = HttpResult
JSON_HEADER = {"Content-Type": "application/json"}


def answer(
    body: Any = None,
    status: int = 200,
    *,
    headers: Mapping[str, str] | None = None,
    retry_after: int | str | None = None,
    takes: timedelta = timedelta(0),
) -> HttpAnswer:
    """Return an answer. `body`: JSON, bytes as they are, or None for none. `retry_after`: seconds or an HTTP date.

    `takes`: how long the vendor thinks; the virtual clock moves on by it.
    """
    content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {**JSON_HEADER, **(headers or {}), **({} if retry_after is None else {"Retry-After": str(retry_after)})}
    return HttpAnswer(status, _phrase(status), {name: (value,) for name, value in given.items()}, content, takes)


def no_answer(kind: str = "timeout", *, takes: timedelta = timedelta(0)) -> HttpFailure:
    """Return what happens when no answer comes. `kind`: timeout, connect, dns, reset, tls, ... Raises `ValueError` for another word."""
    failure = FailureKind(kind)
    return HttpFailure(failure, f"the scripted vendor gave no answer ({failure})", takes)


def as_answer(value: Any) -> HttpResult:
    """Return an answer as it is, and anything else as the JSON body of a 200."""
    return value if isinstance(value, HttpAnswer | HttpFailure) else answer(value)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
