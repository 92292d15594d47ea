"""Where values live that one run leaves for another."""

from typing import Protocol

from fermata.domain.airpipe.records import StateRecord


class StateRecords(Protocol):
    """The records of Air Pipe's `state` actions. Each moves by compare-and-set on its stamp; a deleted one is one that has expired.

    An expired record is kept for `REMEMBERED` at least, since its stamp still tells of the operation that left it.
    """

    def load(self, namespace: str, key: str) -> StateRecord | None: ...

    def put(self, record: StateRecord, instead_of: str | None) -> bool:
        """Store it if the stored record's stamp is `instead_of` (None: nothing is stored). Return False when not."""
