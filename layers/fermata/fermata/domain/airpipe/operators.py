"""The operators of an assert's tests: what each says about a value it does not hold for (air pipe reference, 4)."""

import json
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fermata.domain.airpipe.filters import as_text
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, Evaluated, EvaluationResult, Language

Evaluator: TypeAlias = Callable[[Evaluate], EvaluationResult]
# What an operator says: None when it holds, otherwise what was expected.
Verdict: TypeAlias = str | None


@dataclass(frozen=True)
class Asked:
    """One question to an operator: the value found, what the test says, and whether case counts."""

    actual: Json
    expected: Json
    evaluate: Evaluator
    case_insensitive: bool = False


def same(one: Json, other: Json) -> bool:
    """Tell whether two values are equal in JSON's sense: `1` is not `true`, and `"1"` is not `1`."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(same(*pair) for pair in zip(one, other, strict=True))
    return type(one) is type(other) and one == other if isinstance(one, str) or isinstance(other, str) else bool(one == other)


def _folded(asked: Asked, value: Json) -> Json:
    return value.casefold() if asked.case_insensitive and isinstance(value, str) else value


def _equal(asked: Asked) -> bool:
    return same(_folded(asked, asked.actual), _folded(asked, asked.expected))


def _is_equal(asked: Asked) -> Verdict:
    return None if _equal(asked) else f"expected {as_text(asked.expected)}, got {as_text(asked.actual)}"


def _is_not_equal(asked: Asked) -> Verdict:
    return f"expected anything but {as_text(asked.expected)}" if _equal(asked) else None


def _size(value: Json) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    return value if isinstance(value, int | float) else len(value)


def _compared(words: str, holds: Callable[[float, float], bool]) -> Callable[[Asked], Verdict]:
    def operator(asked: Asked) -> Verdict:
        actual, expected = _size(asked.actual), _size(asked.expected)
        if actual is not None and expected is not None and holds(actual, expected):
            return None
        return f"expected {words} {as_text(asked.expected)}, got {as_text(asked.actual)}"

    return operator


def _texts(asked: Asked) -> tuple[str, str] | None:
    actual, expected = _folded(asked, asked.actual), _folded(asked, asked.expected)
    return (actual, as_text(expected)) if isinstance(actual, str) else None


def _on_text(words: str, holds: Callable[[str, str], bool], *, negated: bool = False) -> Callable[[Asked], Verdict]:
    """Return an operator on two texts. What is no text starts, ends and looks like nothing."""

    def operator(asked: Asked) -> Verdict:
        texts = _texts(asked)
        if (texts is not None and holds(*texts)) is not negated:
            return None
        return f"expected {words} {as_text(asked.expected)}, got {as_text(asked.actual)}"

    return operator


def _has(asked: Asked, wanted: Json) -> bool:
    actual, wanted = _folded(asked, asked.actual), _folded(asked, wanted)
    if isinstance(actual, str):
        return as_text(wanted) in actual
    if isinstance(actual, Mapping):
        return any(same(_folded(asked, value), wanted) for value in actual.values()) or (isinstance(wanted, str) and wanted in actual)
    return isinstance(actual, list | tuple) and any(same(_folded(asked, value), wanted) for value in actual)


def _contains(asked: Asked) -> Verdict:
    expected = asked.expected
    if isinstance(expected, Mapping) and ("allowed" in expected or "disallowed" in expected):
        return _within(asked, expected)
    values, least = _wanted(expected)
    found = sum(_has(asked, value) for value in values)
    needed = len(values) if least is None else least
    return None if found >= needed else f"expected to contain {as_text(expected)}, got {as_text(asked.actual)}"


def _wanted(expected: Json) -> tuple[Sequence[Json], int | None]:
    if isinstance(expected, Mapping) and isinstance(expected.get("values"), list):
        return expected["values"], expected.get("at_least")
    return (expected if isinstance(expected, list) else [expected]), None


def _within(asked: Asked, expected: Mapping[str, Json]) -> Verdict:
    """Check each element (of a text: each character) against a list of what may, and of what may not, stand there."""
    actual = asked.actual
    each = list(actual) if isinstance(actual, str | list | tuple) else list(actual) if isinstance(actual, Mapping) else [actual]
    allowed, disallowed = expected.get("allowed"), expected.get("disallowed", ())
    for value in each:
        if allowed is not None and not any(same(value, one) for one in allowed):
            return f"{as_text(value)} is not allowed"
        if any(same(value, one) for one in disallowed):
            return f"{as_text(value)} is not allowed"
    return None


def _not_contains(asked: Asked) -> Verdict:
    values, _ = _wanted(asked.expected)
    found = [value for value in values if _has(asked, value)]
    return f"expected not to contain {as_text(found[0])}" if found else None


def _letters(words: str, counts: Callable[[str], bool]) -> Callable[[Asked], Verdict]:
    """Return an operator that counts letters of a kind: `true` wants one, a number so many."""

    def operator(asked: Asked) -> Verdict:
        if isinstance(asked.expected, str):
            return _contains(asked)
        needed = 1 if asked.expected is True else asked.expected
        found = sum(map(counts, asked.actual)) if isinstance(asked.actual, str) else 0
        return None if found >= needed else f"expected at least {needed} {words}, found {found}"

    return operator


def _like(actual: str, pattern: str) -> bool:
    """Tell whether a text fits a pattern in which `%` stands for anything. Takes linear time in each."""
    first, *rest = pattern.split("%")
    if not rest:
        return actual == pattern
    if not actual.startswith(first):
        return False
    position = len(first)
    for part in rest[:-1]:
        found = actual.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    return len(actual) - len(rest[-1]) >= position and actual.endswith(rest[-1])


def _regex(asked: Asked) -> Verdict:
    """Match in the evaluator's process, which is stopped by the clock: a pattern may need years."""
    if not isinstance(asked.actual, str):
        return f"expected to match {as_text(asked.expected)}, got {as_text(asked.actual)}"
    flags = '"i"' if asked.case_insensitive else "null"
    subject = json.dumps([asked.actual, asked.expected])
    match asked.evaluate(Evaluate(Language.JQ, f". as [$text, $pattern] | $text | test($pattern; {flags})", subject)):
        case Evaluated([True]):
            return None
        case Evaluated():
            return f"expected to match {as_text(asked.expected)}, got {as_text(asked.actual)}"
        case failed:
            return f"the pattern {as_text(asked.expected)} cannot be matched: {failed.reason}"


def _is_null(asked: Asked) -> Verdict:
    if (asked.actual is None) is asked.expected:
        return None
    return f"expected to be null, got {as_text(asked.actual)}" if asked.expected else "expected to not be null"


def _is_not_null(asked: Asked) -> Verdict:
    """`false` says "optional" and checks nothing."""
    return "expected to not be null" if asked.expected and asked.actual is None else None


def _is_not_empty(asked: Asked) -> Verdict:
    return "expected to not be empty" if asked.actual in (None, "", [], {}) else None


def _is_uuid(asked: Asked) -> Verdict:
    try:
        uuid.UUID(asked.actual if re.fullmatch(r"[0-9a-fA-F-]{36}", str(asked.actual)) else "")
    except ValueError:
        return f"expected a UUID, got {as_text(asked.actual)}"
    return None


def _is_array(asked: Asked) -> Verdict:
    return None if isinstance(asked.actual, list | tuple) else f"expected a list, got {as_text(asked.actual)}"


def _size_limit(asked: Asked) -> Verdict:
    size = len(as_text(asked.actual).encode())
    return None if size <= asked.expected else f"expected at most {asked.expected} bytes, got {size}"


def _special(letter: str) -> bool:
    return not letter.isalnum() and not letter.isspace()


OPERATORS: Mapping[str, Callable[[Asked], Verdict]] = {
    "is_equal_to": _is_equal,
    "is_not_equal_to": _is_not_equal,
    "is_less_than": _compared("less than", lambda one, other: one < other),
    "is_less_than_or_equal_to": _compared("at most", lambda one, other: one <= other),
    "is_greater_than": _compared("more than", lambda one, other: one > other),
    "is_greater_than_or_equal_to": _compared("at least", lambda one, other: one >= other),
    "starts_with": _on_text("to start with", str.startswith),
    "not_starts_with": _on_text("not to start with", str.startswith, negated=True),
    "ends_with": _on_text("to end with", str.endswith),
    "not_ends_with": _on_text("not to end with", str.endswith, negated=True),
    "contains": _contains,
    "contains_value": _contains,
    "not_contains": _not_contains,
    "not_contains_value": _not_contains,
    "contains_text": _letters("letters", str.isalpha),
    "contains_number": _letters("digits", str.isdigit),
    "contains_upper": _letters("upper-case letters", str.isupper),
    "contains_lower": _letters("lower-case letters", str.islower),
    "contains_special": _letters("special characters", _special),
    "like": _on_text("to be like", _like),
    "ilike": _on_text("to be like", lambda actual, pattern: _like(actual.casefold(), pattern.casefold())),
    "regex": _regex,
    "is_null": _is_null,
    "is_not_null": _is_not_null,
    "is_not_empty": _is_not_empty,
    "is_uuid": _is_uuid,
    "is_array": _is_array,
    "size_limit": _size_limit,
}

# Air Pipe names these too; what their arguments mean is nowhere written down, and a guess about a signature would be a hole.
UNSUPPORTED_OPERATORS = frozenset(
    {
        "is_valid_jwt",
        "is_valid_hmac",
        "is_authorization",
        "expression",
        "compare_value",
        "verify_bcrypt",
        "bcrypt_verify",
        "verify_signature",
        "verify_schema",
        "semver_matches",
    }
)
_ONLY_TRUE = frozenset({"is_not_empty", "is_uuid", "is_array"})
_TRUTHS = frozenset({"is_null", "is_not_null"})
_SIZES = frozenset({"is_less_than", "is_less_than_or_equal_to", "is_greater_than", "is_greater_than_or_equal_to"})
_COUNTS = frozenset({"contains_number", "contains_upper", "contains_lower", "contains_special"})


def wrong_expectation(operator: str, expected: Json) -> str | None:
    """Return what is wrong with what a test says to an operator, as far as it can be known before it runs."""
    if isinstance(expected, str) and "a|" in expected:
        return None
    is_count = isinstance(expected, int) and not isinstance(expected, bool)
    if operator in _ONLY_TRUE and expected is not True:
        return "must be true"
    if operator in _TRUTHS and not isinstance(expected, bool):
        return "must be true or false"
    if operator in _SIZES and _size(expected) is None:
        return "must be a number, a text or a list"
    if operator in _COUNTS and not (expected is True or is_count):
        return "must be true or how many"
    if operator == "contains_text" and not (expected is True or is_count or isinstance(expected, str)):
        return "must be true, how many, or a text"
    if operator == "size_limit" and not is_count:
        return "must be a number of bytes"
    return "must be a text" if operator in ("regex", "like", "ilike") and not isinstance(expected, str) else None
