"""The storage form of our frozen dataclasses: compact JSON that loads back to an equal value.

Keys are the field names. A field at its default is not written, so rows stay small; a key nobody knows is ignored and a missing one
takes its default, so old code reads new rows and new code old ones. The price: changing a default changes what old rows mean.
"""

import dataclasses
import json
import types
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from fermata.domain.effects import ClosePoll, Dequeue, Enqueue, ForgetWork, OpenPoll, Send, WriteDown
from fermata.domain.errors import EngineBug
from fermata.domain.json_value import Json
from fermata.domain.messages import EndRun, PollDue, RunTask, StartFailureWorkflow, StartScheduled, WakeTask, WakeWorkflow

T = TypeVar("T")
Convert = Callable[[Any], Any]

TAG = "is"  # the key that tells the members of a closed union apart
_EFFECTS = (Send, OpenPoll, ClosePoll, Enqueue, Dequeue, ForgetWork, WriteDown)
_MESSAGES = (RunTask, PollDue, WakeTask, EndRun, StartFailureWorkflow, StartScheduled, WakeWorkflow)
TAGGED: Mapping[str, type[Any]] = {cls.__name__: cls for cls in (*_EFFECTS, *_MESSAGES)}

_EPOCH = datetime.fromtimestamp(0, UTC)
_MS = timedelta(milliseconds=1)
_ABSENT = object()


def dump(value: Any) -> bytes:
    """Return the record of a frozen dataclass as compact JSON. Moments and durations are kept to the millisecond."""
    return json_bytes(to_value(value))


def load(cls: type[T], content: bytes) -> T:
    """Return the value that `dump` wrote. Raises `EngineBug` when a field without a default is missing."""
    return from_value(cls, json.loads(content))


def to_value(obj: Any) -> Json:
    """Return the JSON value of a frozen dataclass. JSON fields are shared with `obj`, not copied."""
    return _record(type(obj)).write(obj)


def from_value(cls: type[T], value: Json) -> T:
    """Return the dataclass that `to_value` took apart."""
    loaded: T = _record(cls).read(value)
    return loaded


def json_bytes(value: Json) -> bytes:
    """Return `value` as compact UTF-8 JSON. Raises `ValueError` for NaN and infinities, which JSON does not have."""
    try:
        return _text(value, ascii_only=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair: legal in JSON only as an escape
        return _text(value, ascii_only=True).encode()


def epoch_ms(moment: datetime) -> int:
    """Return whole milliseconds since 1970, rounded down."""
    return (moment - _EPOCH) // _MS


def moment(epoch_milliseconds: int) -> datetime:
    """Return the aware UTC moment."""
    return _EPOCH + epoch_milliseconds * _MS


def _text(value: Json, *, ascii_only: bool) -> str:
    return json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"), allow_nan=False, default=_plain)


def _plain(value: object) -> Json:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


class _Codec(NamedTuple):
    write: Convert
    read: Convert


class _Field(NamedTuple):
    name: str
    codec: _Codec
    default: Any  # what is not written; _ABSENT: always written
    declared: bool  # the class itself supplies the default


def _same(value: Any) -> Any:
    return value


_SAME = _Codec(_same, _same)


def _record(cls: type[Any]) -> _Codec:
    # Fields are worked out at first use, not here: WorkflowTask contains itself.
    def write(obj: Any) -> dict[str, Any]:
        record = {}
        for name, codec, default, _ in _fields(cls):
            value = getattr(obj, name)
            if value is not default and value != default:
                record[name] = codec.write(value)
        return record

    def read(record: Any) -> Any:
        values = {}
        for name, codec, default, declared in _fields(cls):
            if name in record:
                values[name] = codec.read(record[name])
            elif default is _ABSENT:
                raise EngineBug(f"A stored {cls.__name__} has no {name}.")
            elif not declared:
                values[name] = default
        return cls(**values)

    return _Codec(write, read)


_FIELDS: dict[type[Any], tuple[_Field, ...]] = {}  # reading type hints is slow, and a class never changes


def _fields(cls: type[Any]) -> tuple[_Field, ...]:
    fields = _FIELDS.get(cls)
    if fields is None:
        hints = get_type_hints(cls)
        fields = _FIELDS[cls] = tuple(_field(field, hints[field.name]) for field in dataclasses.fields(cls))
    return fields


def _field(field: "dataclasses.Field[Any]", hint: Any) -> _Field:
    codec = _codec(hint)
    if field.default is not dataclasses.MISSING:
        return _Field(field.name, codec, field.default, declared=True)
    if field.default_factory is not dataclasses.MISSING:
        return _Field(field.name, codec, field.default_factory(), declared=True)
    nullable = hint is Any or type(None) in get_args(hint)
    return _Field(field.name, codec, None if nullable else _ABSENT, declared=False)


def _codec(hint: Any) -> _Codec:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _union([argument for argument in arguments if argument is not type(None)])
    if origin is tuple:
        return _many(_codec(arguments[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(_codec(arguments[1]))
    return _plain_type(hint)


def _plain_type(hint: Any) -> _Codec:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _record(hint)
    if hint is datetime:
        return _Codec(epoch_ms, moment)
    if hint is timedelta:
        return _Codec(lambda value: value // _MS, lambda value: value * _MS)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _Codec(lambda value: value.value, hint)
    return _SAME


def _union(members: list[Any]) -> _Codec:
    if len(members) == 1:
        codec = _codec(members[0])
        return _SAME if codec is _SAME else _nullable(codec)
    for member in members:
        if TAGGED.get(member.__name__) is not member:
            raise EngineBug(f"{member.__name__} is in a stored union but not in the registry of tags.")
    return _Codec(_write_tagged, _read_tagged)


def _nullable(codec: _Codec) -> _Codec:
    return _Codec(
        lambda value: None if value is None else codec.write(value),
        lambda value: None if value is None else codec.read(value),
    )


def _write_tagged(value: Any) -> Json:
    return {TAG: type(value).__name__, **to_value(value)}


def _read_tagged(record: Any) -> Any:
    cls = TAGGED.get(record.get(TAG))
    if cls is None:
        raise EngineBug(f"A stored {record.get(TAG)!r} is of no known kind.")
    return from_value(cls, record)


def _many(item: _Codec) -> _Codec:
    if item is _SAME:
        return _Codec(list, tuple)
    return _Codec(lambda values: [item.write(value) for value in values], lambda values: tuple(item.read(value) for value in values))


def _mapping(item: _Codec) -> _Codec:
    if item is _SAME:
        return _SAME
    return _Codec(
        lambda values: {key: item.write(value) for key, value in values.items()},
        lambda values: {key: item.read(value) for key, value in values.items()},
    )
