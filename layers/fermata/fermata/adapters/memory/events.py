"""Event handlers and what came of events, in memory."""

import threading
from collections.abc import Sequence

from fermata.domain.event_handlers import EventExecution, EventHandler


class MemoryEventHandlers:
    """An `EventHandlers`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handlers: dict[str, EventHandler] = {}

    def add(self, handler: EventHandler) -> bool:
        with self._lock:
            if handler.name in self._handlers:
                return False
            self._handlers[handler.name] = handler
            return True

    def replace(self, handler: EventHandler) -> bool:
        with self._lock:
            if handler.name not in self._handlers:
                return False
            self._handlers[handler.name] = handler
            return True

    def remove(self, name: str) -> bool:
        with self._lock:
            return self._handlers.pop(name, None) is not None

    def all(self) -> Sequence[EventHandler]:
        with self._lock:
            return [self._handlers[name] for name in sorted(self._handlers)]

    def of_event(self, event: str) -> Sequence[EventHandler]:
        return [handler for handler in self.all() if handler.event == event]


class MemoryEventExecutions:
    """An `EventExecutions`. It keeps everything."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._executions: dict[tuple[str, str, str, int], EventExecution] = {}

    def put(self, execution: EventExecution) -> None:
        key = (execution.name, execution.event, execution.message_id, execution.index)
        with self._lock:
            standing = self._executions.get(key)
            if standing is None or not standing.over:
                self._executions[key] = execution

    def of_message(self, handler: str, event: str, message_id: str) -> Sequence[EventExecution]:
        with self._lock:
            found = [each for key, each in self._executions.items() if key[:3] == (handler, event, message_id)]
        return sorted(found, key=lambda each: each.index)

    def of_event(self, event: str, limit: int) -> Sequence[EventExecution]:
        with self._lock:
            found = [each for each in self._executions.values() if each.event == event]
        return sorted(found, key=lambda each: each.created, reverse=True)[:limit]
