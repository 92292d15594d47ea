"""What is kept in a row and what goes to the payload store, and both back again as if all had been inline."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from fermata.adapters.dynamodb.table import Item
from fermata.ports import Payloads
from fermata.wire import records

# A PutObject costs as much as 8 write units, that is 8 KB written once (5 and 0.625 dollars a million, us-east-1). Rows are written
# once or twice, and reading a payload back costs a round trip: up to here a row is the better place.
INLINE_BYTES = 8 * 1024
# The row of a run is written twice at every decision, and its input never changes: half of that.
RUN_INLINE_BYTES = 4 * 1024
# What is left of a record once its payload fields are out may still be long (thousands of open tasks). An item holds 400 KB.
RECORD_BYTES = 64 * 1024

T = TypeVar("T")


@dataclass(frozen=True)
class Content:
    """Turns records into attributes and back. `b` is a record: binary when inline, the payload's key when not; `o` names fields apart.

    Of each it holds the key `k` and the size `n` in bytes.
    """

    payloads: Payloads

    def whole(self, workflow_id: str, content: bytes, limit: int) -> Item:
        """Return an attribute for bytes of any length."""
        return {"B": content} if len(content) <= limit else {"S": self.payloads.put(workflow_id, content)}

    def bytes_of(self, attribute: Item) -> bytes:
        content: bytes = attribute["B"] if "B" in attribute else self.payloads.get(attribute["S"])
        return content

    def attributes(self, workflow_id: str, value: Any, fields: Sequence[str], limit: int = INLINE_BYTES) -> dict[str, Item | None]:
        """Return the attributes `b` and `o` of a dataclass. Of `fields`, each longer than `limit` as JSON becomes a payload."""
        apart: dict[str, Item] = {}
        record = records.dump(value)
        if len(record) > limit:  # else no field can be
            for name in fields:
                content = records.json_bytes(getattr(value, name))
                if len(content) > limit:
                    apart[name] = {"M": {"k": {"S": self.payloads.put(workflow_id, content)}, "n": {"N": str(len(content))}}}
            record = records.dump(replace(value, **{name: {} for name in apart})) if apart else record
        return {"b": self.whole(workflow_id, record, RECORD_BYTES), "o": {"M": apart} if apart else None}

    def value(self, cls: type[T], item: Item) -> T:
        """Return the dataclass of an item with `b` and perhaps `o`."""
        value: Any = records.load(cls, self.bytes_of(item["b"]))
        apart = _apart(item)
        if apart:
            value = replace(value, **{name: json.loads(self.payloads.get(each["k"]["S"])) for name, each in apart.items()})
        loaded: T = value
        return loaded

    def inline(self, cls: type[T], item: Item) -> tuple[T, Mapping[str, int]]:
        """Return the dataclass with the fields that are kept apart left empty, and how many bytes each of them has."""
        sizes = {name: int(each["n"]["N"]) for name, each in _apart(item).items()}
        return records.load(cls, self.bytes_of(item["b"])), sizes


def _apart(item: Item) -> Mapping[str, Item]:
    apart: Mapping[str, Item] = {name: each["M"] for name, each in item.get("o", {}).get("M", {}).items()}
    return apart


def present(attributes: Mapping[str, Item | None]) -> dict[str, Item]:
    """Return the attributes of a new item: None, which removes one from an old item, is nothing in a new one."""
    return {name: value for name, value in attributes.items() if value is not None}
