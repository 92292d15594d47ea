"""Why no answer came: one internal error that carries kind and sentence, and foreign errors made into it, once."""

import http.client
import ssl
from collections.abc import Iterator

import urllib3.exceptions

from fermata.domain.http_exchange import FailureKind


class NoAnswer(Exception):
    """No usable answer. `reason` is one sentence a person can act on, without query string, user info, headers or body."""

    def __init__(self, kind: FailureKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def from_wire_error(error: BaseException, place: str) -> NoAnswer:
    """Name what broke between request and answer. `place` is host:port. Time limits are the caller's: see `is_timeout`.

    Only types decide and only our words are used: foreign messages may repeat a URL or what the vendor sent.
    """
    chain = tuple(_chain(error))
    for cause in chain:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return NoAnswer(FailureKind.TLS, f"The TLS certificate of {place} was not accepted: {_certificate_problem(cause)}.")
    if _any_of(chain, ssl.SSLError, urllib3.exceptions.SSLError):
        return NoAnswer(FailureKind.TLS, f"No TLS connection to {place} could be kept: does it speak https on this port?")
    if _any_of(chain, urllib3.exceptions.InvalidChunkLength):
        return NoAnswer(FailureKind.UNREADABLE, f"{place} sent a body with broken chunked encoding.")
    if is_reset(error):
        return NoAnswer(FailureKind.RESET, f"{place} closed the connection before its answer was complete.")
    if _any_of(chain, http.client.HTTPException, urllib3.exceptions.InvalidHeader):
        return NoAnswer(FailureKind.UNREADABLE, f"{place} sent something that is not a valid HTTP answer.")
    if _any_of(chain, OSError, urllib3.exceptions.ProtocolError):
        return NoAnswer(FailureKind.RESET, f"The connection to {place} broke.")
    return NoAnswer(FailureKind.UNREADABLE, f"The exchange with {place} failed ({type(error).__name__}).")


def is_timeout(error: BaseException) -> bool:
    return _any_of(tuple(_chain(error)), TimeoutError, urllib3.exceptions.TimeoutError)


def is_reset(error: BaseException) -> bool:
    """Tell whether the other side hung up: in a pooled connection that may have happened before we spoke."""
    return _any_of(tuple(_chain(error)), ConnectionError, http.client.IncompleteRead, ssl.SSLEOFError, ssl.SSLZeroReturnError)


def _any_of(chain: tuple[BaseException, ...], *types: type[BaseException]) -> bool:
    return any(isinstance(cause, types) for cause in chain)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and everything it wraps: as cause, as context, or (urllib3, requests) as an argument."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        inner = (*current.args, current.__cause__, current.__context__)
        waiting.extend(cause for cause in inner if isinstance(cause, BaseException))


def _certificate_problem(error: ssl.SSLCertVerificationError) -> str:
    # OpenSSL's own words ("self-signed certificate", "certificate has expired"): they quote at most the host name.
    return str(getattr(error, "verify_message", "") or "it could not be verified").rstrip(".")
