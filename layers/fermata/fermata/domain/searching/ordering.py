"""The order of what was found. Runs stand newest first, and equal ones by their ids, so that a page follows the page before it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from fermata.domain.searching.conditions import UNKNOWN, Facts, Kind, Order, Several, Value
from fermata.domain.searching.fields import NEWEST_FIRST, OLDEST_FIRST
from fermata.domain.searching.judging import compared

Orders = tuple[Order, ...]
T = TypeVar("T")

_BY_START: Mapping[Orders, bool] = {NEWEST_FIRST: True, OLDEST_FIRST: False}


def newest_first(order: Orders) -> bool | None:
    """Return True or False for an order by the start alone; None for another, for which everything must be found first."""
    return _BY_START.get(order)


def ordered(found: Iterable[T], order: Orders, facts_of: Callable[[T], Facts]) -> Sequence[T]:
    """Sort what stands newest first. What is equal stays as it stands."""
    ranked = list(found)
    if newest_first(order) is False:
        return ranked[::-1]
    for each in reversed(order):
        # Python keeps equal ones in their order, also when it reverses.
        ranked.sort(key=lambda one, by=each: _rank(by, facts_of(one)), reverse=each.descending)  # type: ignore[misc]
    return ranked


def _rank(order: Order, facts: Facts) -> Value:
    fact = compared(order.field, facts)
    if fact is None or fact is UNKNOWN:
        return 0 if order.field.kind is Kind.NUMBER else ""
    return ",".join(fact.values) if isinstance(fact, Several) else fact
