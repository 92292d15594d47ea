"""Payloads that fit in no request and no answer: where callers leave and fetch them, and what they left."""

from dataclasses import dataclass

from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest, Violation
from fermata.domain.external_paths import is_issued
from fermata.domain.json_value import JsonObject
from fermata.wire.bodies import parse


@dataclass(frozen=True)
class Location:
    """Where a payload is fetched or left (`uri`), and by what it is named to us (`path`)."""

    uri: str
    path: str


def place_to_leave(engine: Engine) -> Location:
    """Return a fresh place at which the caller may leave a payload."""
    path = engine.external.new_path()
    return Location(engine.external.address(path, to_leave=True), path)


def place_to_fetch(engine: Engine, path: str) -> Location:
    """Raises `InvalidRequest` for a path that was never handed out."""
    if not is_issued(path):
        raise InvalidRequest(f"{path[:100]!r} is no path that was handed out here.")
    return Location(engine.external.address(path, to_leave=False), path)


def what_was_left(engine: Engine, path: str, field: str) -> JsonObject:
    """Return the JSON object at a path, which the caller sent as `field`.

    Raises `InvalidRequest`, naming the field, when there is none; `PayloadTooLarge`.
    """
    content = engine.external.read(path) if is_issued(path) else None
    if content is None:
        raise _wrong(field, "is no path that was handed out here and at which something was left", path)
    try:
        value = parse(content)
    except InvalidRequest as error:
        raise _wrong(field, f"leads to something else than JSON: {error}", path) from error
    if not isinstance(value, dict):
        raise _wrong(field, "must lead to a JSON object", path)
    return value


def _wrong(field: str, message: str, path: str) -> InvalidRequest:
    return InvalidRequest(f"{field} {message}", (Violation(field, message, path[:100]),))
