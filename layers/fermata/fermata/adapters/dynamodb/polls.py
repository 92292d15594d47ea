"""Polls: one strongly consistent read and one write under 1 KB each, the same at every poll number."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from fermata.adapters.dynamodb import keys, poll_rows
from fermata.adapters.dynamodb.content import Content, present
from fermata.adapters.dynamodb.due_index import due_attributes
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.domain.polling import LedgerEntry, Poll, PollSpec, PollState
from fermata.domain.timeouts import SWEEP_GRACE
from fermata.ports import FIRST_LOOK_AFTER, Payloads
from fermata.wire import records
from fermata.wire.records import epoch_ms

# Read at every poll: above this the payload store, which remembers what it read lately, is the cheaper place.
SPEC_INLINE_BYTES = 8 * 1024


class DynamoPolls:
    """A `Polls`. Specification and hot row lie side by side: together at most 4 KB, they are one read unit."""

    def __init__(self, table: Table, payloads: Payloads) -> None:
        self._table = table
        self._content = Content(payloads)

    def open(self, spec: PollSpec, first_due: datetime) -> None:
        """Store the specification, then the hot row, which is what makes the poll exist."""
        body = self._content.whole(spec.workflow_id, records.dump(spec), SPEC_INLINE_BYTES)
        self._table.put({**keys.spec(spec.task_id), "b": body}, "attribute_not_exists(pk)")
        state = PollState(spec.task_id, spec.workflow_id, first_due)
        due = due_attributes(spec.workflow_id, first_due + FIRST_LOOK_AFTER)
        row = {**keys.hot(spec.task_id), "w": text(spec.workflow_id), **poll_rows.state_attributes(state), **due}
        self._table.put(present(row), "attribute_not_exists(pk)")

    def load(self, task_id: str) -> Poll | None:
        values = {":poll": text(keys.poll_partition(task_id)), ":halves": text(keys.POLL_HALVES)}
        halves = {item["sk"]["S"]: item for item in self._table.query("pk = :poll AND begins_with(sk, :halves)", values)}
        if keys.HOT_ROW not in halves:
            return None
        spec = records.load(PollSpec, self._content.bytes_of(halves[keys.SPEC_ROW]["b"]))
        return Poll(spec, poll_rows.state_of(halves[keys.HOT_ROW], task_id))

    def advance(self, after: PollState) -> bool:
        """One write; one more at every twelfth poll, when the entries already in the row are packed away first.

        A pack holds nothing but what the row held, under the number of its first poll: writing it twice writes the same. `dk` and
        `dt` stay as they are: moving a row in the due index would cost two more writes at every poll.
        """
        change = poll_rows.state_attributes(after)
        stored, newest = after.recent[:-1], after.recent[-1:]
        if len(stored) >= poll_rows.ENTRIES:
            pack = {**keys.pack(after.task_id, stored[0].poll), "r": text(poll_rows.written(stored))}
            self._table.put(pack)
            change["r"] = text(poll_rows.written(newest))
        condition, values = "n = :before AND attribute_not_exists(c)", {":before": number(after.polls_made - 1)}
        return self._table.update(keys.hot(after.task_id), change, condition, values) is not None

    def hasten(self, before: PollState, due: datetime) -> bool:
        """One write, and the two more that moving a row in the due index costs: only polls that somebody asked for pay them."""
        change = {"d": number(epoch_ms(due)), **due_attributes(before.workflow_id, due + SWEEP_GRACE)}
        values = {":made": number(before.polls_made), ":seen": number(epoch_ms(before.due))}
        condition = "n = :made AND d = :seen AND attribute_not_exists(c)"
        return self._table.update(keys.hot(before.task_id), change, condition, values) is not None

    def close(self, task_id: str) -> None:
        self._table.update(keys.hot(task_id), {"c": number(1), "dk": None, "dt": None}, "attribute_exists(dk)", {})

    def remove(self, task_id: str) -> None:
        values = {":poll": text(keys.poll_partition(task_id))}
        for row in list(self._table.query("pk = :poll", values, ProjectionExpression="pk, sk")):
            self._table.delete(keys.key(*keys.identity(row)))

    def states(self, task_ids: Collection[str]) -> Mapping[str, PollState]:
        rows = self._table.batch_get([keys.hot(task_id) for task_id in dict.fromkeys(task_ids)])
        return dict(_named_state(row) for row in rows)

    def ledger(self, task_id: str, after: int = 0, most: int | None = None) -> Sequence[LedgerEntry]:
        """Read the row, and packs where it does not hold all that is asked for."""
        row = self._table.get(keys.hot(task_id), only="r")
        recent = list(poll_rows.read(row["r"]["S"])) if row and "r" in row else []
        older = [] if not recent or recent[0].poll <= after + 1 else self._packed(task_id, after, recent[0].poll, most)
        # What was packed since the row was read stands in both.
        entries = {entry.poll: entry for entry in (*older, *recent) if entry.poll > after}
        return [entries[poll] for poll in sorted(entries)][:most]

    def _packed(self, task_id: str, after: int, before: int, most: int | None) -> Sequence[LedgerEntry]:
        """Read packs. One written by a poll that then lost its race repeats entries: each counts once."""
        first = keys.pack(task_id, max(0, after + 2 - poll_rows.ENTRIES))["sk"]
        values = {":poll": text(keys.poll_partition(task_id)), ":first": first, ":last": keys.pack(task_id, before)["sk"]}
        limit = {} if most is None else {"Limit": most // poll_rows.ENTRIES + 2}
        entries: dict[int, LedgerEntry] = {}
        for row in self._table.query("pk = :poll AND sk BETWEEN :first AND :last", values, ProjectionExpression="r", **limit):
            entries |= {entry.poll: entry for entry in poll_rows.read(row["r"]["S"]) if entry.poll > after}
            if most is not None and len(entries) >= most:
                break
        return list(entries.values())


def _named_state(row: Item) -> tuple[str, PollState]:
    task_id = row["pk"]["S"].removeprefix(keys.poll_partition(""))
    return task_id, poll_rows.state_of(row, task_id)
