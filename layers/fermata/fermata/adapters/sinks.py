"""Events into SQS queues and EventBridge buses, their refusals told in words."""

from typing import Any

from fermata.adapters.aws import Client, call
from fermata.domain.errors import EngineBug, TransientError
from fermata.domain.json_value import JsonObject
from fermata.domain.sinks import NotPublished, Provider, Sink
from fermata.wire import event_messages

SQS_BYTES = 1024 * 1024  # the most that one message can hold (SQS quotas)
BUS_BYTES = 256 * 1024  # of source, detail type, resources and detail together (EventBridge, "PutEvents event entry size")
DETAIL_TYPE = "EVENT task"
_THROTTLED = ("ThrottlingException", "InternalFailure", "InternalException")


class AwsSinks:
    """A `Sinks`. `own_queue_url`: where `conductor:` events go."""

    def __init__(self, sqs_client: Client, events_client: Client, own_queue_url: str) -> None:
        self._sqs_client = sqs_client
        self._events_client = events_client
        self._own_queue_url = own_queue_url

    def publish(self, sink: Sink, message_id: str, payload: JsonObject, chain: int = 0) -> NotPublished | None:
        match sink.provider:
            case Provider.CONDUCTOR:
                return self._to_own_queue(event_messages.to_own_queue(sink, message_id, payload, chain))
            case Provider.SQS:
                return self._to_queue(sink.queue, message_id, chain, event_messages.to_text(payload))
            case Provider.EVENTBRIDGE:
                return self._to_bus(sink.queue, event_messages.resources(message_id, chain), event_messages.to_text(payload))

    def _to_own_queue(self, body: str) -> NotPublished | None:
        if too_long := _too_long(body, SQS_BYTES):
            return too_long
        call(self._sqs_client.send_message, {"QueueUrl": self._own_queue_url, "MessageBody": body})
        return None

    def _to_queue(self, queue: str, message_id: str, chain: int, body: str) -> NotPublished | None:
        if too_long := _too_long(body, SQS_BYTES):
            return too_long
        try:
            params = {"QueueUrl": self._url(queue), "MessageBody": body, **_attributes(queue, message_id, chain)}
            call(self._sqs_client.send_message, params)
        except EngineBug as error:  # the queue is not ours, and neither is what is wrong with it
            return NotPublished(str(error))
        return None

    def _url(self, queue: str) -> str:
        if queue.startswith("https://"):
            return queue
        url: str = call(self._sqs_client.get_queue_url, {"QueueName": queue})["QueueUrl"]
        return url

    def _to_bus(self, bus: str, resources: list[str], detail: str) -> NotPublished | None:
        entry = {
            "EventBusName": bus,
            "Source": event_messages.SOURCE,
            "DetailType": DETAIL_TYPE,
            "Detail": detail,
            "Resources": resources,
        }
        if too_long := _too_long(event_messages.SOURCE + DETAIL_TYPE + "".join(resources) + detail, BUS_BYTES):
            return too_long
        try:
            answer = call(self._events_client.put_events, {"Entries": [entry]})
        except EngineBug as error:
            return NotPublished(str(error))
        return _of_entry(answer["Entries"][0])


def _of_entry(entry: dict[str, str]) -> NotPublished | None:
    """Read what PutEvents says about one entry: it answers 200 for what it refuses, too."""
    code = entry.get("ErrorCode")
    if code in _THROTTLED:
        raise TransientError(f"PutEvents answered {code}; trying again may help.")
    return NotPublished(f"PutEvents was refused: {code}: {entry.get('ErrorMessage', '')}") if code else None


def _attributes(queue: str, message_id: str, chain: int) -> dict[str, Any]:
    """Return what tells a repeat. A FIFO queue drops it itself; each message is a group of its own there, for none waits for another."""
    attributes = {
        event_messages.MESSAGE_ID: {"DataType": "String", "StringValue": message_id},
        event_messages.CHAIN: {"DataType": "Number", "StringValue": str(chain)},
    }
    fifo = {"MessageGroupId": message_id, "MessageDeduplicationId": message_id} if queue.endswith(".fifo") else {}
    return {"MessageAttributes": attributes, **fifo}


def _too_long(text: str, limit: int) -> NotPublished | None:
    length = len(text.encode())
    return NotPublished(f"the message has {length} bytes, and at most {limit} can be sent") if length > limit else None
