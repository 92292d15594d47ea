"""Event handlers by name and by event, and what came of each message for each of them."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.schema import TTL_ATTRIBUTE
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.domain.errors import PayloadTooLarge
from fermata.domain.event_handlers import EventExecution, EventHandler
from fermata.domain.ids import content_hash
from fermata.wire import records
from fermata.wire.records import epoch_ms, json_bytes

MAX_BYTES = 380 * 1024  # an item holds 400 KB
# Longer than a message can come again: SQS keeps it 4 days, and 14 more among the dead letters.
KEPT_AT_LEAST = timedelta(days=20)
NEW, STANDING = "attribute_not_exists(pk)", "attribute_exists(pk)"


class DynamoEventHandlers:
    """An `EventHandlers`. An event's partition names its handlers; a name that points to a handler of another event is passed over.

    A name enters there before its handler is stored and leaves it after, so a crash in between leaves nothing unhandled.
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    def add(self, handler: EventHandler) -> bool:
        return self._put(handler, NEW)

    def replace(self, handler: EventHandler) -> bool:
        before = self._get(handler.name)
        stored = self._put(handler, STANDING)
        if stored and before is not None and before.event != handler.event:
            self._table.delete(keys.handler_of_event(before.event, handler.name))
        return stored

    def remove(self, name: str) -> bool:
        before = self._get(name)
        removed = self._table.delete(keys.event_handler(name))
        if before is not None:
            self._table.delete(keys.handler_of_event(before.event, name))
        return removed

    def all(self) -> Sequence[EventHandler]:
        rows = self._table.query("pk = :handlers", {":handlers": text(keys.HANDLERS)})
        return sorted(map(_handler, rows), key=lambda handler: handler.name)

    def of_event(self, event: str) -> Sequence[EventHandler]:
        partition = keys.handler_of_event(event, "")["pk"]
        named = [keys.event_handler(row["nm"]["S"]) for row in self._table.query("pk = :event", {":event": partition})]
        found = [_handler(row) for row in self._table.batch_get(named)]
        return sorted((handler for handler in found if handler.event == event), key=lambda handler: handler.name)

    def _get(self, name: str) -> EventHandler | None:
        row = self._table.get(keys.event_handler(name))
        return _handler(row) if row else None

    def _put(self, handler: EventHandler, condition: str) -> bool:
        content = records.dump(handler)
        if len(content) > MAX_BYTES:
            raise PayloadTooLarge(f"The event handler {handler.name} has {len(content)} bytes; at most {MAX_BYTES} can be stored.")
        self._table.put({**keys.handler_of_event(handler.event, handler.name), "nm": text(handler.name)})
        row = {**keys.event_handler(handler.name), "b": {"B": content}}
        if condition == NEW:
            return self._table.put(row, NEW) is None
        return self._table.update(keys.event_handler(handler.name), {"b": row["b"]}, STANDING, {}) is not None


class DynamoEventExecutions:
    """An `EventExecutions`. One message's lie in one partition; the index `queue` lists an event's by the moment they began."""

    def __init__(self, table: Table, keep: timedelta | None) -> None:
        self._table = table
        self._keep = max(keep or KEPT_AT_LEAST, KEPT_AT_LEAST)

    def put(self, execution: EventExecution) -> None:
        partition = _partition(execution.name, execution.event, execution.message_id)
        row: dict[str, Any] = {
            **keys.event_execution(partition, execution.index),
            "b": {"B": records.dump(execution)},
            "qk": text(keys.executions_of_event(execution.event)),
            "qt": number(epoch_ms(execution.created)),
            TTL_ATTRIBUTE: number(epoch_ms(execution.created + self._keep) // 1000),
            **({"ov": number(1)} if execution.over else {}),
        }
        self._table.put(row, "attribute_not_exists(ov)")

    def of_message(self, handler: str, event: str, message_id: str) -> Sequence[EventExecution]:
        values = {":message": keys.event_execution(_partition(handler, event, message_id), 0)["pk"]}
        return [_execution(row) for row in self._table.query("pk = :message", values)]

    def of_event(self, event: str, limit: int) -> Sequence[EventExecution]:
        values = {":event": text(keys.executions_of_event(event))}
        pages = self._table.query("qk = :event", values, IndexName="queue", ScanIndexForward=False, Limit=limit)
        named = [keys.key(*keys.identity(row)) for row, _ in zip(pages, range(limit), strict=False)]
        found = [_execution(row) for row in self._table.batch_get(named)]
        return sorted(found, key=lambda execution: execution.created, reverse=True)


def _partition(handler: str, event: str, message_id: str) -> str:
    return content_hash(json_bytes([handler, event, message_id]))


def _handler(row: Item) -> EventHandler:
    return records.load(EventHandler, row["b"]["B"])


def _execution(row: Item) -> EventExecution:
    return records.load(EventExecution, row["b"]["B"])
