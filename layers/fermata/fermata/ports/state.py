"""Where values live that one run leaves for another."""

from typing import Protocol

from fermata.domain.airpipe.records import StateRecord


class StateRecords(Protocol):
    """The records of Air Pipe's `state` actions. Each moves by compare-and-set on its stamp. Expired ones may still be shown."""

    def load(self, namespace: str, key: str) -> StateRecord | None: ...

    def put(self, record: StateRecord, instead_of: str | None) -> bool:
        """Store it if the stored record's stamp is `instead_of` (None: nothing is stored). Return False when not."""

    def remove(self, namespace: str, key: str, stamp: str) -> bool:
        """Forget it if its stamp is this one. Return False when not."""
