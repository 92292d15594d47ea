"""How Conductor's `http_request` becomes a request and an answer becomes `output.response` (Conductor engine reference, 6.1)."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from fermata.domain.http_exchange import DEFAULT_TIMEOUT, HttpAnswer, HttpRequest
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.nesting import MAX_LEVELS, deeper_than

MAX_TIMEOUT = timedelta(seconds=90)  # what a door can hold open; it leaves the function time to store the outcome
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})  # RFC 9110, section 9.2.1
_STATUS_CODE = re.compile(r"[1-5][0-9]{2}")
_STATUS_FAMILY = re.compile(r"[1-5]xx", re.IGNORECASE)


class BadRequestFields(ValueError):
    """The resolved `http_request` cannot be sent. The message names the field."""


@dataclass(frozen=True)
class UnreadableBody:
    """A body that claims to be JSON or text and is not."""

    reason: str


def request_fields(task_input: JsonObject) -> JsonObject:
    """Return the request's fields: `http_request`, or the whole input when it is absent."""
    nested = task_input.get("http_request")
    return nested if isinstance(nested, Mapping) else task_input


def build_request(fields: JsonObject, *, default_method: str | None = None) -> HttpRequest:
    """Return the request. Raises `BadRequestFields`, naming the field, when one is missing or of the wrong kind."""
    uri, method = fields.get("uri"), fields.get("method") or default_method
    if not isinstance(uri, str) or not uri.strip():
        raise BadRequestFields("Missing HTTP URI: http_request.uri is empty; check the expression it comes from")
    if not isinstance(method, str) or not method:
        raise BadRequestFields("No HTTP method specified: http_request.method is empty")
    headers = _headers(fields)
    return HttpRequest(
        method=method,
        uri=uri.strip(),
        headers=headers,
        body=_body(fields.get("body")),
        connection_timeout=_timeout(fields, "connectionTimeOut", "connectionTimeout"),
        read_timeout=_timeout(fields, "readTimeOut", "readTimeout"),
    )


def response_document(answer: HttpAnswer) -> dict[str, Json]:
    """Return Conductor's map. A body that cannot be read stands as text, with what cannot be decoded replaced."""
    body = read_body(answer)
    return {
        "statusCode": answer.status_code,
        "reasonPhrase": answer.reason_phrase,
        "headers": {name: list(values) for name, values in answer.headers.items()},
        "body": answer.body.decode("utf-8", "replace") if isinstance(body, UnreadableBody) else body,
    }


def read_body(answer: HttpAnswer) -> Json | UnreadableBody:
    """Return the body as Conductor hands it on, or `UnreadableBody` when it says it is JSON and is not, or is no text at all.

    Objects and lists are kept as such, numbers become doubles, other JSON its text, what is not JSON is text, nothing is null.
    """
    if not answer.body:
        return None
    try:
        text = answer.body.decode(_charset(answer))
    except (UnicodeError, LookupError):
        return UnreadableBody("the body is not readable as text in its declared character set")
    try:
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
        if deeper_than(value, MAX_LEVELS):
            return UnreadableBody(f"the body is nested deeper than {MAX_LEVELS} levels")
    except (ValueError, RecursionError):
        if _claims_json(answer):
            return UnreadableBody("the body is not valid JSON although its Content-Type says so")
        return text
    return _as_conductor_reads(value)


def accepts(codes: tuple[str, ...], status_code: int) -> bool:
    """Tell whether a status is accepted: exact codes or families (`2xx`); none given means 2xx."""
    family = f"{status_code // 100}xx"
    return any(code.lower() in (str(status_code), family) for code in codes or ("2xx",))


def accepted_codes(fields: JsonObject) -> tuple[str, ...]:
    """Return `acceptedStatusCodes` as texts. Raises `BadRequestFields` when an entry is neither a code nor a family."""
    given = fields.get("acceptedStatusCodes")
    if given is None:
        return ()
    codes = tuple(str(code).strip() for code in (given if isinstance(given, (list, tuple)) else str(given).split(",")))
    for code in codes:
        if not (_STATUS_FAMILY.fullmatch(code) or _STATUS_CODE.fullmatch(code)):
            raise BadRequestFields(f"acceptedStatusCodes: '{code}' is neither a status code nor a family like 2xx")
    return codes


def header(answer: HttpAnswer, name: str) -> str | None:
    """Return the first value of a header, whatever the case of its name."""
    for known, values in answer.headers.items():
        if known.lower() == name.lower() and values:
            return values[0]
    return None


def positive_number(fields: JsonObject, key: str, *, default: float) -> float:
    """Return a number or numeric text. Raises `BadRequestFields` when it is neither, not finite, or negative."""
    value = fields.get(key)
    if value is None or value == "":
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise BadRequestFields(f"{key} must be a number, not {json.dumps(value)[:60]}")
    try:
        number = float(value)
    except (ValueError, OverflowError) as error:
        raise BadRequestFields(f"{key} must be a number, not '{str(value)[:60]}'") from error
    if not math.isfinite(number) or number < 0:
        raise BadRequestFields(f"{key} must be zero or more, not {value}")
    return number


def _headers(fields: JsonObject) -> dict[str, str]:
    given = fields.get("headers") or {}
    if not isinstance(given, Mapping):
        raise BadRequestFields("http_request.headers must be an object of header names and values")
    headers = {str(name): _header_value(value) for name, value in given.items() if value is not None}
    present = {name.lower() for name in headers}
    accept = fields.get("accept") or "application/json"
    if "accept" not in present:
        headers["Accept"] = ", ".join(map(str, accept)) if isinstance(accept, (list, tuple)) else str(accept)
    if "content-type" not in present and fields.get("body") is not None:
        headers["Content-Type"] = str(fields.get("contentType") or "application/json")
    return headers


def _header_value(value: Json) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_header_value, value))
    return value if isinstance(value, str) else json.dumps(value)


def _body(body: Json) -> bytes | None:
    if body is None:
        return None
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a surrogate pair: JSON can escape it, plain text cannot
        return text.encode("utf-8", "replace") if isinstance(body, str) else json.dumps(body).encode()


def _timeout(fields: JsonObject, *keys: str) -> timedelta:
    for key in keys:
        milliseconds = positive_number(fields, key, default=0)
        if milliseconds:
            return min(timedelta(milliseconds=min(milliseconds, 1e9)), MAX_TIMEOUT)
    return DEFAULT_TIMEOUT


def _charset(answer: HttpAnswer) -> str:
    found = re.search(r"charset=\"?([\w.:-]+)", header(answer, "content-type") or "", re.IGNORECASE)
    return found.group(1) if found else "utf-8"


def is_html(answer: HttpAnswer) -> bool:
    """Tell whether the answer says it is an HTML page."""
    return _kind(answer) in ("text/html", "application/xhtml+xml")


def _claims_json(answer: HttpAnswer) -> bool:
    kind = _kind(answer)
    return kind == "application/json" or kind.endswith("+json")


def _kind(answer: HttpAnswer) -> str:
    return (header(answer, "content-type") or "").partition(";")[0].strip().lower()


def _refuse_constant(text: str) -> Json:
    raise ValueError(f"{text} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is no number that JSON can hold")
    return number


def _as_conductor_reads(value: Json) -> Json:
    if isinstance(value, (dict, list, str)):
        return value
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return float(value) if abs(value) < 2**53 else value
