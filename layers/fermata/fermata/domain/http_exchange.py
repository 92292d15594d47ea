"""An HTTP request and what came back, as values. What to make of it is the task types' business."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

DEFAULT_TIMEOUT = timedelta(milliseconds=3000)  # Conductor's connectionTimeOut and readTimeOut (reference 6.1)


@dataclass(frozen=True)
class HttpRequest:
    """`body` is the bytes to send, or None. `headers` carry Content-Type and Accept already."""

    method: str
    uri: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    connection_timeout: timedelta = DEFAULT_TIMEOUT
    read_timeout: timedelta = DEFAULT_TIMEOUT


@dataclass(frozen=True)
class HttpAnswer:
    """A complete answer. `headers`: names as received, each with all its values in order."""

    status_code: int
    reason_phrase: str
    headers: Mapping[str, tuple[str, ...]]
    body: bytes
    latency: timedelta = timedelta(0)


class FailureKind(StrEnum):
    """Why there is no answer, in words a person can act on."""

    BAD_URI = "bad_uri"
    DNS = "dns"
    CONNECT = "connect"
    TIMEOUT = "timeout"
    RESET = "reset"
    TLS = "tls"
    TOO_LARGE = "too_large"
    REDIRECTS = "redirects"
    FORBIDDEN_ADDRESS = "forbidden_address"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class HttpFailure:
    """No usable answer came. `reason` is one plain sentence without secrets (no query string, no headers)."""

    kind: FailureKind
    reason: str
    latency: timedelta = timedelta(0)


HttpResult: TypeAlias = HttpAnswer | HttpFailure
