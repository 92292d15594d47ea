"""Text as JSON: what is none, or could not be stored, is refused with one kind of error."""

import json
import math
import re
from typing import NoReturn

from fermata.domain.expressions.text import has_half_a_pair
from fermata.domain.json_value import Json
from fermata.domain.nesting import MAX_LEVELS, deeper_than

HALF_A_PAIR = re.compile("[\ud800-\udfff]")


def parsed(text: str) -> Json:
    """Return the value. Raises `ValueError` for what is no JSON (NaN and infinities are none) or nested too deep to keep.

    Half of a surrogate pair, which JSON can escape and UTF-8 cannot hold, becomes U+FFFD, as bytes that are no text do.
    """
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if deeper_than(value, MAX_LEVELS):
        raise ValueError("nested too deep")
    return _whole_letters(value) if "\\u" in text or has_half_a_pair(text) else value


def is_json(text: str) -> bool:
    """Tell whether a text is one JSON value that can be kept."""
    try:
        parsed(text)
    except ValueError:
        return False
    return True


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _whole_letters(value: Json) -> Json:
    written = json.dumps(value, ensure_ascii=False)
    return json.loads(HALF_A_PAIR.sub("\ufffd", written)) if has_half_a_pair(written) else value


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word[:40]} is no JSON number")
