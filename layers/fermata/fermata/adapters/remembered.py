"""A bounded memory of things that never change, kept for the life of a process."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """The most recently used entries, forgotten oldest first once they weigh more than `limit`. Safe under threads."""

    def __init__(self, limit: int, weigh: Callable[[V], int] = lambda _: 1) -> None:
        self._limit = limit
        self._weigh = weigh
        self._weight = 0
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep `value`; one that weighs more than the limit alone is not kept."""
        with self._lock:
            if key in self._entries or self._weigh(value) > self._limit:
                return
            self._entries[key] = value
            self._weight += self._weigh(value)
            while self._weight > self._limit:
                self._weight -= self._weigh(self._entries.popitem(last=False)[1])
