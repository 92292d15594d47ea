"""What DynamoDB would bill: request units worked out from the real items, index writes included.

Rules: docs.aws.amazon.com/amazondynamodb/latest/developerguide, "read and write operations" and "item sizes and formats".
"""

import math
from dataclasses import dataclass, field

from fermata.adapters.dynamodb import schema

READ_UNIT = 4096
WRITE_UNIT = 1024


def value_size(value):
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "B":
            return len(content)
        case "N":
            digits = content.lstrip("-").strip("0") or "0"
            return (len(digits) + 1) // 2 + 1 + content.startswith("-")
        case "M":
            return 3 + sum(len(name.encode()) + value_size(each) + 1 for name, each in content.items())
    raise AssertionError(f"no size is known for {kind}")


def item_size(item):
    return sum(len(name.encode()) + value_size(value) for name, value in item.items())


def index_entry(index, item):
    """What an index holds of an item, or None when the item is not in it."""
    keys = [each["AttributeName"] for each in index["KeySchema"]]
    if item is None or any(key not in item for key in keys):
        return None
    kept = ["pk", "sk", *keys, *index["Projection"].get("NonKeyAttributes", [])]
    return {name: item[name] for name in kept if name in item}


def index_units(before, after):
    """Write units that an index takes: one to insert, delete or change an entry, two (delete and insert) when its key moves."""
    units = 0
    for index in schema.GLOBAL_SECONDARY_INDEXES:
        old, new = index_entry(index, before), index_entry(index, after)
        if old == new:
            continue
        moved = old and new and any(old[key["AttributeName"]] != new[key["AttributeName"]] for key in index["KeySchema"])
        touched = [old, new] if moved else [new or old]
        units += sum(math.ceil(item_size(entry) / WRITE_UNIT) for entry in touched)
    return units


def write_units(before, after):
    sizes = [item_size(item) for item in (before, after) if item is not None]
    return max(1, math.ceil(max(sizes, default=0) / WRITE_UNIT)) + index_units(before, after)  # to delete nothing is a write, too


@dataclass
class Bill:
    """The calls made and what they cost, in order."""

    calls: list[str] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    batches: list[float] = field(default_factory=list)
    writes: list[int] = field(default_factory=list)


class Meter:
    """Watches `client`; `peek` is another client of the same table, to see an item before and after."""

    def __init__(self, client, peek, table):
        self._peek, self._table = peek, table
        self._before = self._key = None
        self.bill = Bill()
        client.meta.events.register("provide-client-params.dynamodb", self._asked)
        client.meta.events.register("after-call.dynamodb", self._answered)

    def take(self):
        """Return the bill since last time and begin a new one."""
        taken, self.bill = self.bill, Bill()
        return taken

    def _item(self):
        return self._peek.get_item(TableName=self._table, Key=self._key, ConsistentRead=True).get("Item")

    def _asked(self, params, model, **_):
        key = params.get("Key") or params.get("Item")
        if key and model.name != "GetItem":
            self._key = {"pk": key["pk"], "sk": key["sk"]}
            self._before = self._item()
        self._consistent = params.get("ConsistentRead", False)

    def _answered(self, parsed, model, **_):
        bill = self.bill
        bill.calls.append(model.name)
        match model.name:
            case "PutItem" | "UpdateItem" | "DeleteItem":
                bill.writes.append(write_units(self._before, self._item()))
            case "Query":
                size = sum(item_size(item) for item in parsed["Items"])
                bill.reads.append(max(1, math.ceil(size / READ_UNIT)) * (1 if self._consistent else 0.5))
            case "BatchGetItem":
                found = [item for items in parsed["Responses"].values() for item in items]
                bill.batches.append(sum(math.ceil(item_size(item) / READ_UNIT) for item in found))
            case "GetItem":
                bill.reads.append(max(1, math.ceil(item_size(parsed.get("Item", {})) / READ_UNIT)))
