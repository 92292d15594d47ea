"""Do what the handlers of an event say, once for each message (Conductor engine reference, 8.1)."""

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fermata.application.engine import Engine
from fermata.application.event_actions import carry_out, complete_by_external_id
from fermata.domain.errors import EngineBug, FermataError, RequestError, TransientError
from fermata.domain.event_handlers import EventExecution, EventHandler, EventMessage, EventStatus
from fermata.domain.inline_json import expanded
from fermata.domain.looping import truth
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language
from fermata.wire.event_messages import EventDelivery, from_batch

_logger = logging.getLogger(__name__)


def handle_batch(engine: Engine, event: Mapping[str, Any], own_queue: str) -> dict[str, Any]:
    """Handle every message of an SQS batch; return those that must come again (`batchItemFailures`).

    A message in our own queue that is no use to anybody fails, too: after its last try the queue puts it aside where an alarm sees it.
    """
    failed = []
    for delivery in from_batch(event, own_queue):
        try:
            handle_event(engine, _message(delivery))
        except Exception as error:
            # One bad message must not make its neighbours come again; it is reported, not swallowed.
            _logger.exception("event %s failed: %s", delivery.delivery_id, type(error).__name__)
            failed.append(delivery.delivery_id)
    return {"batchItemFailures": [{"itemIdentifier": delivery_id} for delivery_id in failed]}


def _message(delivery: EventDelivery) -> EventMessage:
    if delivery.message is None:
        raise delivery.error or EngineBug("a delivery holds neither an event nor an error")
    return delivery.message


def handle_event(engine: Engine, message: EventMessage) -> None:
    """Do what the active handlers say, and complete the task that `externalId` names. Safe to repeat: what is done is not done again.

    What cannot be done is recorded as FAILED. Raises `TransientError` or `EngineBug`, after all else is done, when the message should come
    again.
    """
    later: list[FermataError] = []
    complete_by_external_id(engine, message)
    for handler in engine.event_handlers.of_event(message.event):
        if handler.active:
            later += _handle(engine, handler, message)
    if later:
        raise later[0]


def _handle(engine: Engine, handler: EventHandler, message: EventMessage) -> list[FermataError]:
    """Carry out what is not done yet. Return what stood in the way and may pass, or what an operator has to look at."""
    known = {done.index: done for done in engine.event_executions.of_message(handler.name, message.event, message.message_id)}
    if not known and (refused := _condition(engine, handler, message)) is not None:
        engine.event_executions.put(refused)
        return []
    if any(done.action is None for done in known.values()):
        return []  # the condition did not hold, or failed, when the message came first
    later: list[FermataError] = []
    for index in range(len(handler.actions)):
        before = known.get(index) or _execution(engine, handler, message, index)
        if not before.over:
            later += _act(engine, handler, message, before)
    return later


def _act(engine: Engine, handler: EventHandler, message: EventMessage, execution: EventExecution) -> list[FermataError]:
    action = handler.actions[execution.index]
    engine.event_executions.put(execution)
    payload = expanded(message.payload) if action.expand_inline_json else message.payload
    try:
        output = carry_out(engine, action, replace(message, payload=payload), handler.name, execution.index)
    except RequestError as error:
        output, status = {"error": str(error)}, EventStatus.FAILED
    except (TransientError, EngineBug) as error:
        return [error]  # the execution stays IN_PROGRESS until the message comes again
    else:
        status = EventStatus.COMPLETED
    engine.event_executions.put(replace(execution, status=status, output=output))
    return []


def _condition(engine: Engine, handler: EventHandler, message: EventMessage) -> EventExecution | None:
    """Return None when the actions are to be done, or what is recorded in their place."""
    if not (handler.condition or "").strip():
        return None
    subject = json.dumps(expanded(message.payload))
    result = engine.evaluator.evaluate(Evaluate(Language.JAVASCRIPT, handler.condition or "", subject))
    none = replace(_execution(engine, handler, message, 0), action=None)
    match result:
        case Evaluated(value):
            msg = "the condition does not hold"
            return None if truth(value) else replace(none, status=EventStatus.SKIPPED, output={"msg": msg, "condition": handler.condition})
        case EvaluationFailed(reason):
            return replace(none, status=EventStatus.FAILED, output={"error": f"condition: {reason}", "condition": handler.condition})


def _execution(engine: Engine, handler: EventHandler, message: EventMessage, index: int) -> EventExecution:
    return EventExecution(
        name=handler.name,
        event=message.event,
        message_id=message.message_id,
        index=index,
        status=EventStatus.IN_PROGRESS,
        created=engine.clock.now(),
        action=handler.actions[index].action,
    )
