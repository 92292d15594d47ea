"""The operators of an assert's tests, by name (air pipe reference, 4, and Air Pipe's published schema)."""

from collections.abc import Mapping

from fermata.domain.airpipe.markers import segments
from fermata.domain.airpipe.operators.asking import Asked, Operator, Verdict
from fermata.domain.airpipe.operators.comparing import COMPARING, DATA_TYPES
from fermata.domain.airpipe.operators.kinds import KINDS
from fermata.domain.airpipe.operators.proofs import PROOFS
from fermata.domain.airpipe.operators.shapes import SHAPES
from fermata.domain.airpipe.operators.texts import TEXTS
from fermata.domain.json_value import Json

__all__ = ["DATA_TYPES", "OPERATORS", "UNSUPPORTED_OPERATORS", "asked_of", "wrong_expectation"]

OPERATORS: Mapping[str, Operator] = {**COMPARING, **TEXTS, **KINDS, **PROOFS, **SHAPES}

# Air Pipe's schema names these and does not say which spellings of a date or an address they take.
UNSUPPORTED_OPERATORS = frozenset(
    {
        "is_before",
        "is_after",
        "is_on_or_before",
        "is_on_or_after",
        "is_same_time_as",
        "is_not_same_time_as",
        "is_date",
        "is_email",
    }
)


def asked_of(operator: str, asked: Asked) -> Verdict:
    """Return what an operator says of a value. What a marker made of its argument is looked at here: before, it was not known."""
    wrong = OPERATORS[operator].wrong(asked.expected, OPERATORS)
    return wrong or OPERATORS[operator].holds(asked)


def wrong_expectation(operator: str, expected: Json) -> str | None:
    """Return what is wrong with what a test says to an operator, as far as it can be known before it runs."""
    if operator == "expression" and isinstance(expected, str):
        expected = "".join(each if isinstance(each, str) else "0" for each in segments(expected))
    return None if _has_marker(expected) else OPERATORS[operator].wrong(expected, OPERATORS)


def _has_marker(value: Json) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_marker, value.values()))
    return any(map(_has_marker, value)) if isinstance(value, list) else isinstance(value, str) and "a|" in value
