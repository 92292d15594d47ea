"""What was done to runs, in memory."""

import threading
from collections import defaultdict
from collections.abc import Sequence

from fermata.domain.operations import Operation


class MemoryOperations:
    """An `Operations`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, dict[str, Operation]] = defaultdict(dict)

    def write(self, operation: Operation) -> None:
        with self._lock:
            self._runs[operation.workflow_id].setdefault(operation.key, operation)

    def of(self, workflow_id: str) -> Sequence[Operation]:
        with self._lock:
            return sorted(self._runs.get(workflow_id, {}).values(), key=lambda each: (each.at, each.key))

    def remove(self, workflow_id: str) -> None:
        with self._lock:
            self._runs.pop(workflow_id, None)
