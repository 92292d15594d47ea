"""A moto table (5.2) that keeps its rows and its indexes in order: a query looks at the rows it gives, not at the whole table."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.dynamodb.models.table import RESULT_SIZE_LIMIT, Table

Identity: TypeAlias = tuple[Any, Any]  # partition and range key of the row in the table
Place: TypeAlias = tuple[Any, Any, Any]  # range key in this order, then the row's identity: what DynamoDB sorts by

_RANGE = itemgetter(0)


class Order:
    """The rows that have both keys of the table, or of an index, by partition and place."""

    def __init__(self, partition: str, range_key: str) -> None:
        self._keys = (partition, range_key)
        self._partitions: dict[Any, list[Place]] = defaultdict(list)
        self._standing: dict[Identity, tuple[Any, Place]] = {}

    def put(self, identity: Identity, item: Item | None) -> None:
        """Move the row to where its attributes put it now, or out of this order."""
        if identity in self._standing:
            partition, place = self._standing.pop(identity)
            places = self._partitions[partition]
            del places[bisect_left(places, place)]
        if item is not None and all(key in item.attrs for key in self._keys):
            partition, by = (item.attrs[key].cast_value for key in self._keys)
            self._standing[identity] = partition, (by, *identity)
            insort(self._partitions[partition], (by, *identity))

    def places(self, partition: Any, bounds: tuple[str | None, list[Any]], after: Place | None, *, forward: bool) -> Iterator[Place]:
        """Yield the places of a partition within `bounds` (a comparison and its values), beginning behind `after`, and the next one.

        By what follows the last place moto tells whether there is another page, even where it is out of bounds.
        """
        places = self._partitions.get(partition, [])
        low, high = _bounded(places, *bounds)
        if after is not None and forward:
            low = max(low, bisect_right(places, after))
        elif after is not None:
            high = min(high, bisect_left(places, after))
        for number in range(low, min(high + 1, len(places))) if forward else range(high - 1, max(low - 2, -1), -1):
            yield places[number]

    def place_of(self, key: Mapping[str, Any], table_keys: Sequence[str]) -> Place:
        """Return the place that an `ExclusiveStartKey` names."""
        by, partition, range_key = (DynamoType(key[name]).cast_value for name in (self._keys[1], *table_keys))
        return by, partition, range_key


def _bounded(places: list[Place], comparison: str | None, values: list[Any]) -> tuple[int, int]:
    """Return where the matching places begin and end."""
    low, high = 0, len(places)
    match (comparison or "").upper():
        case "=" | "EQ" | "BETWEEN":
            return bisect_left(places, values[0], key=_RANGE), bisect_right(places, values[-1], key=_RANGE)
        case "BEGINS_WITH":
            begin = len(values[0])
            return bisect_left(places, values[0], key=_RANGE), bisect_right(places, values[0], key=lambda place: place[0][:begin])
        case "<" | "LT":
            return low, bisect_left(places, values[0], key=_RANGE)
        case "<=" | "LE":
            return low, bisect_right(places, values[0], key=_RANGE)
        case ">" | "GT":
            return bisect_right(places, values[0], key=_RANGE), high
        case ">=" | "GE":
            return bisect_left(places, values[0], key=_RANGE), high
    return low, high


class OrderedTable(Table):
    """Answers as moto's own table, which sorts all it holds at each query. `rows_looked_at` counts what its queries went through."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own_range = self.range_key_attr or self.hash_key_attr
        self._orders: dict[str | None, Order] = {None: Order(self.hash_key_attr, own_range)}
        for index in self.all_indexes():
            partition, range_key = (*index.schema_key_attrs, own_range)[:2]
            self._orders[index.name] = Order(partition, range_key)
        self._rows: dict[Identity, Item] = {}
        self._page: list[Item] | None = None
        self.rows_looked_at = 0

    def put_item(self, *args: Any, **kwargs: Any) -> Item:
        item = super().put_item(*args, **kwargs)
        self._place(item.hash_key, item.range_key)
        return item

    def delete_item(self, hash_key: DynamoType, range_key: DynamoType | None) -> Item | None:
        item = super().delete_item(hash_key, range_key)
        self._place(hash_key, range_key)
        return item

    def changed(self, key: Mapping[str, Any]) -> None:
        """Take note that moto has rewritten a row where it stands."""
        self._place(*(DynamoType(key[name]) for name in self.table_key_attrs))

    def query(  # noqa: PLR0913, PLR0917 - the shape of Table
        self,
        hash_key: DynamoType | None,
        range_comparison: str | None,
        range_objs: list[DynamoType],
        limit: int,
        exclusive_start_key: dict[str, Any],
        scan_index_forward: bool,  # noqa: FBT001
        projection_expressions: list[list[str]] | None,
        index_name: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        if hash_key is not None and index_name in self._orders:
            order, bounds = self._orders[index_name], (range_comparison, [value.cast_value for value in range_objs])
            after = self._orders[index_name].place_of(exclusive_start_key, self.table_key_attrs) if exclusive_start_key else None
            self._page = self._first(order.places(hash_key.cast_value, bounds, after, forward=scan_index_forward is not False), limit)
            self.rows_looked_at += len(self._page)
        asked = (hash_key, range_comparison, range_objs, limit, exclusive_start_key, scan_index_forward, projection_expressions)
        try:
            return super().query(*asked, index_name, *args, **kwargs)
        finally:
            self._page = None

    def all_items(self) -> list[Item]:
        """Return the page that is being answered with, where there is one: moto filters and projects it."""
        return super().all_items() if self._page is None else self._page

    def _place(self, hash_key: DynamoType, range_key: DynamoType | None = None) -> None:
        identity, item = (hash_key.cast_value, range_key.cast_value if range_key else None), self.get_item(hash_key, range_key)
        if item is None:
            self._rows.pop(identity, None)
        else:
            self._rows[identity] = item
        for order in self._orders.values():
            order.put(identity, item)

    def _first(self, places: Iterable[Place], limit: int | None) -> list[Item]:
        """Return a page of rows and one more, by which moto sees that it is not the last."""
        rows, size = [], 0
        for number, (_, *identity) in enumerate(places):
            rows.append(self._rows[tuple(identity)])
            size += rows[-1].size()
            if number == limit or size > RESULT_SIZE_LIMIT:
                break
        return rows


_moto_update = DynamoDBBackend.update_item


def update_item(self: DynamoDBBackend, table_name: str, key: dict[str, dict[str, Any]], *args: Any, **kwargs: Any) -> Item:
    """Stand in for moto's, which rewrites the row where it stands, so that its table does not hear of it."""
    try:
        return _moto_update(self, table_name, key, *args, **kwargs)
    finally:
        table = self.tables.get(table_name)
        if isinstance(table, OrderedTable):
            table.changed(key)
