"""Text as JSON: what is none, or could not be stored, is refused with one kind of error."""

import json

from fermata.domain.json_value import Json
from fermata.domain.nesting import MAX_LEVELS, deeper_than


def parsed(text: str) -> Json:
    """Return the value. Raises `ValueError` for what is no JSON (NaN and infinities are none) or nested too deep to keep."""
    try:
        value = json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if deeper_than(value, MAX_LEVELS):
        raise ValueError("nested too deep")
    return value


def is_json(text: str) -> bool:
    """Tell whether a text is one JSON value that can be kept."""
    try:
        parsed(text)
    except ValueError:
        return False
    return True


def _no_number(word: str) -> Json:
    raise ValueError(f"{word} is no JSON number")
