"""A caller's request, and what of it is kept with a run (air pipe reference, 3.2 and 5.2)."""

from collections.abc import Mapping
from dataclasses import dataclass

from fermata.domain.airpipe.json_text import parsed
from fermata.domain.airpipe.templates import CREDENTIAL_HEADERS
from fermata.domain.json_value import Json, JsonObject


class BadBody(ValueError):
    """The body is not what its content type says."""


@dataclass(frozen=True)
class CallerRequest:
    """`path` is decoded by nobody; `params` are the query's, each the last of its name. `by`: who asks, as far as that was looked at."""

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""
    ip: str | None = None
    by: str = ""


def kept(request: CallerRequest, route_params: Mapping[str, str], reads: JsonObject) -> dict[str, Json]:
    """Return the roots that markers may name. Raises `BadBody`.

    `reads` tells what the interface looks at: headers that it does not name are not kept, and credentials never are.
    """
    text = request.body.decode(errors="replace")
    headers = {name.lower(): value for name, value in request.headers.items()}
    wanted = set(headers) if reads.get("everyHeader") else set(reads.get("headers") or ())
    document: dict[str, Json] = {
        "method": request.method,
        "path": request.path,
        "params": {**request.params, **route_params},
        "headers": {name: value for name, value in headers.items() if name in wanted - CREDENTIAL_HEADERS},
        "body": _body(text, headers.get("content-type", "")),
    }
    if reads.get("rawBody"):
        document["raw_body"] = text
    if reads.get("ip"):
        document["ip"] = request.ip
    return document


def _body(text: str, content_type: str) -> Json:
    """Return JSON where it is some, otherwise the text, and null for nothing."""
    if not text.strip():
        return None
    try:
        return parsed(text)
    except ValueError as error:
        if "json" in content_type.lower():
            raise BadBody(f"the body is not the JSON that its content type says: {error}") from error
        return text
