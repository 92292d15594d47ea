"""Which runs a condition can hold for at all, said so that an index can find them. It may name too many, never too few."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from fermata.domain.searching.conditions import WILDCARD, Both, Condition, Either, Everything, Field, IsNull, Not, OneOf, StartsWith, Within
from fermata.domain.searching.fields import (
    CORRELATION_ID,
    PARENT,
    START_TIME,
    STATUS,
    TASK_ID,
    VENDOR_HOST,
    WORKFLOW_ID,
    WORKFLOW_TYPE,
)

MAX_BOXES = 16  # more than this many alternatives are looked for as one that takes them all in
LAST = 10**15 - 1  # epoch ms, 15 digits

_NARROWING = frozenset({WORKFLOW_ID, WORKFLOW_TYPE, STATUS, CORRELATION_ID, PARENT, TASK_ID, VENDOR_HOST})


@dataclass(frozen=True)
class Box:
    """Runs whose fields have one of these texts each, and that started in this time, its ends included (epoch ms)."""

    texts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    after: int = 0
    before: int = LAST

    @property
    def is_empty(self) -> bool:
        return self.after > self.before or not all(self.texts.values())


def boxes(condition: Condition) -> tuple[Box, ...]:
    """Return boxes that together hold every run the condition can hold for; none when it holds for none."""
    found = tuple(box for box in _boxes(condition) if not box.is_empty)
    return (Box(),) if len(found) > MAX_BOXES or Box() in found else found


def named(condition: Condition, wanted: Field) -> frozenset[str]:
    """Return the texts of a field that the condition compares with as a whole."""
    match condition:
        case OneOf(compared, values) if compared == wanted:
            return frozenset(map(str, values))
        case Not(inner):
            return named(inner, wanted)
        case Both(left, right) | Either(left, right):
            return named(left, wanted) | named(right, wanted)
        case _:
            return frozenset()


def fields_in(condition: Condition) -> frozenset[Field]:
    """Return the fields that a condition speaks of."""
    match condition:
        case OneOf(field) | Within(field) | StartsWith(field) | IsNull(field):
            return frozenset({field})
        case Not(inner):
            return fields_in(inner)
        case Both(left, right) | Either(left, right):
            return fields_in(left) | fields_in(right)
        case Everything():
            return frozenset()
        case _:
            assert_never(condition)


def _boxes(condition: Condition) -> tuple[Box, ...]:
    match condition:
        case Both(left, right):
            return tuple(_common(one, other) for one in boxes(left) for other in boxes(right))
        case Either(left, right):
            return boxes(left) + boxes(right)
        case OneOf() | Within() | IsNull() | Not() | StartsWith() | Everything():
            return (_leaf(condition),)
        case _:
            assert_never(condition)


def _leaf(condition: Condition) -> Box:
    match condition:
        case OneOf(compared, values) if compared in _NARROWING and not any(WILDCARD in str(value) for value in values):
            return Box({compared.name: frozenset(map(str, values))})
        case Not(OneOf(compared, values)) if compared.allowed and compared in _NARROWING:
            return Box({compared.name: frozenset(compared.allowed).difference(map(str, values))})
        case IsNull(compared) if compared == PARENT:
            return Box({PARENT.name: frozenset({""})})
        case OneOf(compared, values) if compared == START_TIME:
            return Box({}, min(map(int, values)), max(map(int, values)))
        case Within(compared, low, high) if compared == START_TIME:
            return Box({}, max(0, low or 0), LAST if high is None else min(high, LAST))
        case _:
            return Box()


def _common(one: Box, other: Box) -> Box:
    texts = dict(one.texts)
    for name, values in other.texts.items():
        if name == VENDOR_HOST.name and name in texts:  # a run may have one of these and one of those
            texts[name] = min(texts[name], values, key=len)
        else:
            texts[name] = texts[name] & values if name in texts else values
    return Box(texts, max(one.after, other.after), min(one.before, other.before))
