"""Request and response bodies as text: exact JSON in, compact JSON out."""

import json
import math
from typing import NoReturn

from fermata.domain.errors import InvalidRequest
from fermata.domain.json_value import Json
from fermata.domain.nesting import deeper_than
from fermata.wire.records import json_bytes

# Deeper than any payload people write; shallow enough for every recursive walk of ours under Python's limit of 1000 frames.
MAX_BODY_LEVELS = 128


def parse(content: str | bytes) -> Json:
    """Return the value of a JSON text. Whole numbers of any size stay exact; of equal keys in an object the last one counts.

    Raises `InvalidRequest`, saying where, for anything that is not JSON (RFC 8259), including NaN, Infinity, a number too large for a
    double, and more than `MAX_BODY_LEVELS` levels.
    """
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise InvalidRequest("The body is not UTF-8 text.") from error
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"The body is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from error
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:  # a whole number of more digits than Python agrees to read (4300)
        raise InvalidRequest("The body is not acceptable JSON: a number has too many digits.") from error
    if text.count("[") + text.count("{") > MAX_BODY_LEVELS and deeper_than(value, MAX_BODY_LEVELS):
        raise _too_deep()
    return value


def text(value: Json) -> str:
    """Return compact JSON text."""
    return json_bytes(value).decode()


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidRequest(f"The body is not valid JSON: {name} is not a JSON number.")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise InvalidRequest(f"The body is not acceptable JSON: the number {digits[:40]} is too large.")
    return number


def _too_deep() -> InvalidRequest:
    return InvalidRequest(f"The body is nested too deeply: at most {MAX_BODY_LEVELS} levels.")
