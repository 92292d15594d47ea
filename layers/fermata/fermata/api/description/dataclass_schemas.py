"""JSON Schema of the dataclasses that the codec reads and writes, from their fields: their spelling has one home."""

import dataclasses
import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from fermata.api.description.vocabulary import FLAG, MOMENT, WHOLE, WORD, Schema, by_name, listed, one_of, ref
from fermata.wire.codec import camel

Names = Mapping[type[Any], str]

_SCALARS: Mapping[Any, Schema] = {str: WORD, int: WHOLE, bool: FLAG, Any: {}}


def schema_of(cls: type[Any], names: Names) -> Schema:
    """Return the schema. `names`: under which name each dataclass stands among the document's schemas.

    A field is required when its class knows no default. Whatever is None is left out when it is written, so nothing is nullable.
    """
    hints = get_type_hints(cls)
    fields = dataclasses.fields(cls)
    required = [camel(field.name) for field in fields if _has_none(field)]
    properties = {camel(field.name): {**_of_field(field.name, hints[field.name], names), **_default(field)} for field in fields}
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _of_field(name: str, hint: Any, names: Names) -> Schema:
    schema = _of_hint(hint, names)
    return MOMENT if name.endswith("_time") and schema == WHOLE else schema


def _of_hint(hint: Any, names: Names) -> Schema:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (hint,) = (argument for argument in arguments if argument is not type(None))
        return _of_hint(hint, names)
    if origin is tuple:
        return listed(_of_hint(arguments[0], names))
    if origin is not None:  # a mapping from texts
        values = _of_hint(arguments[1], names)
        return by_name(values) if values else {"type": "object"}
    return _SCALARS[hint] if hint in _SCALARS else _of_class(hint, names)


def _of_class(cls: type[Any], names: Names) -> Schema:
    return one_of(member.value for member in cls) if issubclass(cls, Enum) else ref(names[cls])


def _has_none(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _default(field: "dataclasses.Field[Any]") -> Schema:
    shown = isinstance(field.default, str | int | bool) and not field.name.endswith("_time")
    return {"default": field.default.value if isinstance(field.default, Enum) else field.default} if shown else {}
