"""The hot row of a poll and its ledger as few bytes: one number a fact, each entry told by its difference to the one before."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from fermata.adapters.dynamodb.table import Item, number, text
from fermata.domain.polling import LedgerEntry, PollDecision, PollState
from fermata.wire.records import epoch_ms, moment

# The hot row, written at every poll, must stay under 1 KB to cost one write unit; so must a pack. 12 entries of at most 56 bytes
# fit with 200 to spare, and make a pack, one more write unit, due at every twelfth poll.
ENTRIES = 12
NEWS = 6  # of the entries in a row, so many tell that the remote state changed: the newest ones; at most 32 bytes each

# Stored: a decision's number never changes its meaning.
_CODES: Mapping[PollDecision, int] = {
    PollDecision.AGAIN: 0,
    PollDecision.SLOW_DOWN: 1,
    PollDecision.ERROR: 2,
    PollDecision.DONE: 3,
    PollDecision.FAILED: 4,
    PollDecision.EXHAUSTED: 5,
}
_DECISIONS = {code: decision for decision, code in _CODES.items()}
_WIDTH = 7
_MS = timedelta(milliseconds=1)


def state_attributes(state: PollState) -> dict[str, Item | None]:
    """Return what a poll changes.

    They are: n polls made, e errors in a row, d due, s started, r recent entries, c closed (absent while open), m the remote state, ms
    since when.
    """
    return {
        "n": number(state.polls_made),
        "e": number(state.errors_in_a_row),
        "d": number(epoch_ms(state.due)),
        "s": None if state.started_at is None else number(epoch_ms(state.started_at)),
        "r": text(written(state.recent)) if state.recent else None,
        "c": None if state.is_open else number(1),
        "m": text(state.remote_state) if state.remote_state else None,
        "ms": None if state.remote_since is None else number(epoch_ms(state.remote_since)),
    }


def state_of(item: Item, task_id: str) -> PollState:
    return PollState(
        task_id=task_id,
        workflow_id=item["w"]["S"],
        due=moment(int(item["d"]["N"])),
        polls_made=int(item["n"]["N"]),
        errors_in_a_row=int(item["e"]["N"]),
        is_open="c" not in item,
        started_at=moment(int(item["s"]["N"])) if "s" in item else None,
        recent=tuple(read(item["r"]["S"])) if "r" in item else (),
        remote_state=item["m"]["S"] if "m" in item else None,
        remote_since=moment(int(item["ms"]["N"])) if "ms" in item else None,
    )


def written(entries: Sequence[LedgerEntry]) -> str:
    """Return at least one entry as text: the first one's poll number and due time, then seven small numbers for each.

    They are: poll number minus the one before, due minus the next due time the one before announced, fired minus due, latency (all
    ms), status code, decision, next due minus fired. Nothing is lost: a late, early or out-of-order entry is only longer. Last, where
    there are any, the newest changes of the remote state, by the place of their entry.
    """
    poll, expected = entries[0].poll, entries[0].due
    numbers: list[Any] = [poll, epoch_ms(expected)]
    for entry in entries:
        announced = None if entry.next_due is None else _apart(entry.next_due, entry.fired)
        numbers += [entry.poll - poll, _apart(entry.due, expected), _apart(entry.fired, entry.due), entry.latency // _MS]
        numbers += [entry.status_code, _CODES[entry.decision], announced]
        poll, expected = entry.poll, entry.next_due or entry.due
    news = [(place, entry.remote_state) for place, entry in enumerate(entries) if entry.remote_state]
    return json.dumps([*numbers, dict(news[-NEWS:])] if news else numbers, separators=(",", ":"), ensure_ascii=False)


def read(content: str) -> Iterator[LedgerEntry]:
    """Yield the entries that `written` was given."""
    poll, due_ms, *numbers = json.loads(content)
    news: Mapping[str, str] = numbers.pop() if isinstance(numbers[-1], dict) else {}
    expected = moment(due_ms)
    for place, start in enumerate(range(0, len(numbers), _WIDTH)):
        entry = _entry(poll, expected, numbers[start : start + _WIDTH], news.get(str(place)))
        yield entry
        poll, expected = entry.poll, entry.next_due or entry.due


def _entry(poll: int, expected: datetime, numbers: Sequence[Any], said: str | None) -> LedgerEntry:
    after, moved, late, latency, status_code, decision, announced = numbers
    due = expected + moved * _MS
    fired = due + late * _MS
    next_due = None if announced is None else fired + announced * _MS
    return LedgerEntry(poll + after, due, fired, latency * _MS, status_code, _DECISIONS[decision], next_due, said)


def _apart(later: datetime, earlier: datetime) -> int:
    return epoch_ms(later) - epoch_ms(earlier)
