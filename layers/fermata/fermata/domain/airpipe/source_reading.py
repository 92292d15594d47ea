"""How an action's one input source is read (air pipe reference, 2.2)."""

from collections.abc import Mapping
from datetime import timedelta

from fermata.domain.airpipe import known_keys
from fermata.domain.airpipe.actions import (
    DelaySource,
    HttpSource,
    InputSource,
    OutputSource,
    Source,
    StateOperation,
    StateSource,
)
from fermata.domain.airpipe.noting import Notes, is_token
from fermata.domain.airpipe.retrying import DEFAULT_EXPECTED
from fermata.domain.json_value import Json, JsonObject

DEFAULT_TIMEOUT = timedelta(seconds=10)  # unpublished; below what a gateway holds
DEFAULT_CONNECT_TIMEOUT = timedelta(seconds=3)
MAX_DELAY = timedelta(seconds=300)  # Air Pipe's own default ceiling: over it is an error, never a clamp


def read_source(notes: Notes, given: JsonObject, path: str, config: str, defaults: JsonObject) -> Source:
    """Return what the action takes its data from. An action without one that we carry out is noted, and reads as `{}`."""
    named = [key for key in known_keys.SOURCES if key in given]
    if len(named) != 1:
        if not any(key in given for key in known_keys.SOURCES_NOT_RUN):
            notes.refuse(path, f"must have one of {', '.join(known_keys.SOURCES)}" + (", not several" if named else ""))
        return OutputSource({})
    value, place = given[named[0]], f"{path}.{named[0]}"
    match named[0]:
        case "http":
            return _http(notes, value, place, {**defaults, **({"timeout": given["timeout"]} if "timeout" in given else {})})
        case "state":
            return _state(notes, value, place, config)
        case "input":
            return _input(notes, value, place)
        case "delay":
            return _delay(notes, given, place)
        case _:
            return OutputSource(value)


def expected_statuses(notes: Notes, given: JsonObject, path: str) -> tuple[Json, ...]:
    """Return codes and classes, as they are written: one, or a list."""
    value = given.get("expect_status", list(DEFAULT_EXPECTED))
    each = value if isinstance(value, list) else [value]
    for one in each:
        status_class(notes, one, f"{path}.expect_status")
    return tuple(each)


def status_class(notes: Notes, value: Json, path: str, words: tuple[str, ...] = ("any",)) -> None:
    """Note what is no code, no class and none of these words."""
    text = str(value).lower()
    is_class = len(text) == 3 and text[0] in "12345" and (text[1:] == "xx" or text[1:].isdigit())  # noqa: PLR2004 - 404, 4xx
    if isinstance(value, bool) or not (is_class or text in words):
        notes.refuse(path, f"'{text[:20]}' is no status; write a code, a class like 5xx, or {' or '.join(words)}")


def _http(notes: Notes, value: Json, path: str, around: JsonObject) -> HttpSource:
    given = notes.keys(value, path, known_keys.HTTP, known_keys.HTTP_NOT_RUN)
    url = notes.text(given, "url", path)
    if not url:
        notes.refuse(f"{path}.url", "is required")
    timeouts = [notes.length(given, "timeout", path), notes.length(around, "timeout", path.rpartition(".")[0])]
    set_timeouts = [each for each in timeouts if each is not None]
    key, header = _idempotency(notes, given, path)
    expecting = given if "expect_status" in given else around
    method = (notes.text(given, "method", path) or "GET").upper()
    if not is_token(method) or "|" in method:
        notes.refuse(f"{path}.method", "must be a method, such as POST, and no marker")
    if header is not None and not is_token(header):
        notes.refuse(f"{path}.idempotency.header", "is no name of a header")
    return HttpSource(
        url=url or "",
        method=method,
        headers=notes.headers(given, "headers", path),
        body=given.get("body"),
        expected=expected_statuses(notes, expecting, path),
        timeout=min(set_timeouts, default=DEFAULT_TIMEOUT),
        connect_timeout=notes.length(given, "connect_timeout", path) or DEFAULT_CONNECT_TIMEOUT,
        idempotency_key=key,
        idempotency_header=header or "Idempotency-Key",
    )


def _idempotency(notes: Notes, given: JsonObject, path: str) -> tuple[str | None, str | None]:
    if given.get("idempotency") is None:
        return None, None
    place = f"{path}.idempotency"
    fields = notes.keys(given["idempotency"], place, known_keys.IDEMPOTENCY)
    return notes.text(fields, "key", place), notes.text(fields, "header", place)


def _state(notes: Notes, value: Json, path: str, config: str) -> StateSource:
    given = notes.keys(value, path, known_keys.STATE_FIELDS)
    if len(given) != 1 or next(iter(given)) not in known_keys.STATE_FIELDS:
        notes.refuse(path, f"must have exactly one of {', '.join(known_keys.STATE_FIELDS)}")
        return StateSource(StateOperation.GET, config, "")
    operation = StateOperation(next(iter(given)))
    place = f"{path}.{operation}"
    fields = notes.keys(given[operation], place, known_keys.STATE_FIELDS[operation])
    for key in ("key", *(("id",) if operation is StateOperation.SEEN else ())):
        if fields.get(key) in (None, ""):
            notes.refuse(f"{place}.{key}", "is required")
    if operation is StateOperation.ADVANCE and fields.get("value") is None:
        notes.refuse(f"{place}.value", "is required")
    return StateSource(
        operation=operation,
        namespace=notes.text(fields, "namespace", place) or config,
        key=notes.text(fields, "key", place) or "",
        value=fields.get("value"),
        default=fields.get("default"),
        id=notes.text(fields, "id", place),
        ttl=notes.length(fields, "ttl", place),
        expected_version=notes.whole(fields, "expected_version", place),
    )


def _input(notes: Notes, value: Json, path: str) -> Source:
    if isinstance(value, str):
        return InputSource(value)
    notes.refuse(path, "must be a marker, such as a|Submit::body|")
    return OutputSource({})


def _delay(notes: Notes, given: JsonObject, path: str) -> Source:
    value = given["delay"]
    if isinstance(value, Mapping):
        notes.refuse(path, "must be a span of time, such as 500 (milliseconds) or 3s")
        return OutputSource({})
    length = notes.length(given, "delay", path.rpartition(".")[0]) or timedelta(0)
    if length > MAX_DELAY:
        notes.refuse(path, f"is longer than {int(MAX_DELAY.total_seconds())} s; a run that waits longer polls with retry")
    return DelaySource(min(length, MAX_DELAY))
