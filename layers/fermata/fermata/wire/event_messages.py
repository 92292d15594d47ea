"""The JSON in which events travel: our own queue's, a user's queue's, an EventBridge bus's; and the batches that a door is handed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fermata.domain.errors import InvalidRequest
from fermata.domain.event_handlers import EventMessage
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.sinks import Provider, Sink
from fermata.wire.records import json_bytes

MESSAGE_ID = "messageId"  # the attribute under which an EVENT task sends its id to a user's queue
CHAIN = "chain"  # and the one that says how many runs have started each other before one that this message starts
_DIGITS = 10  # of a number that anybody may have written
# How a bus's events say who they are: an EVENT task's names its task there, so that a repeat can be told.
SOURCE, TASK_RESOURCE, CHAIN_RESOURCE = "fermata", "task/", "chain/"


@dataclass(frozen=True)
class EventDelivery:
    """One record of a batch: a message, or why it is none."""

    delivery_id: str
    message: EventMessage | None
    error: InvalidRequest | None = None


def to_own_queue(sink: Sink, message_id: str, payload: JsonObject, chain: int) -> str:
    """Return what our queue of events carries: `{"event":"conductor:flow:ref","id":"...","chain":1,"payload":{...}}`."""
    return json_bytes({"event": sink.event, "id": message_id, "chain": chain, "payload": payload}).decode()


def resources(message_id: str, chain: int) -> list[str]:
    """Return what a bus's event says of its task."""
    return [f"{TASK_RESOURCE}{message_id}", f"{CHAIN_RESOURCE}{chain}"]


def to_text(payload: JsonObject) -> str:
    """Return a payload as it goes to somebody else's queue or bus."""
    return json_bytes(payload).decode()


def from_batch(event: Mapping[str, Any], own_queue: str) -> list[EventDelivery]:
    """Return what the records of an SQS batch hold. Only messages of the queue named `own_queue` may say which event they are."""
    return [_delivery(record, own_queue) for record in event.get("Records", ())]


def _delivery(record: Mapping[str, Any], own_queue: str) -> EventDelivery:
    queue = str(record.get("eventSourceARN", "")).rpartition(":")[2]
    try:
        message = _own(record) if queue == own_queue else _of_users_queue(record, queue)
    except InvalidRequest as error:
        return EventDelivery(record["messageId"], None, error)
    return EventDelivery(record["messageId"], message)


def _own(record: Mapping[str, Any]) -> EventMessage:
    body = _read(record["body"])
    if not isinstance(body, Mapping) or not isinstance(body.get("event"), str):
        raise InvalidRequest("A message in the queue of events does not say which event it is.")
    if isinstance(body.get("id"), str):
        return EventMessage(body["event"], body["id"], body.get("payload"), _number(body.get("chain")))
    if isinstance(body.get("busEvent"), Mapping):
        event = body["busEvent"]
        return EventMessage(body["event"], _bus_event_id(event, record["messageId"]), event, _number(_resource(event, CHAIN_RESOURCE)))
    raise InvalidRequest("A message in the queue of events holds no event.")


def _bus_event_id(event: Mapping[str, Any], otherwise: str) -> str:
    return _resource(event, TASK_RESOURCE) or str(event.get("id") or otherwise)


def _resource(event: Mapping[str, Any], prefix: str) -> str | None:
    """Return what an EVENT task's event on a bus says under this prefix; None for anybody else's event."""
    named = [str(resource) for resource in event.get("resources") or () if str(resource).startswith(prefix)]
    return named[0].removeprefix(prefix) if named and event.get("source") == SOURCE else None


def _number(text: Json) -> int:
    """Return a whole number, however it is written; 0 for anything else."""
    written = str(text)
    return int(written) if written.isascii() and written.isdigit() and len(written) < _DIGITS else 0


def _of_users_queue(record: Mapping[str, Any], queue: str) -> EventMessage:
    """Return a message whose payload is what the body says; a body that is no JSON is its payload as text."""
    attributes = record.get("messageAttributes") or {}
    message_id = str((attributes.get(MESSAGE_ID) or {}).get("stringValue") or record["messageId"])
    chain = _number((attributes.get(CHAIN) or {}).get("stringValue"))
    try:
        payload = _read(record["body"])
    except InvalidRequest:
        payload = record["body"]
    return EventMessage(f"{Provider.SQS.value}:{queue}", message_id, payload, chain)


def _read(body: str) -> Json:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest("A message is not JSON.") from error
