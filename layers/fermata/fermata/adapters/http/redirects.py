"""Redirects: the next hop, decided from the last one. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

from fermata.adapters.http import headers, target
from fermata.adapters.http.failures import NoAnswer
from fermata.adapters.http.target import Target
from fermata.domain.http_exchange import FailureKind, HttpRequest

MAX_REDIRECTS = 5

_BECOMES_GET = frozenset({301, 302, 303})
_SAME_AGAIN = frozenset({307, 308})


@dataclass(frozen=True)
class Hop:
    """One request on the wire."""

    method: str
    target: Target
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)


def first(request: HttpRequest) -> Hop:
    """Return the request as it was meant. Raises `NoAnswer` (BAD_URI) for what cannot be sent."""
    headers.check_method(request.method)
    where = target.parse(request.uri)
    return Hop(request.method.upper(), where, headers.prepared(request.headers, where.user_info), request.body)


def following(hop: Hop, status: int, location: str | None) -> Hop | None:
    """Return where this answer sends us, or None when it is the last one.

    301, 302 and 303 turn everything but GET and HEAD into a GET without body, as browsers do; 307 and 308 repeat the request.
    Raises `NoAnswer` (REDIRECTS) when the place cannot be gone to.
    """
    if location is None or status not in _BECOMES_GET | _SAME_AGAIN:
        return None
    where = _resolved(hop.target, location)
    keeps_body = status in _SAME_AGAIN or hop.method in ("GET", "HEAD")
    same_origin = where.origin == hop.target.origin
    return Hop(
        hop.method if keeps_body else "GET",
        where,
        headers.for_redirect(hop.headers, same_origin=same_origin, keeps_body=keeps_body),
        hop.body if keeps_body else None,
    )


def _resolved(base: Target, location: str) -> Target:
    what = f"The address that {base.place} redirected to"
    # Header bytes arrive as latin-1 and mean UTF-8, when they are not ASCII.
    text = location.encode("latin-1", "replace").decode("utf-8", "replace").strip()
    try:
        absolute = urljoin(base.url, text)
    except ValueError as error:
        raise NoAnswer(FailureKind.REDIRECTS, f"{what} is not a valid URI.") from error
    return target.parse(absolute, FailureKind.REDIRECTS, what)
