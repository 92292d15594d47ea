"""How long finished runs are kept: the time to live of every row of a run and of its polls."""

from collections.abc import Iterator
from datetime import timedelta

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.content import Content
from fermata.adapters.dynamodb.keys import Key
from fermata.adapters.dynamodb.schema import TTL_ATTRIBUTE
from fermata.adapters.dynamodb.start_keys import StartKeys
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.domain.executions import Workflow
from fermata.domain.tasks.registry import type_shown_as
from fermata.wire.records import epoch_ms


class Retention:
    """Counted from the end of the run, so repeating changes nothing. `xp` on the run's row says: its rows have a time to live."""

    def __init__(self, table: Table, content: Content, keep: timedelta | None) -> None:
        self._table = table
        self._content = content
        self._start_keys = StartKeys(table)
        self._keep = keep
        # The answer to `settled` brings the row back, and with it the mark, without another read; without retention nobody needs it.
        self.returning = "NONE" if keep is None else "ALL_NEW"

    def expire(self, workflow_id: str) -> None:
        """Let DynamoDB drop the rows of a finished run. A run that is not over, or not there, stays as it is."""
        row = self._table.get(keys.run(workflow_id)) if self._keep is not None else None
        run = self._content.value(Workflow, row) if row else None
        if self._keep is None or row is None or run is None or not run.status.terminal:
            return
        end = (run.end_time or run.update_time or run.create_time) + self._keep
        ttl = number(epoch_ms(end) // 1000)
        marked = self._table.update(keys.run(workflow_id), {TTL_ATTRIBUTE: ttl, "xp": number(1)}, "v = :seen", {":seen": row["v"]})
        if marked is not None:
            self._stamp(workflow_id, ttl)
            self._start_keys.stamp(run, ttl)

    def revive(self, workflow_id: str, row: Item) -> None:
        """Take the time to live off the rows of a run that was over and runs again. `row` is its row as it is now."""
        if "xp" in row:
            self._stamp(workflow_id, None)
            self._start_keys.stamp(self._content.value(Workflow, row), None)
            self._table.update(keys.run(workflow_id), {"xp": None}, "v = :seen", {":seen": row["v"]})

    def _stamp(self, workflow_id: str, ttl: Item | None) -> None:
        for key in self._rows(workflow_id):
            self._table.update(key, {TTL_ATTRIBUTE: ttl}, "attribute_exists(pk)", {})

    def _rows(self, workflow_id: str) -> Iterator[Key]:
        """Yield the keys of all rows of the run but its own, which is written under its revision."""
        for item in self._partition(keys.run_partition(workflow_id)):
            if item["sk"]["S"] == keys.RUN_ROW:
                continue
            yield keys.key(*keys.identity(item))
            if type_shown_as(item.get("ty", {}).get("S", "")).keeps_polls:
                for poll_row in self._partition(keys.poll_partition(item["sk"]["S"].removeprefix("T#"))):
                    yield keys.key(*keys.identity(poll_row))

    def _partition(self, partition: str) -> Iterator[Item]:
        return self._table.query("pk = :partition", {":partition": text(partition)}, ProjectionExpression="pk, sk, ty")
