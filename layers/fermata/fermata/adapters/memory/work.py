"""Workers' queues and task logs in memory."""

import threading
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from fermata.adapters.memory.due_index import DueKey, MemoryDueIndex
from fermata.domain.timeouts import SWEEP_GRACE
from fermata.domain.work_limiting import Limiter
from fermata.domain.working import LogEntry, WorkerQueue, WorkItem, WorkKey, domain_of, may_be_taken, next_look
from fermata.ports import DueKind


class MemoryWorkQueue:
    """A `WorkQueue`."""

    def __init__(self, due: MemoryDueIndex | None = None) -> None:
        self._due = due or MemoryDueIndex()
        self._lock = threading.Lock()
        self._items: dict[WorkKey, WorkItem] = {}
        self._waiting: dict[str, set[WorkKey]] = defaultdict(set)
        self._queues: dict[str, WorkerQueue] = {}
        self._limiters: dict[str, Limiter] = {}

    def open(self, item: WorkItem) -> None:
        with self._lock:
            if item.key in self._items:
                return
            self._set(item)
            known = WorkerQueue(item.task_name, domain_of(item.queue, item.task_name))
            self._queues.setdefault(item.queue, known)
            self._due.set(_due_key(item.key), next_look(item, item.visible_at, SWEEP_GRACE))

    def load(self, keys: Collection[WorkKey]) -> Mapping[str, WorkItem]:
        with self._lock:
            return {key.task_id: self._items[key] for key in keys if key in self._items}

    def move(self, after: WorkItem) -> bool:
        with self._lock:
            standing = self._items.get(after.key)
            if standing is None or not standing.is_open or standing.version != after.version - 1:
                return False
            self._set(after)
            return True

    def close(self, key: WorkKey) -> None:
        with self._lock:
            standing = self._items.get(key)
            if standing is not None:
                self._set(replace(standing, is_open=False))
                self._due.set(_due_key(key), None)

    def remove(self, key: WorkKey) -> None:
        self.close(key)
        with self._lock:
            self._items.pop(key, None)

    def waiting(self, queue: str, now: datetime, limit: int, at_once: int | None = None) -> Sequence[WorkItem]:  # noqa: ARG002 - all are at hand
        with self._lock:
            found = [self._items[key] for key in self._waiting[queue]]
        taken = sorted((item for item in found if may_be_taken(item, now)), key=lambda item: (item.visible_at, item.task_id))
        return taken[:limit]

    def sizes(self, queues: Collection[str]) -> Mapping[str, int]:
        with self._lock:
            return {queue: len(self._waiting[queue]) for queue in queues}

    def queues(self) -> Sequence[WorkerQueue]:
        with self._lock:
            return sorted(self._queues.values(), key=lambda queue: queue.name)

    def note_poll(self, queue: WorkerQueue) -> None:
        with self._lock:
            self._queues[queue.name] = queue

    def last_polls(self, queues: Collection[str]) -> Mapping[str, datetime | None]:
        with self._lock:
            return {queue: self._queues[queue].last_poll if queue in self._queues else None for queue in queues}

    def limiter(self, name: str) -> Limiter:
        with self._lock:
            return self._limiters.get(name, Limiter(name))

    def limit(self, after: Limiter) -> bool:
        with self._lock:
            if self._limiters.get(after.name, Limiter(after.name)).version != after.version - 1:
                return False
            self._limiters[after.name] = after
            return True

    def _set(self, item: WorkItem) -> None:
        self._items[item.key] = item
        if item.is_open and not item.claimed:
            self._waiting[item.queue].add(item.key)
        else:
            self._waiting[item.queue].discard(item.key)


class MemoryTaskLogs:
    """A `TaskLogs`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[WorkKey, list[LogEntry]] = defaultdict(list)

    def append(self, key: WorkKey, entries: Sequence[LogEntry]) -> None:
        with self._lock:
            self._entries[key] += [entry for entry in entries if entry not in self._entries[key]]

    def read(self, key: WorkKey) -> Sequence[LogEntry]:
        with self._lock:
            return sorted(self._entries.get(key, ()), key=lambda entry: entry.at)

    def remove(self, key: WorkKey) -> None:
        with self._lock:
            self._entries.pop(key, None)


def _due_key(key: WorkKey) -> DueKey:
    return (DueKind.WORK, key.workflow_id, key.task_id)
