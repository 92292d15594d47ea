"""Schedules and the records of what they started, in memory."""

import threading
from collections.abc import Sequence

from fermata.adapters.memory.due_index import MemoryDueIndex
from fermata.domain.schedules import Schedule, ScheduledStart
from fermata.ports import DueKind


class MemorySchedules:
    """A `Schedules`."""

    def __init__(self, due: MemoryDueIndex) -> None:
        self._due = due
        self._lock = threading.Lock()
        self._schedules: dict[str, Schedule] = {}
        self._starts: dict[str, ScheduledStart] = {}

    def put(self, schedule: Schedule) -> bool:
        with self._lock:
            stored = self._schedules.get(schedule.name)
            if (stored.revision if stored else 0) != schedule.revision - 1:
                return False
            self._schedules[schedule.name] = schedule
            self._due.set((DueKind.SCHEDULE, schedule.name, None), schedule.look_at)
            return True

    def load(self, name: str) -> Schedule | None:
        with self._lock:
            return self._schedules.get(name)

    def all(self) -> Sequence[Schedule]:
        with self._lock:
            return [self._schedules[name] for name in sorted(self._schedules)]

    def forget(self, schedule: Schedule) -> bool:
        with self._lock:
            stored = self._schedules.get(schedule.name)
            if stored is None or stored.revision != schedule.revision:
                return False
            del self._schedules[schedule.name]
            self._due.set((DueKind.SCHEDULE, schedule.name, None), None)
            return True

    def begin(self, start: ScheduledStart) -> ScheduledStart:
        with self._lock:
            return self._starts.setdefault(start.execution_id, start)

    def end(self, start: ScheduledStart) -> None:
        with self._lock:
            self._starts[start.execution_id] = start

    def starts(self, name: str) -> Sequence[ScheduledStart]:
        with self._lock:
            found = [start for start in self._starts.values() if start.schedule == name]
        return sorted(found, key=lambda start: (start.scheduled_time, start.entry), reverse=True)

    def forget_starts(self, starts: Sequence[ScheduledStart]) -> None:
        with self._lock:
            for start in starts:
                self._starts.pop(start.execution_id, None)
