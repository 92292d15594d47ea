"""What a `state` action does to a record (air pipe reference, 2.2). Whoever stores must not let two operations see the same record."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from fermata.domain.airpipe.actions import StateOperation, StateSource
from fermata.domain.airpipe.filters import as_text, compact
from fermata.domain.airpipe.interpolation import Sight, resolved, resolved_text
from fermata.domain.airpipe.records import MEMORY, StateRecord
from fermata.domain.expressions.text import has_half_a_pair
from fermata.domain.json_value import Json, JsonObject

MAX_VALUE_BYTES = 256 * 1024
MAX_KEY_BYTES = 900


class NotDone(ValueError):
    """The operation cannot be carried out as asked. The message says why."""


@dataclass(frozen=True)
class Operated:
    """An operation's data, and the record it leaves in place of the one it saw; None: all stays as it is."""

    data: JsonObject
    write: StateRecord | None = None


def filled(source: StateSource, sight: Sight) -> StateSource:
    """Return the operation with its templates resolved. Raises `Unresolved`, `NotDone`."""
    filled_in = replace(
        source,
        namespace=resolved_text(source.namespace, sight),
        key=resolved_text(source.key, sight),
        value=resolved(source.value, sight),
        default=resolved(source.default, sight),
        id=None if source.id is None else resolved_text(source.id, sight),
    )
    if not filled_in.key or not filled_in.namespace or _bytes(filled_in.namespace + record_key(filled_in)) > MAX_KEY_BYTES:
        raise NotDone(f"a state key and its namespace have 1 to {MAX_KEY_BYTES} bytes together")
    if has_half_a_pair(filled_in.namespace + record_key(filled_in)):
        raise NotDone("a state key cannot hold half of a surrogate pair")
    if _bytes(compact(filled_in.value)) > MAX_VALUE_BYTES:
        raise NotDone(f"a state value has at most {MAX_VALUE_BYTES} bytes")
    return filled_in


def record_key(source: StateSource) -> str:
    """Return the key of the record: what was `seen` has one for each id, and none that another key can spell."""
    return compact([source.key, source.id] if source.operation is StateOperation.SEEN else source.key)


def operated(source: StateSource, stored: StateRecord | None, now: datetime, stamp: str) -> Operated:
    """Return what the operation does. A repeat under the same stamp writes nothing and returns the same. Raises `NotDone`.

    An expired record counts as absent; a write replaces the time to live.
    """
    if stored is not None and stored.stamp == stamp:
        return Operated(told_by(stored))
    live = stored if stored is not None and (stored.expires_at is None or stored.expires_at > now) else None
    match source.operation:
        case StateOperation.GET:
            return _get(source, live)
        case StateOperation.DELETE if live is None:
            return Operated({"deleted": False})
        case StateOperation.SEEN if live is not None:
            return Operated({"was_new": False})
        case StateOperation.DELETE:
            return _leaving(_written(replace(source, value=None, ttl=timedelta(0)), None, now, stamp))
        case StateOperation.SEEN:
            return _leaving(_written(replace(source, value=True), None, now, stamp))
        case StateOperation.SET | StateOperation.ADVANCE:
            return _leaving(_written(replace(source, value=_next_value(source, live)), live, now, stamp))


def told_by(record: StateRecord) -> JsonObject:
    """Return the data of the operation that left the record."""
    match StateOperation(record.operation):
        case StateOperation.DELETE:
            return {"deleted": True}
        case StateOperation.SEEN:
            return {"was_new": True}
        case StateOperation.ADVANCE:
            return {"version": record.version, "value": record.value}
        case StateOperation.SET | StateOperation.GET:
            return {"version": record.version}


def memory_of(record: StateRecord, now: datetime) -> StateRecord:
    """Return what is kept of an operation once another one overwrites its record, so that a repeat of it is known still."""
    return StateRecord(MEMORY, record.stamp, told_by(record), 1, record.stamp, now)


def _leaving(record: StateRecord) -> Operated:
    return Operated(told_by(record), record)


def _get(source: StateSource, live: StateRecord | None) -> Operated:
    if live is None:
        return Operated({"value": source.default, "version": 0, "found": False})
    return Operated({"value": live.value, "version": live.version, "found": True})


def _next_value(source: StateSource, live: StateRecord | None) -> Json:
    version = live.version if live else 0
    if source.expected_version is not None and source.expected_version != version:
        raise NotDone(f"the key is at version {version}, not {source.expected_version}")
    if source.operation is StateOperation.SET or live is None:
        return source.value
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (live.value, source.value))
    larger = source.value > live.value if numbers else as_text(source.value) > as_text(live.value)
    return source.value if larger else live.value


def _written(source: StateSource, live: StateRecord | None, now: datetime, stamp: str) -> StateRecord:
    expires = None if source.ttl is None else now + source.ttl
    version = (live.version if live else 0) + 1
    return StateRecord(source.namespace, record_key(source), source.value, version, stamp, expires, source.operation)


def _bytes(text: str) -> int:
    return len(text.encode(errors="backslashreplace"))
