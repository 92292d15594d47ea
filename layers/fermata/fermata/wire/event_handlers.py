"""Event handlers and what came of events, in Conductor's JSON (REST reference, 2.6)."""

from fermata.domain.errors import InvalidRequest
from fermata.domain.event_handlers import EventExecution, EventHandler
from fermata.domain.json_value import Json
from fermata.wire.codec import VALIDATION_FAILED, decode_list, decode_or_refuse, encode
from fermata.wire.definitions import too_long
from fermata.wire.records import epoch_ms


def event_handlers_from_json(value: Json) -> tuple[EventHandler, ...]:
    """Return one handler, or those of an array. Raises `InvalidRequest`, naming every field of a wrong type."""
    many = isinstance(value, list)
    handlers = decode_list(EventHandler, value, "eventHandlers") if many else (decode_or_refuse(EventHandler, value),)
    if found := [violation for handler in handlers for violation in too_long("name", handler.name)]:
        raise InvalidRequest(VALIDATION_FAILED, found)
    return handlers


def event_handler_from_json(value: Json) -> EventHandler:
    """Return one handler. Raises `InvalidRequest`."""
    if isinstance(value, list):
        raise InvalidRequest("The body must be one event handler.")
    return event_handlers_from_json(value)[0]


def event_handler_to_json(handler: EventHandler) -> Json:
    return encode(handler)


def event_execution_to_json(execution: EventExecution) -> Json:
    """EventExecution. Its id is Conductor's: message id and number of the action; `name` is the handler's."""
    return {
        "id": f"{execution.message_id}_{execution.index}",
        "messageId": execution.message_id,
        "name": execution.name,
        "event": execution.event,
        "created": epoch_ms(execution.created),
        "status": execution.status.value,
        **({"action": execution.action} if execution.action else {}),
        "output": execution.output,
    }
