"""JSON text from the worker made into a value that may be stored. The text is not trusted."""

import json
import sys
from collections.abc import Callable

from fermata.domain.json_value import Json
from fermata.domain.nesting import MAX_LEVELS, deeper_than
from fermata.domain.questions import Evaluated, EvaluationFailed, EvaluationResult, Language

_LONG = 2**63


def result_of(language: Language, text: str) -> EvaluationResult:
    """Return the value, numbers as Conductor takes them: whole numbers are integers, 1.0 is 1, all others are floating point.

    A whole number from JavaScript that needs more than 64 bits is floating point; jq's and Python's stay exact, whatever their size.
    """
    try:
        value = json.loads(text, parse_int=_WHOLE[language], parse_float=_number, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        return EvaluationFailed(f"The result cannot be kept as JSON: {error}.")
    if deeper_than(value, MAX_LEVELS):
        return EvaluationFailed(f"The result is nested deeper than {MAX_LEVELS} levels.")
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


_WHOLE: dict[Language, Callable[[str], int | float]] = {Language.JAVASCRIPT: _long_or_double, Language.JQ: int, Language.PYTHON: int}
