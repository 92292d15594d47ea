"""What an operator is asked and what it says, and how two values are equal (air pipe reference, 4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from fermata.domain.airpipe.filters import as_text
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, EvaluationResult

Evaluator: TypeAlias = Callable[[Evaluate], EvaluationResult]
# What an operator says: None when it holds, otherwise what was expected.
Verdict: TypeAlias = str | None


@dataclass(frozen=True)
class Asked:
    """One question to an operator: the value found, what the test says, and whether case counts.

    `data_type`: what the test says the value is, for operators that order. `now`: the moment tokens are looked at. `operators`: all of
    them, for one that asks others about what lies within.
    """

    actual: Json
    expected: Json
    evaluate: Evaluator
    case_insensitive: bool = False
    data_type: str | None = None
    now: datetime | None = None
    operators: "Mapping[str, Operator]" = field(default_factory=dict)


Wrong: TypeAlias = "Callable[[Json, Mapping[str, Operator]], str | None]"


def _anything(expected: Json, operators: "Mapping[str, Operator]") -> None:  # noqa: ARG001 - the signature of a check
    return None


@dataclass(frozen=True)
class Operator:
    """`holds` answers a question; `wrong` says what is wrong with what a test tells it, as far as that is known before a run.

    `reading` says how it is read where Air Pipe's documentation leaves that open.
    """

    holds: Callable[[Asked], Verdict]
    wrong: Wrong = _anything
    reading: str | None = None


def same(one: Json, other: Json) -> bool:
    """Tell whether two values are equal in JSON's sense: `1` is not `true`, and `"1"` is not `1`."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(same(*pair) for pair in zip(one, other, strict=True))
    return type(one) is type(other) and one == other if isinstance(one, str) or isinstance(other, str) else bool(one == other)


def folded(asked: Asked, value: Json) -> Json:
    """Return the value as it counts: without its case where the test says so."""
    return value.casefold() if asked.case_insensitive and isinstance(value, str) else value


def missed(words: str, asked: Asked) -> str:
    """Return what is said of a value that is not as expected."""
    return f"expected {words} {as_text(asked.expected)}, got {as_text(asked.actual)}"


def only_true(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return None if expected is True else "must be true"


def a_truth(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return None if isinstance(expected, bool) else "must be true or false"


def a_text(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return None if isinstance(expected, str) else "must be a text"


def a_list(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return None if isinstance(expected, list) else "must be a list"
