"""What was done to runs from outside."""

from collections.abc import Sequence
from typing import Protocol

from fermata.domain.operations import Operation


class Operations(Protocol):
    """The operations log of each run. It goes with the run: when that expires, so does the log."""

    def write(self, operation: Operation) -> None:
        """Keep an operation. What stands under its run and key already stays: a repeat changes nothing."""

    def of(self, workflow_id: str) -> Sequence[Operation]:
        """Return every operation on a run, oldest first."""

    def remove(self, workflow_id: str) -> None:
        """Forget every operation on a run. Unknown: nothing happens."""
