"""`HttpClient` on requests: one call from request to answer, over redirects, inside egress policy, time and size limits."""

import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from http.client import HTTPException

import requests
import urllib3.exceptions
from urllib3 import HTTPResponse

from fermata.adapters.http import body, redirects
from fermata.adapters.http.deadline import TRANSFER_ALLOWANCE, TimeLimits
from fermata.adapters.http.dialing import Dialer, Resolver, system_resolver
from fermata.adapters.http.egress import EgressPolicy
from fermata.adapters.http.failures import NoAnswer, from_wire_error, is_reset, is_timeout
from fermata.adapters.http.quiet_logs import quieten
from fermata.adapters.http.redirects import MAX_REDIRECTS, Hop
from fermata.adapters.http.transport import Attempt, GuardedAdapter
from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure, HttpRequest, HttpResult

# Sending these twice does what sending them once does (RFC 9110, section 9.2.2). All others get a fresh connection each, so
# that a reset never leaves the question whether a stale connection or a half-done job was the reason.
_IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})

# ValueError: http.client and urllib3 raise it for answers they cannot make sense of.
_WIRE_ERRORS = (requests.RequestException, urllib3.exceptions.HTTPError, HTTPException, OSError, ValueError)

MAX_HEADER_CHARACTERS = 256 * 1024  # kept beside the body and handed to conditions; no honest answer has a tenth of it
_READ_CHUNK_BYTES = 64 * 1024


class RequestsHttpClient:
    """Keeps connections for the next call, and nothing else: no cookies, no proxies, no environment. Safe across threads.

    The time for a whole call, redirects included, is connection timeout + read timeout + `transfer_allowance`.
    `ca_bundle` is a file of trusted certificates in place of certifi's. `clock` is monotonic, in seconds.
    """

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        resolve: Resolver = system_resolver,
        clock: Callable[[], float] = time.monotonic,
        transfer_allowance: timedelta = TRANSFER_ALLOWANCE,
        max_body_bytes: int = body.MAX_BODY_BYTES,
        ca_bundle: str | None = None,
    ) -> None:
        quieten()
        self._dialer = Dialer(policy, resolve, clock)
        self._clock = clock
        self._allowance = transfer_allowance
        self._max_body_bytes = max_body_bytes
        self._adapter = GuardedAdapter(ca_bundle)

    def send(self, request: HttpRequest) -> HttpResult:
        """Make one request. What a vendor or a definition does wrong comes back as `HttpFailure`; nothing is raised for it.

        Only an idempotent request on a kept connection that turned out to be closed is sent a second time.
        """
        limits = TimeLimits.of(request, self._clock, self._allowance)
        started = limits.ends_at - limits.total
        try:
            response, last = self._follow(redirects.first(request), limits)
            content = self._content(response, last, limits)
        except NoAnswer as failure:
            return HttpFailure(failure.kind, failure.reason, self._since(started))
        return HttpAnswer(response.status, response.reason or "", _all_values(response), content, self._since(started))

    def close(self) -> None:
        """Close the kept connections."""
        self._adapter.close()

    def _since(self, started: float) -> timedelta:
        return timedelta(seconds=self._clock() - started)

    def _follow(self, hop: Hop, limits: TimeLimits) -> tuple[HTTPResponse, Hop]:
        for _ in range(MAX_REDIRECTS + 1):
            response = self._open(hop, limits)
            try:
                next_hop = redirects.following(hop, response.status, response.headers.get("Location"))
            except NoAnswer:
                response.close()
                raise
            if next_hop is None:
                return response, hop
            response.close()
            hop = next_hop
        raise NoAnswer(FailureKind.REDIRECTS, f"More than {MAX_REDIRECTS} redirects, the last one from {hop.target.place}.")

    def _open(self, hop: Hop, limits: TimeLimits) -> HTTPResponse:
        """Return the answer, its body unread. Raises `NoAnswer`."""
        attempt = Attempt(limits, self._dialer, may_reuse=hop.method in _IDEMPOTENT)
        try:
            return self._attempt(hop, attempt)
        except _WIRE_ERRORS as error:
            if not (attempt.reused and is_reset(error)):
                raise _no_answer(error, hop, limits) from error
        try:
            return self._attempt(hop, Attempt(limits, self._dialer, may_reuse=False))
        except _WIRE_ERRORS as error:
            raise _no_answer(error, hop, limits) from error

    def _attempt(self, hop: Hop, attempt: Attempt) -> HTTPResponse:
        return self._adapter.exchange(hop.method, hop.target.url, hop.headers, hop.body, attempt)

    def _content(self, response: HTTPResponse, hop: Hop, limits: TimeLimits) -> bytes:
        """Return the whole decoded body. Raises `NoAnswer`; the connection is then closed, not kept."""
        place, most = hop.target.place, self._max_body_bytes
        complete = False
        try:
            _refuse_large_headers(response, place)
            if (response.length_remaining or 0) > most:
                raise body.too_large(place, most)
            encoded = body.collected(response.stream(_READ_CHUNK_BYTES, decode_content=False), place, most)
            complete = True
        except _WIRE_ERRORS as error:
            raise _no_answer(error, hop, limits) from error
        finally:
            if not complete:
                response.close()
        return body.decoded(encoded, response.headers.get("Content-Encoding", ""), place, most)


def _no_answer(error: Exception, hop: Hop, limits: TimeLimits) -> NoAnswer:
    place = hop.target.place
    if not is_timeout(error):
        return from_wire_error(error, place)
    if limits.over:
        return NoAnswer(FailureKind.TIMEOUT, f"The answer of {place} was not complete after {limits.total * 1000:.0f} ms.")
    return NoAnswer(FailureKind.TIMEOUT, f"{place} sent nothing for {limits.read * 1000:.0f} ms, the read timeout.")


def _refuse_large_headers(response: HTTPResponse, place: str) -> None:
    size = sum(len(name) + len(value) for name, value in response.headers.iteritems())
    if size > MAX_HEADER_CHARACTERS:
        raise NoAnswer(FailureKind.TOO_LARGE, f"The headers of {place} have {size} characters; at most {MAX_HEADER_CHARACTERS} are read")


def _all_values(response: HTTPResponse) -> Mapping[str, tuple[str, ...]]:
    return {name: tuple(response.headers.getlist(name)) for name in response.headers}
