"""Operators that compare: equal, in order, between, one of, containing."""

import math
from collections.abc import Callable, Mapping, Sequence

from fermata.domain.airpipe.filters import as_text
from fermata.domain.airpipe.json_text import parsed
from fermata.domain.airpipe.operators.asking import Asked, Operator, Verdict, a_list, folded, missed, same
from fermata.domain.json_value import Json

DATA_TYPES = frozenset({"number", "string", "array", "object"})


def _equal(asked: Asked) -> bool:
    return same(folded(asked, asked.actual), folded(asked, asked.expected))


def _is_equal(asked: Asked) -> Verdict:
    return None if _equal(asked) else missed("", asked).replace("  ", " ", 1)


def _is_not_equal(asked: Asked) -> Verdict:
    return f"expected anything but {as_text(asked.expected)}" if _equal(asked) else None


def size(value: Json, data_type: str | None = None) -> float | None:
    """Return what orders a value: a number itself, of all else how much there is of it. None: it has no order.

    `data_type` says what it is where it may have come as text: the number in `"3650"`, or its four letters.
    """
    if isinstance(value, bool) or value is None:
        return None
    if data_type == "number":
        return _number(value)
    if isinstance(value, int | float):
        return value
    return len(value)


def _number(value: Json) -> float | None:
    try:
        number = parsed(value.strip()) if isinstance(value, str) else value
    except ValueError:
        return None
    return number if isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number) else None


def _ordered(words: str, holds: Callable[[float, float], bool]) -> Operator:
    def operator(asked: Asked) -> Verdict:
        kind = asked.data_type.lower() if asked.data_type else None
        actual, expected = size(asked.actual, kind), size(asked.expected, kind if kind == "number" else None)
        return None if actual is not None and expected is not None and holds(actual, expected) else missed(words, asked)

    return Operator(operator, _has_a_size, "without a data_type a text is compared by its length, also one of digits")


def _has_a_size(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return "must be a number, a text or a list" if size(expected) is None else None


def _is_between(asked: Asked) -> Verdict:
    actual = size(asked.actual, asked.data_type.lower() if asked.data_type else None)
    if actual is not None and asked.expected["min"] <= actual <= asked.expected["max"]:
        return None
    return f"expected {asked.expected['min']} to {asked.expected['max']}, got {as_text(asked.actual)}"


def _a_range(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    numbers = isinstance(expected, Mapping) and expected.keys() == {"min", "max"} and all(map(_is_number, expected.values()))
    return None if numbers else "takes min and max, both numbers"


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_in(asked: Asked) -> Verdict:
    return None if any(same(folded(asked, asked.actual), folded(asked, one)) for one in asked.expected) else missed("one of", asked)


def _not_in(asked: Asked) -> Verdict:
    return missed("none of", asked) if _is_in(asked) is None else None


def has(asked: Asked, wanted: Json) -> bool:
    """Tell whether a text, a number's text, a list or an object's keys hold something."""
    actual, wanted = folded(asked, asked.actual), folded(asked, wanted)
    if isinstance(actual, str) or _is_number(actual):
        return as_text(wanted) in as_text(actual)
    if isinstance(actual, Mapping):
        return isinstance(wanted, str) and any(folded(asked, key) == wanted for key in actual)
    return isinstance(actual, list | tuple) and any(same(folded(asked, value), wanted) for value in actual)


def _has_value(asked: Asked, wanted: Json) -> bool:
    values = asked.actual.values() if isinstance(asked.actual, Mapping) else ()
    return has(asked, wanted) or any(same(folded(asked, value), folded(asked, wanted)) for value in values)


def _containing(holds: Callable[[Asked, Json], bool], *, negated: bool = False) -> Operator:
    def operator(asked: Asked) -> Verdict:
        expected = asked.expected
        if isinstance(expected, Mapping) and ("allowed" in expected or "disallowed" in expected):
            return _within(asked, expected)  # these lists say themselves what they mean
        values, least = _wanted(expected)
        found = [value for value in values if holds(asked, value)]
        if (len(found) >= least) is not negated:
            return None
        return f"expected not to contain {as_text(found[0])}" if negated else missed("to contain", asked)

    return Operator(operator, _containment, "of a list of values one is enough, and with at_least so many")


def contains(asked: Asked) -> Verdict:
    """Hold where the value holds what is expected."""
    return _containing(has).holds(asked)


def _wanted(expected: Json) -> tuple[Sequence[Json], int]:
    if isinstance(expected, Mapping) and isinstance(expected.get("values"), list):
        return expected["values"], expected.get("at_least", 1)
    return (expected if isinstance(expected, list) else [expected]), 1


def _within(asked: Asked, expected: Mapping[str, Json]) -> Verdict:
    """Check a value, or each element of a list, against what may and what may not stand there."""
    actual = folded(asked, asked.actual)
    each = list(actual) if isinstance(actual, list | tuple | Mapping) else [actual]
    allowed, disallowed = expected.get("allowed"), expected.get("disallowed") or ()
    for value in each:
        listed = any(same(folded(asked, value), folded(asked, one)) for one in allowed) if allowed is not None else True
        if not listed or any(same(folded(asked, value), folded(asked, one)) for one in disallowed):
            return f"{as_text(value)} is not allowed"
    return None


def _containment(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    if not isinstance(expected, Mapping):
        return None
    known = {"values", "at_least"} if "values" in expected else {"allowed", "disallowed"}
    lists = [expected[name] for name in ("values", "allowed", "disallowed") if expected.get(name) is not None]
    least = expected.get("at_least", 1)
    if not lists or expected.keys() - known or not all(isinstance(each, list) for each in lists):
        return "takes a value, a list, values with at_least, or the lists allowed and disallowed"
    return None if isinstance(least, int) and not isinstance(least, bool) and least > 0 else "at_least must be 1 or more"


COMPARING: Mapping[str, Operator] = {
    "is_equal_to": Operator(_is_equal),
    "is_not_equal_to": Operator(_is_not_equal),
    "is_less_than": _ordered("less than", lambda one, other: one < other),
    "is_less_than_or_equal_to": _ordered("at most", lambda one, other: one <= other),
    "is_greater_than": _ordered("more than", lambda one, other: one > other),
    "is_greater_than_or_equal_to": _ordered("at least", lambda one, other: one >= other),
    "is_between": Operator(_is_between, _a_range),
    "is_in": Operator(_is_in, a_list),
    "not_in": Operator(_not_in, a_list),
    "contains": _containing(has),
    "contains_value": _containing(_has_value),
    "not_contains": _containing(has, negated=True),
    "not_contains_value": _containing(_has_value, negated=True),
}
