"""How an http action becomes a request, and what an answer is to it (air pipe reference, 2.2)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from urllib.parse import quote

from fermata.domain.airpipe.actions import Action, HttpSource
from fermata.domain.airpipe.entries import failed, judged
from fermata.domain.airpipe.filters import compact
from fermata.domain.airpipe.interpolation import Sight, Unresolved, resolved, resolved_document, resolved_or_null, resolved_text
from fermata.domain.airpipe.json_text import is_json, parsed
from fermata.domain.airpipe.markers import whole
from fermata.domain.airpipe.retrying import matches, retries_failure, retries_status
from fermata.domain.http_exchange import FailureKind, HttpAnswer, HttpFailure, HttpRequest, HttpResult
from fermata.domain.http_rules import SAFE_METHODS, header
from fermata.domain.json_value import Json, JsonObject

_LEGAL = ":/?#[]@!$&'()*+,;=%-._~"  # RFC 3986: what may stand in an address as it is
# Trying again cannot help against these: the request itself is wrong, or what it asks for is forbidden.
_FOR_GOOD = frozenset({FailureKind.BAD_URI, FailureKind.FORBIDDEN_ADDRESS, FailureKind.TOO_LARGE, FailureKind.REDIRECTS})


@dataclass(frozen=True)
class Tried:
    """One try of an action: its entry, whether another try may help, and what an answer wished for before it."""

    entry: JsonObject
    again: bool = False
    retry_after: str | None = None
    status_code: int | None = None
    latency: timedelta = timedelta(0)


def request_of(source: HttpSource, sight: Sight, idempotency_key: str) -> HttpRequest:
    """Return the request. An unsafe method carries an idempotency key: the same at every try. Raises `Unresolved`."""
    headers = {name: _one_line(resolved_text(value, sight), name) for name, value in source.headers.items()}
    body, content_type = _body(source.body, sight)
    if content_type and not _has(headers, "content-type"):
        headers["content-type"] = content_type
    if source.method not in SAFE_METHODS and not _has(headers, source.idempotency_header):
        key = resolved_text(source.idempotency_key, sight) if source.idempotency_key else idempotency_key
        headers[source.idempotency_header] = _one_line(key, source.idempotency_header)
    if not _has(headers, "accept"):
        headers["accept"] = "*/*"
    url = _one_line(resolved_text(source.url, sight), "url")
    uri = quote(url.strip(), safe=_LEGAL, errors="replace")
    return HttpRequest(source.method, uri, headers, body, source.connect_timeout, source.timeout)


def data_of(answer: HttpAnswer) -> JsonObject:
    """Return what an answer is as data. Its body is JSON where it can be read as such, otherwise text, and null when empty."""
    headers = {name.lower(): ", ".join(values) for name, values in answer.headers.items()}
    return {"status": answer.status_code, "headers": headers, "body": _content(answer.body)}


def tried(action: Action, source: HttpSource, sight: Sight, result: HttpResult) -> Tried:
    """Return what one exchange is to the action. Failed tests on an accepted status are worth another try."""
    if isinstance(result, HttpFailure):
        return _no_answer(action, result)
    data = data_of(result)
    known = Tried({}, status_code=result.status_code, latency=result.latency)
    if not matches(result.status_code, source.expected):
        status = f"{result.status_code} {result.reason_phrase}".strip()
        again = retries_status(action.retry, result.status_code)
        wish = header(result, "retry-after") if action.retry.respects_retry_after else None
        return replace(known, entry=failed(action, f"the answer was {status}", data), again=again, retry_after=wish)
    entry = judged(action, data, sight)
    return replace(known, entry=entry, again=entry["result"] == "failed")


def _no_answer(action: Action, failure: HttpFailure) -> Tried:
    kind = "timeout" if failure.kind is FailureKind.TIMEOUT else "connect"
    again = failure.kind not in _FOR_GOOD and retries_failure(action.retry, kind)
    return Tried(failed(action, failure.reason), again, latency=failure.latency)


def _body(template: Json, sight: Sight) -> tuple[bytes | None, str | None]:
    """Return the bytes, and the content type they have where the author names none."""
    if isinstance(template, str):
        value = resolved_or_null(template, sight) if whole(template) else resolved_document(template, sight)
    else:
        value = resolved(template, sight)
    if value is None:
        return None, None
    if isinstance(value, str):
        return value.encode(errors="replace"), "application/json" if is_json(value) else None
    return compact(value).encode(errors="replace"), "application/json"


def _content(body: bytes) -> Json:
    if not body:
        return None
    text = body.decode(errors="replace")
    try:
        return parsed(text)
    except ValueError:
        return text


def _has(headers: Mapping[str, str], name: str) -> bool:
    return any(each.lower() == name.lower() for each in headers)


def _one_line(text: str, name: str) -> str:
    if "\r" in text or "\n" in text:
        raise Unresolved(f"{name} may not hold a line break", by_caller=True)
    return text
