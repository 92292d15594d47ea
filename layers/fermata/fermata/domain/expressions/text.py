"""How a value is written inside text."""

import json

from fermata.domain.json_value import Json


def text_of(value: Json) -> str:
    """Return `value` as text: strings as they are, everything else as compact JSON.

    A documented difference: Conductor writes Java's `{a=b}` for objects and `1.2E7` for large doubles.
    """
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, ValueError):  # nested thousands deep, or an integer of thousands of digits
        return "null"


def has_half_a_pair(text: str) -> bool:
    """Tell whether half of a surrogate pair stands in it: JSON can escape one, what is a name or a key cannot hold one."""
    return any("\ud800" <= character <= "\udfff" for character in text)
