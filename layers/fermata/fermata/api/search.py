"""What a search's parameters ask for (reference 4): query, freeText, sort, classifier, topLevelOnly, start and size."""

import base64
import re
from dataclasses import dataclass

from fermata.api.http import Request
from fermata.domain.errors import InvalidRequest
from fermata.domain.searching.conditions import EVERYTHING, WILDCARD, Both, Condition, Fields, OneOf, Order
from fermata.domain.searching.fields import CLASSIFIER, SUMMARY, TOP_LEVEL
from fermata.domain.searching.ordering import newest_first
from fermata.ports.queries import Place
from fermata.wire.search_query import condition_from_text, order_from_text

DEFAULT_SIZE = 100
MAX_SIZE = 5000  # as in Conductor
# How far pages reach, as in the search engines behind Conductor: each page reads what is before it.
MAX_REACH = 10_000
LONGEST_ID = 200  # of a run, in a cursor


@dataclass(frozen=True)
class Asked:
    """`order` is empty where the caller does not care."""

    condition: Condition = EVERYTHING
    order: tuple[Order, ...] = ()
    start: int = 0
    size: int = DEFAULT_SIZE


def asked(request: Request, fields: Fields) -> Asked:
    """Read the parameters that every search has. Raises `InvalidRequest`, naming the one that cannot be honoured and where."""
    start, size = request.number("start", 0), request.number("size", DEFAULT_SIZE)
    if not 0 <= size <= MAX_SIZE or start < 0:
        raise InvalidRequest(f"start must not be negative, and size must be between 0 and {MAX_SIZE}.")
    if start + size > MAX_REACH:
        raise InvalidRequest(f"start and size reach no further than {MAX_REACH}; narrow the query, for example by startTime, to go on.")
    condition = _with_free_text(condition_from_text(request.word("query") or "", fields), request.word("freeText"))
    return Asked(condition, order_from_text(request.word("sort") or "", fields), start, size)


def cursor(place: Place) -> str:
    """Return what a caller sends to go on behind a run."""
    return base64.urlsafe_b64encode(f"{place.start}#{place.workflow_id}".encode()).decode().rstrip("=")


def place(request: Request, order: tuple[Order, ...]) -> Place | None:
    """Return from where the caller wants to go on, None for the beginning. Raises `InvalidRequest` for what is no cursor of ours."""
    sent = request.word("cursor")
    if sent is None:
        return None
    if newest_first(order) is None or request.number("start", 0):
        raise InvalidRequest("A cursor goes with no start, and with no sort but by startTime.")
    try:
        start, _, workflow_id = base64.urlsafe_b64decode(sent + "=" * (-len(sent) % 4)).decode().partition("#")
    except ValueError:
        start = workflow_id = ""
    if not (re.fullmatch("[0-9]{1,15}", start) and 0 < len(workflow_id) <= LONGEST_ID):
        raise InvalidRequest("The query parameter cursor must be a nextCursor of an earlier answer.")
    return Place(int(start), workflow_id)


def of_kind(request: Request, condition: Condition) -> Condition:
    """Add what only searches for runs have: `classifier` and `topLevelOnly`."""
    if kinds := request.words("classifier"):
        condition = both(condition, OneOf(CLASSIFIER, tuple(kinds)))
    return both(condition, TOP_LEVEL) if request.flag("topLevelOnly", default=False) else condition


def both(one: Condition, other: Condition) -> Condition:
    """Return a condition that holds where both do."""
    return other if one is EVERYTHING else Both(one, other)


def _with_free_text(condition: Condition, text: str | None) -> Condition:
    words = (text or "").strip()
    return condition if words.strip(WILDCARD) == "" else both(condition, OneOf(SUMMARY, (words,)))
