"""Idempotency keys of starts: one row for each, written under a condition (`w`: the run that holds it, `at`: since when, epoch ms)."""

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.keys import Key
from fermata.adapters.dynamodb.schema import TTL_ATTRIBUTE
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.domain.executions import Workflow
from fermata.domain.ids import content_hash
from fermata.ports import KeyHolder
from fermata.wire.records import epoch_ms, json_bytes, moment


class StartKeys:
    def __init__(self, table: Table) -> None:
        self._table = table

    def hold(self, workflow_name: str, key: str, holder: KeyHolder, instead_of: KeyHolder | None) -> KeyHolder:
        """Write the row if it is free, or still that of `instead_of`. A holder whose write is repeated finds itself there."""
        row = {**_row_of(workflow_name, key), "w": text(holder.workflow_id), "at": number(epoch_ms(holder.since))}
        if instead_of is None:
            standing = self._table.put(row, "attribute_not_exists(pk)")
        else:
            standing = self._table.put(row, "w = :before", {":before": text(instead_of.workflow_id)})
        return KeyHolder(standing["w"]["S"], moment(int(standing["at"]["N"]))) if standing else holder

    def release(self, run: Workflow) -> None:
        """Drop the row that this run holds, if it holds one."""
        if run.idempotency_key is not None:
            row = _row_of(run.workflow_name, run.idempotency_key)
            self._table.delete(row, "w = :mine", {":mine": text(run.workflow_id)})

    def stamp(self, run: Workflow, ttl: Item | None) -> None:
        """Set or take off the time to live of the row that this run holds, if it holds one."""
        if run.idempotency_key is not None:
            row = _row_of(run.workflow_name, run.idempotency_key)
            self._table.update(row, {TTL_ATTRIBUTE: ttl}, "w = :mine", {":mine": text(run.workflow_id)})


def _row_of(workflow_name: str, key: str) -> Key:
    return keys.start_key(content_hash(json_bytes([workflow_name, key])))
