"""Where events go, who reacts to them, and what came of it."""

from collections.abc import Sequence
from typing import Protocol

from fermata.domain.event_handlers import EventExecution, EventHandler
from fermata.domain.json_value import JsonObject
from fermata.domain.sinks import NotPublished, Sink


class Sinks(Protocol):
    """Where EVENT tasks publish: our own queue of events, SQS queues, EventBridge buses."""

    def publish(self, sink: Sink, message_id: str, payload: JsonObject, chain: int = 0) -> NotPublished | None:
        """Hand the message over, or return why it is refused for good. A repeat under the same id may arrive twice.

        `chain` travels with it, beside the payload, back to us (`EventMessage.chain`).

        Raises `TransientError` when the sink may take it later.
        """


class EventHandlers(Protocol):
    """Registered event handlers, by name."""

    def add(self, handler: EventHandler) -> bool:
        """Return False, storing nothing, when the name is taken. Raises `PayloadTooLarge`."""

    def replace(self, handler: EventHandler) -> bool:
        """Return False, storing nothing, when there is none of the name. Raises `PayloadTooLarge`."""

    def remove(self, name: str) -> bool:
        """Return False when there was none."""

    def all(self) -> Sequence[EventHandler]:
        """Return every handler, by name."""

    def of_event(self, event: str) -> Sequence[EventHandler]:
        """Return the handlers of one event, by name. Costs as much as there are of them, not as there are of all."""


class EventExecutions(Protocol):
    """What came of each action for each message. Kept for a while: longer than a message may come again."""

    def put(self, execution: EventExecution) -> None:
        """Store, or replace the one of the same handler, event, message and index. One that is over stays as it is."""

    def of_message(self, handler: str, event: str, message_id: str) -> Sequence[EventExecution]:
        """Return what came of one message so far, by index."""

    def of_event(self, event: str, limit: int) -> Sequence[EventExecution]:
        """Return the newest ones, newest first. May lag by a moment."""
