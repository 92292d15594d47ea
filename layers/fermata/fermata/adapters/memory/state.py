"""State records, in memory."""

import threading

from fermata.domain.airpipe.records import StateRecord


class MemoryStateRecords:
    """A `StateRecords`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: dict[tuple[str, str], StateRecord] = {}

    def load(self, namespace: str, key: str) -> StateRecord | None:
        with self._lock:
            return self._records.get((namespace, key))

    def put(self, record: StateRecord, instead_of: str | None) -> bool:
        with self._lock:
            if self._stamp(record.namespace, record.key) != instead_of:
                return False
            self._records[record.namespace, record.key] = record
            return True

    def _stamp(self, namespace: str, key: str) -> str | None:
        stored = self._records.get((namespace, key))
        return stored.stamp if stored else None
