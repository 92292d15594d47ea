"""Access keys and signing keys, in memory."""

import threading
from collections.abc import Sequence

from fermata.domain.access import AccessKey


class MemoryAccessKeys:
    """An `AccessKeys`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keys: dict[str, AccessKey] = {}

    def put(self, key: AccessKey) -> bool:
        with self._lock:
            stored = self._keys.get(key.key_id)
            if (stored.version if stored else 0) != key.version - 1:
                return False
            self._keys[key.key_id] = key
            return True

    def get(self, key_id: str) -> AccessKey | None:
        with self._lock:
            return self._keys.get(key_id)

    def list(self) -> Sequence[AccessKey]:
        with self._lock:
            return list(self._keys.values())

    def delete(self, key_id: str) -> bool:
        with self._lock:
            return self._keys.pop(key_id, None) is not None


class MemorySigningKeys:
    """A `SigningKeys`; `repr` shows none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keys: dict[int, bytes] = {}

    def get(self, period: int) -> bytes | None:
        with self._lock:
            return self._keys.get(period)

    def make(self, period: int, fresh: bytes) -> bytes:
        with self._lock:
            return self._keys.setdefault(period, fresh)
