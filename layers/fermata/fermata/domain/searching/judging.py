"""What a condition says about facts, as far as they are known."""

from collections.abc import Callable
from typing import TypeAlias, assert_never

from fermata.domain.searching.conditions import (
    UNKNOWN,
    WILDCARD,
    Both,
    Condition,
    Either,
    Everything,
    Fact,
    Facts,
    Field,
    IsNull,
    Kind,
    Not,
    OneOf,
    Several,
    StartsWith,
    Unknown,
    Value,
    Within,
)

Test: TypeAlias = Callable[[Value], bool]


def judge(condition: Condition, facts: Facts) -> bool | None:
    """Return whether the condition holds; None when that depends on facts that are not known."""
    match condition:
        case Everything():
            return True
        case Not(inner):
            verdict = judge(inner, facts)
            return None if verdict is None else not verdict
        case Both(left, right):
            return _together(judge(left, facts), right, facts, settles=False)
        case Either(left, right):
            return _together(judge(left, facts), right, facts, settles=True)
        case IsNull(field):
            return _is_null(facts(field.name))
        case OneOf(field, values):
            return _holds(field, facts, lambda fact: any(_equals(field, value, fact) for value in values))
        case Within(field, low, high):
            return _holds(field, facts, lambda fact: _within(int(fact), low, high))
        case StartsWith(field, prefix):
            return _holds(field, facts, lambda fact: str(fact).startswith(prefix))
        case _:
            assert_never(condition)


def compared(field: Field, facts: Facts) -> Fact | Unknown:
    """Return what a comparison sees of a field."""
    fact = facts(field.name)
    return field.absent if fact is None else fact


def like(pattern: str, text: str) -> bool:
    """Return whether the text is the pattern, whose `*` stand for anything. Looks at the text once, whatever the pattern."""
    first, *rest = pattern.split(WILDCARD)
    if not rest or not text.startswith(first):
        return text == pattern
    *middle, last = rest
    at = len(first)
    for part in middle:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(text) - len(last) >= at and text.endswith(last)


def _together(left: bool | None, right: Condition, facts: Facts, *, settles: bool) -> bool | None:  # noqa: FBT001 - a verdict, no switch
    """Join two verdicts. `settles` is the one that makes the other irrelevant: False for AND, True for OR."""
    if left is settles:
        return settles
    other = judge(right, facts)
    return other if other is settles or left is not None else None


def _holds(field: Field, facts: Facts, test: Test) -> bool | None:
    fact = compared(field, facts)
    if fact is UNKNOWN:
        return None
    if isinstance(fact, Several):
        return True if any(map(test, fact.values)) else _no_more(fact)
    return fact is not None and test(fact)


def _is_null(fact: Fact | Unknown) -> bool | None:
    if fact is UNKNOWN:
        return None
    if isinstance(fact, Several):
        return False if fact.values else _no_more(fact, otherwise=True)
    return fact is None


def _no_more(fact: Several, *, otherwise: bool = False) -> bool | None:
    return otherwise if fact.complete else None


def _equals(field: Field, value: Value, fact: Value) -> bool:
    if field.kind is Kind.NUMBER:
        return value == fact
    if field.kind is Kind.CONTENT:
        return like(f"*{str(value).casefold()}*", str(fact).casefold())
    return like(str(value), str(fact))


def _within(fact: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= fact) and (high is None or fact <= high)
