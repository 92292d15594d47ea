"""Conductor's spelling of a dataclass, both ways: camelCase keys, lenient scalars as Jackson reads them, nulls as Jackson writes them.

Reading collects every violation instead of stopping at the first. Whether a value makes sense is not decided here: a required text or
list that is absent reads as empty, for validation to refuse with all its other findings.
"""

import dataclasses
import re
import types
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from fermata.domain.errors import InvalidRequest, Violation
from fermata.domain.json_value import Json

T = TypeVar("T")
Violations = list[Violation]
Read = Callable[[Json, str, Violations], Any]
Write = Callable[[Any], Json]

VALIDATION_FAILED = "Validation failed, check below errors for detail."

# No duration or moment in a definition comes near these, and neither overflows a datetime: 3000 years in seconds, and in milliseconds.
MAX_NUMBER = 10**11
MAX_TIME = 10**14
MAX_SHOWN = 100  # characters of a wrong value that are worth repeating to the caller

_HALF_PAIR = re.compile("[\ud800-\udfff]")
_ABSENT: Any = object()  # null, or wrong and reported: the field takes its default


def decode(cls: type[T], value: Json, path: str, violations: Violations) -> T | None:
    """Return the dataclass `value` spells, adding what is wrong to `violations`; None when `value` is no object.

    `path` is where `value` lies in what was sent, "" for the body itself. With violations added, the result must not be used.
    """
    read: T = _read_record(cls)(value, path, violations)
    return None if read is _ABSENT else read


def decode_or_refuse(cls: type[T], value: Json, path: str = "") -> T:
    """Return the dataclass. Raises `InvalidRequest` with all violations."""
    violations: Violations = []
    decoded = decode(cls, value, path, violations)
    if violations or decoded is None:
        raise InvalidRequest(VALIDATION_FAILED, violations or [_violation(path, "must be an object", value)])
    return decoded


def decode_list(cls: type[T], value: Json, path: str) -> tuple[T, ...]:
    """Return the dataclasses of an array called `path`. Raises `InvalidRequest` with all violations."""
    if not isinstance(value, list):
        raise InvalidRequest(VALIDATION_FAILED, [_violation(path, "must be an array", value)])
    violations: Violations = []
    decoded = [decode_element(cls, element, f"{path}[{index}]", violations) for index, element in enumerate(value)]
    if violations:
        raise InvalidRequest(VALIDATION_FAILED, violations)
    return tuple(element for element in decoded if element is not None)


def decode_element(cls: type[T], value: Json, path: str, violations: Violations) -> T | None:
    """Like `decode`, and null is a violation."""
    if value is None:
        violations.append(_violation(path, "must be an object", value))
    return decode(cls, value, path, violations)


def encode(obj: Any) -> dict[str, Json]:
    """Return Conductor's JSON of a dataclass. None fields are left out, everything else is written, nulls inside maps are kept."""
    written = {}
    for field in _fields(type(obj)):
        value = getattr(obj, field.name)
        if value is not None:
            written[field.key] = field.write(value)
    return written


# Where Conductor does not follow its own spelling: an event handler's actions.
_ACTIONS = ("start_workflow", "complete_task", "fail_task", "terminate_workflow", "update_workflow_variables")
_IRREGULAR = {"expand_inline_json": "expandInlineJSON", **{name: name for name in _ACTIONS}}


def camel(snake: str) -> str:
    """Return `retry_count` as `retryCount`."""
    if snake in _IRREGULAR:
        return _IRREGULAR[snake]
    first, *rest = snake.split("_")
    return first + "".join(word.capitalize() for word in rest)


class _Field(NamedTuple):
    name: str
    key: str
    read: Read
    write: Write
    default: Any  # _ABSENT: the class supplies one


_FIELDS: dict[type[Any], tuple[_Field, ...]] = {}  # reading type hints is slow, and a class never changes


def _fields(cls: type[Any]) -> tuple[_Field, ...]:
    fields = _FIELDS.get(cls)
    if fields is None:
        hints = get_type_hints(cls)
        fields = _FIELDS[cls] = tuple(_field(field, hints[field.name]) for field in dataclasses.fields(cls))
    return fields


def _field(field: "dataclasses.Field[Any]", hint: Any) -> _Field:
    required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    empty: Any = () if get_origin(hint) is tuple else ""
    read = _read_number(MAX_TIME) if field.name.endswith("_time") else _reader(hint)
    return _Field(field.name, camel(field.name), read, _writer(hint), empty if required else _ABSENT)


def _read_record(cls: type[Any]) -> Read:
    def read(value: Json, path: str, violations: Violations) -> Any:
        if value is None:
            return _ABSENT
        if not isinstance(value, Mapping):
            return _wrong(path, "must be an object", value, violations)
        fields = {}
        for field in _fields(cls):
            where = f"{path}.{field.key}" if path else field.key
            found = field.read(value.get(field.key), where, violations)
            found = field.default if found is _ABSENT else found
            if found is not _ABSENT:
                fields[field.name] = found
        return cls(**fields)

    return read


def _reader(hint: Any) -> Read:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (hint,) = (argument for argument in arguments if argument is not type(None))
        return _reader(hint)
    if origin is tuple:
        return _read_many(_reader(arguments[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _read_mapping(_reader(arguments[1]))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _read_record(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _read_enum(hint)
    return _SCALARS[hint]


def _read_many(item: Read) -> Read:
    def read(value: Json, path: str, violations: Violations) -> Any:
        if value is None:
            return _ABSENT
        if not isinstance(value, list):
            return _wrong(path, "must be an array", value, violations)
        found = [_element(item, element, f"{path}[{index}]", violations) for index, element in enumerate(value)]
        return tuple(element for element in found if element is not _ABSENT)

    return read


def _element(item: Read, value: Json, path: str, violations: Violations) -> Any:
    return _wrong(path, "must not be null", value, violations) if value is None else item(value, path, violations)


def _read_mapping(item: Read) -> Read:
    def read(value: Json, path: str, violations: Violations) -> Any:
        if value is None:
            return _ABSENT
        if not isinstance(value, Mapping):
            return _wrong(path, "must be an object", value, violations)
        if item is _read_any:
            return value
        found = {key: _element(item, element, f"{path}.{key}", violations) for key, element in value.items()}
        return {key: element for key, element in found.items() if element is not _ABSENT}

    return read


def _read_enum(cls: type[Enum]) -> Read:
    def read(value: Json, path: str, violations: Violations) -> Any:
        if value is None:
            return _ABSENT
        for member in cls:
            if member.value == value:
                return member
        return _wrong(path, f"must be one of {', '.join(member.value for member in cls)}", value, violations)

    return read


def _read_number(limit: int) -> Read:
    def read(value: Json, path: str, violations: Violations) -> Any:
        if value is None or value == "":
            return _ABSENT
        number = _whole(value)
        if number is None:
            return _wrong(path, "must be a whole number", value, violations)
        if abs(number) > limit:
            return _wrong(path, f"must be at most {limit}", value, violations)
        return number

    return read


def _whole(value: Json) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value)  # Jackson cuts fractions off
    try:
        return int(value) if isinstance(value, str) and len(value) < MAX_SHOWN and "_" not in value else None
    except ValueError:
        return None


def _read_text(value: Json, path: str, violations: Violations) -> Any:
    if value is None:
        return _ABSENT
    if isinstance(value, str):
        # JSON can escape half a surrogate pair; text that is a key or an attribute of a row cannot hold one.
        return _wrong(path, "must not contain half of a surrogate pair", None, violations) if _HALF_PAIR.search(value) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return _wrong(path, "must be text", value, violations)


_WORDS: Mapping[str, Any] = {"true": True, "false": False, "": _ABSENT}


def _read_flag(value: Json, path: str, violations: Violations) -> Any:
    if value is None or isinstance(value, bool):
        return _ABSENT if value is None else value
    if isinstance(value, int):
        return value != 0
    if isinstance(value, str) and value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    return _wrong(path, "must be true or false", value, violations)


def _read_any(value: Json, _path: str, _violations: Violations) -> Any:
    return _ABSENT if value is None else value


_SCALARS: Mapping[Any, Read] = {int: _read_number(MAX_NUMBER), str: _read_text, bool: _read_flag, Any: _read_any}


def _wrong(path: str, message: str, value: Json, violations: Violations) -> Any:
    violations.append(_violation(path, message, value))
    return _ABSENT


def _violation(path: str, message: str, value: Json) -> Violation:
    short = isinstance(value, bool | float) or (isinstance(value, int | str) and len(str(value)) <= MAX_SHOWN)
    return Violation(path or "body", message, value if short else None)


def _writer(hint: Any) -> Write:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (hint,) = (argument for argument in arguments if argument is not type(None))
        return _writer(hint)
    if origin is tuple:
        item = _writer(arguments[0])
        return lambda values: [item(value) for value in values]
    if origin is not None and issubclass(origin, Mapping):
        item = _writer(arguments[1])
        return lambda values: {key: item(value) for key, value in values.items()}
    if dataclasses.is_dataclass(hint):
        return encode
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda member: member.value
    return lambda value: value
