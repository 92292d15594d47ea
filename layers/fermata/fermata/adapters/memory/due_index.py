"""The sweeper's index in memory. The stores write their look-at times into it; it holds nothing else."""

import threading
from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias

from fermata.ports import DueEntry, DueKind

DueKey: TypeAlias = tuple[DueKind, str, str | None]


class MemoryDueIndex:
    """A `DueIndex`, shared by the in-memory stores of one engine."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._look_at: dict[DueKey, datetime] = {}

    def set(self, key: DueKey, look_at: datetime | None) -> None:
        """Let `key` be looked at then; None takes it out. For the stores."""
        with self._lock:
            if look_at is None:
                self._look_at.pop(key, None)
            else:
                self._look_at[key] = look_at

    def overdue(self, now: datetime, limit: int) -> Sequence[DueEntry]:
        with self._lock:
            due = [DueEntry(*key, look_at) for key, look_at in self._look_at.items() if look_at <= now]
        return sorted(due, key=lambda entry: entry.look_at)[:limit]

    def look_again(self, entry: DueEntry, look_at: datetime) -> None:
        key = (entry.kind, entry.workflow_id, entry.task_id)
        with self._lock:
            if self._look_at.get(key) == entry.look_at:
                self._look_at[key] = look_at
