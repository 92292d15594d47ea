"""Published messages, in memory. Whoever plays the services takes them out."""

import threading
from collections.abc import Sequence

from fermata.domain.event_handlers import EventMessage
from fermata.domain.json_value import JsonObject
from fermata.domain.sinks import NotPublished, Sink


class MemorySinks:
    """A `Sinks` that takes everything."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[EventMessage] = []
        self.published: list[EventMessage] = []

    def publish(self, sink: Sink, message_id: str, payload: JsonObject, chain: int = 0) -> NotPublished | None:
        message = EventMessage(sink.event, message_id, payload, chain)
        with self._lock:
            self.published.append(message)
            self._waiting.append(message)
        return None

    def take(self) -> Sequence[EventMessage]:
        """Remove and return what was published and not taken, in order."""
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken
