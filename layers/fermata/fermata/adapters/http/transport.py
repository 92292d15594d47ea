"""The wire: requests' adapter on urllib3 connections that dial through the egress policy and read against a deadline."""

import http.client
import io
import socket
import ssl
import time
from collections.abc import Mapping
from typing import Any, cast

import requests
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3 import BaseHTTPResponse, HTTPConnectionPool, HTTPResponse, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import Retry, Timeout

from fermata.adapters.http.deadline import TimeLimits
from fermata.adapters.http.dialing import Dialer
from fermata.adapters.http.failures import NoAnswer
from fermata.domain.http_exchange import FailureKind

# A kept connection that was idle longer is not trusted: many servers and NAT gateways have dropped it, some without a word.
MAX_IDLE_SECONDS = 30.0


class Attempt(Timeout):
    """One try on the wire. It rides where urllib3 takes a `Timeout`, because that is what reaches pool and connection."""

    def __init__(self, limits: TimeLimits, dialer: Dialer, *, may_reuse: bool) -> None:
        super().__init__(connect=limits.connect, read=limits.read)
        self.limits = limits
        self.dialer = dialer
        self.may_reuse = may_reuse
        self.reused = False

    def clone(self) -> "Attempt":
        """urllib3 copies the timeout for each request; one of these is made for each request already."""
        return self


class _DeadlineReader(io.RawIOBase):
    """The socket's bytes, each wait shortened to what is left: the socket's own timeout starts anew with every byte."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, limits: TimeLimits) -> None:
        self._raw = raw
        self._sock = sock
        self._limits = limits

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._limits.next_wait(self._limits.read))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _GuardedConnection(HTTPConnection):
    """Its address is checked and its time is limited by the attempt that uses it at the moment."""

    attempt: Attempt
    idle_since: float = 0.0

    def _new_conn(self) -> socket.socket:
        limits = self.attempt.limits
        return self.attempt.dialer.open(self._dns_host, self.port, limits.next_wait(limits.connect))

    def request(self, *args: Any, **kwargs: Any) -> None:
        if self.sock is None:
            self.connect()
        self.timeout = self.attempt.limits.next_wait(self.attempt.limits.total)  # to send; urllib3 would take the connection timeout
        super().request(*args, **kwargs)

    def response_class(self, sock: socket.socket, *args: Any, **kwargs: Any) -> http.client.HTTPResponse:  # type: ignore[override]
        """http.client makes its responses through this attribute."""
        response = http.client.HTTPResponse(sock, *args, **kwargs)
        response.fp = io.BufferedReader(_DeadlineReader(response.fp.detach(), sock, self.attempt.limits))
        return response


class _GuardedTlsConnection(_GuardedConnection, HTTPSConnection):
    """Dials by checked address; SNI and certificate check keep using the name."""

    def connect(self) -> None:
        try:
            HTTPSConnection.connect(self)
        except TimeoutError as error:
            milliseconds = self.attempt.limits.connect * 1000
            reason = f"No TLS handshake with {self.host}:{self.port} within the connection timeout of {milliseconds:.0f} ms."
            raise NoAnswer(FailureKind.TIMEOUT, reason) from error


class _GuardedPool(HTTPConnectionPool):
    ConnectionCls = _GuardedConnection

    def _make_request(self, conn: Any, *args: Any, **kwargs: Any) -> Any:
        attempt = cast("Attempt", kwargs["timeout"])
        conn.attempt = attempt
        if not conn.is_closed and not (attempt.may_reuse and time.monotonic() - conn.idle_since < MAX_IDLE_SECONDS):
            conn.close()
        attempt.reused = not conn.is_closed
        return super()._make_request(conn, *args, **kwargs)

    def _put_conn(self, conn: Any) -> None:
        if conn is not None:
            conn.idle_since = time.monotonic()
        super()._put_conn(conn)


class _GuardedTlsPool(_GuardedPool, HTTPSConnectionPool):
    ConnectionCls = _GuardedTlsConnection


class GuardedAdapter(HTTPAdapter):
    """requests' transport without its retries, proxies, environment, cookies and per-connection certificate loading."""

    def __init__(self, ca_bundle: str | None = None) -> None:
        self._tls = ssl.create_default_context(cafile=ca_bundle or DEFAULT_CA_BUNDLE_PATH)
        self._tls.minimum_version = ssl.TLSVersion.TLSv1_2
        super().__init__(max_retries=Retry(total=False))

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, ssl_context=self._tls, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _GuardedPool, "https": _GuardedTlsPool}

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """Verification is in the context, which always verifies: nothing is decided per request."""

    def build_response(self, req: requests.PreparedRequest, resp: BaseHTTPResponse) -> requests.Response:  # noqa: ARG002  # requests' signature
        """Wrap without reading cookies: nothing is kept between requests."""
        response = requests.Response()
        response.raw = resp
        return response

    def exchange(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, attempt: Attempt) -> HTTPResponse:
        """Send one request and return the answer, its body unread. Raises `NoAnswer` and what requests and urllib3 raise."""
        prepared = requests.PreparedRequest()
        prepared.method = method
        prepared.url = url  # not through `prepare_url`, which would resolve dots and decode escapes in the path
        # As bytes: non-ASCII values go out as UTF-8, and no value can be one of urllib3's magic strings.
        sent = {name: value.encode() for name, value in headers.items()}
        if body is not None:
            sent["Content-Length"] = str(len(body)).encode()
        prepared.headers = CaseInsensitiveDict(cast("Any", sent))
        prepared.body = body
        response = self.send(prepared, stream=True, timeout=cast("Any", attempt))
        return cast("HTTPResponse", response.raw)
