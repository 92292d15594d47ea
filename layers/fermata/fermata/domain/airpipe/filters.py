"""The filters of a marker, by name: what each makes of a value (air pipe reference, 3.5). `default` is the resolver's business."""

import json
from collections.abc import Callable, Mapping

from fermata.domain.airpipe.json_text import parsed
from fermata.domain.airpipe.selecting import Missing, pick
from fermata.domain.json_value import Json

TEXT_FILTERS = frozenset({"to_string", "json_stringify", "tojson", "json_escape", "json_esc", "single_quote", "double_quote"})


class BadFilter(ValueError):
    """A filter cannot be applied to its value."""


def compact(value: Json) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def as_text(value: Json) -> str:
    """Return a value as it stands in a text: strings as they are, everything else as compact JSON."""
    return value if isinstance(value, str) else compact(value)


def escaped(value: Json) -> str:
    """Return a value's text as it stands between the quotes of a JSON string."""
    return json.dumps(as_text(value), ensure_ascii=False)[1:-1]


def literal(argument: str | None) -> Json:
    """Return what an argument means: JSON where it is some, otherwise the text, its single quotes taken off."""
    text = (argument or "").strip()
    try:
        return parsed(text)
    except ValueError:
        return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def applied(name: str, value: Json, argument: str | None) -> Json | Missing:
    """Return what the filter makes of a value that is there. Raises `BadFilter`."""
    return FILTERS[name](value, argument)


def _number(value: Json, argument: str | None) -> Json:  # noqa: ARG001 - the signature of a filter
    try:
        return parsed(as_text(value).strip()) + 0
    except (ValueError, TypeError) as error:
        raise BadFilter(f"to_number: {as_text(value)[:40]} is no number") from error


def _length(value: Json, argument: str | None) -> Json:  # noqa: ARG001 - the signature of a filter
    if not isinstance(value, str | list | Mapping):
        raise BadFilter("length: only texts, lists and objects have one")
    return len(value)


def _join(value: Json, argument: str | None) -> Json:
    if not isinstance(value, list):
        raise BadFilter("join: only a list can be joined")
    return as_text(literal(argument) if argument else ",").join(as_text(each) for each in value)


def _at(value: Json, argument: str | None) -> Json | Missing:
    return pick(value, as_text(literal(argument)))


# Air Pipe's documentation names these among its common filters, and neither explains nor shows one of them.
UNEXPLAINED = frozenset({"some", "map", "wrap", "raw", "json_array", "array_values"})
FILTERS: Mapping[str, Callable[[Json, str | None], Json | Missing]] = {
    "default": lambda value, _argument: value,
    "to_string": lambda value, _argument: as_text(value),
    "to_number": _number,
    "upper": lambda value, _argument: as_text(value).upper(),
    "lower": lambda value, _argument: as_text(value).lower(),
    "length": _length,
    "single_quote": lambda value, _argument: f"'{as_text(value)}'",
    "double_quote": lambda value, _argument: f'"{as_text(value)}"',
    "json_escape": lambda value, _argument: escaped(value),
    "json_esc": lambda value, _argument: escaped(value),
    "json_stringify": lambda value, _argument: compact(value),
    "tojson": lambda value, _argument: compact(value),
    "prefix": lambda value, argument: as_text(literal(argument)) + as_text(value),
    "suffix": lambda value, argument: as_text(value) + as_text(literal(argument)),
    "join": _join,
    "access": _at,
    "path": _at,
}
