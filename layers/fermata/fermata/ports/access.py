"""Who may call: access keys, what tokens are signed with, and chance."""

from collections.abc import Sequence
from typing import Protocol

from fermata.domain.access import AccessKey


class AccessKeys(Protocol):
    """The keys that callers exchange for tokens. A row moves by compare-and-set on its version."""

    def put(self, key: AccessKey) -> bool:
        """Store the key if the stored version is the one before `key.version` (1: nothing is stored). Return False when not."""

    def get(self, key_id: str) -> AccessKey | None: ...

    def list(self) -> Sequence[AccessKey]:
        """Return every key, in any order."""

    def delete(self, key_id: str) -> bool:
        """Return False when there was none."""


class SigningKeys(Protocol):
    """What tokens are signed with, one for each period. Never stored elsewhere, logged or shown."""

    def get(self, period: int) -> bytes | None:
        """Return the period's key, None when none was made. May show one for some minutes after it was deleted."""

    def make(self, period: int, fresh: bytes) -> bytes:
        """Store `fresh` unless there is a key already; return the one there is. Safe to repeat, also from elsewhere."""


class Chance(Protocol):
    def draw(self, count: int) -> bytes:
        """Return that many bytes that nobody can foresee."""
