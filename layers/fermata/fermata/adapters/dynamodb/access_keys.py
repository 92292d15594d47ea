"""Access keys: one small row each, side by side in one partition, so that a list is one query."""

from collections.abc import Sequence

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.table import Item, Table, number
from fermata.domain.access import AccessKey
from fermata.wire import records

LONGEST_ID = 100  # characters; DynamoDB refuses a sort key of more than 1 KB, and callers may ask for anything


class DynamoAccessKeys:
    """An `AccessKeys`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def put(self, key: AccessKey) -> bool:
        item = {**keys.access_key(key.key_id), "b": {"B": records.dump(key)}, "vn": number(key.version)}
        if key.version == 1:
            return self._table.put(item, "attribute_not_exists(pk)") is None
        return self._table.put(item, "vn = :before", {":before": number(key.version - 1)}) is None

    def get(self, key_id: str) -> AccessKey | None:
        item = self._table.get(keys.access_key(key_id)) if 0 < len(key_id) <= LONGEST_ID else None
        return None if item is None else _loaded(item)

    def list(self) -> Sequence[AccessKey]:
        return [_loaded(item) for item in self._table.query("pk = :keys", {":keys": {"S": keys.ACCESS_KEYS}})]

    def delete(self, key_id: str) -> bool:
        return 0 < len(key_id) <= LONGEST_ID and self._table.delete(keys.access_key(key_id))


def _loaded(item: Item) -> AccessKey:
    return records.load(AccessKey, item["b"]["B"])
