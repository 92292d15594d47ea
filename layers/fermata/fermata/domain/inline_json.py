"""JSON that stands as text inside a message, read (`expandInlineJSON`, Conductor engine reference 8.1)."""

import json
from collections.abc import Mapping

from fermata.domain.json_value import Json
from fermata.domain.nesting import deeper_than

MAX_LEVELS = 100  # of the message with everything in it read; a deeper one stays as it is
_BEGINS = ("{", "[")


def expanded(payload: Json) -> Json:
    """Return the payload with every text that is a JSON object or array read, also inside what was read.

    Unlike Conductor it leaves texts alone that are a number or a word of JSON: `"007"`, `"12"` and `"true"` are names as often as not.
    """
    try:
        value = _expanded(payload)
    except RecursionError:
        return payload
    return payload if deeper_than(value, MAX_LEVELS) else value


def _expanded(value: Json) -> Json:
    if isinstance(value, str):
        return _expanded(found) if (found := _read(value)) is not None else value
    if isinstance(value, Mapping):
        return {key: _expanded(item) for key, item in value.items()}
    return [_expanded(item) for item in value] if isinstance(value, list) else value


def _read(text: str) -> Json:
    """Return the object or array, or None."""
    if not text.lstrip().startswith(_BEGINS):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
