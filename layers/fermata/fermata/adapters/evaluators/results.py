"""JSON text from the worker made into a value that may be stored. The text is not trusted."""

import json
import sys
from collections.abc import Callable

from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluated, EvaluationFailed, EvaluationResult, Language

MAX_DEPTH = 500  # levels; Python's JSON reader and writer give up at about 1000

_LONG = 2**63


def result_of(language: Language, text: str) -> EvaluationResult:
    """Return the value, numbers as Conductor takes them: whole numbers are integers, 1.0 is 1, all others are floating point.

    A whole number from JavaScript that needs more than 64 bits is floating point; jq's stay exact, whatever their size.
    """
    try:
        value = json.loads(text, parse_int=_WHOLE[language], parse_float=_number, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        return EvaluationFailed(f"The result cannot be kept as JSON: {error}.")
    if _deeper_than(value, MAX_DEPTH):
        return EvaluationFailed(f"The result is nested deeper than {MAX_DEPTH} levels.")
    return Evaluated(value)


def _long_or_double(text: str) -> int | float:
    number = int(text)
    return number if -_LONG <= number < _LONG else float(number)


def _number(text: str) -> int | float:
    # JSON has no infinity; the largest number is what jq itself writes for it.
    number = min(max(float(text), -sys.float_info.max), sys.float_info.max)
    return int(number) if number.is_integer() and abs(number) < _LONG else number


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _deeper_than(value: Json, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [child for item in level if isinstance(item, dict | list) for child in (item.values() if isinstance(item, dict) else item)]
        if not level:
            return False
    return True


_WHOLE: dict[Language, Callable[[str], int | float]] = {Language.JAVASCRIPT: _long_or_double, Language.JQ: int}
