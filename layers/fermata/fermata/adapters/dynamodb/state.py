"""State records: one row each. The table's own TTL deletes an expired one a day later; until then it is told by its date."""

import math

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.schema import TTL_ATTRIBUTE
from fermata.adapters.dynamodb.table import Table, number, text
from fermata.domain.airpipe.records import REMEMBERED, StateRecord
from fermata.wire import records


class DynamoStateRecords:
    """A `StateRecords`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def load(self, namespace: str, key: str) -> StateRecord | None:
        item = self._table.get(keys.state_record(namespace, key))
        return None if item is None else records.load(StateRecord, item["b"]["B"])

    def put(self, record: StateRecord, instead_of: str | None) -> bool:
        item = {**keys.state_record(record.namespace, record.key), "b": {"B": records.dump(record)}, "st": text(record.stamp)}
        if record.expires_at is not None:
            item[TTL_ATTRIBUTE] = number(math.ceil((record.expires_at + REMEMBERED).timestamp()))
        if instead_of is None:
            return self._table.put(item, "attribute_not_exists(pk)") is None
        return self._table.put(item, "st = :before", {":before": text(instead_of)}) is None
