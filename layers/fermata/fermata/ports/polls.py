"""The hot rows of polls."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from fermata.domain.polling import LedgerEntry, Poll, PollSpec, PollState


class Polls(Protocol):
    """The hot rows of HTTP_POLL attempts and their ledgers."""

    def open(self, spec: PollSpec, first_due: datetime) -> None:
        """Create the attempt. "Already exists" is success and changes nothing."""

    def load(self, task_id: str) -> Poll | None: ...

    def advance(self, after: PollState) -> bool:
        """Replace the state if it is open and has made exactly one poll fewer than `after`. Return False when not.

        The last of `after.recent` is the new ledger entry; all before it are stored already.
        """

    def hasten(self, before: PollState, due: datetime) -> bool:
        """Let the next poll be due at `due`, which is earlier, if it is open and as many polls are made and the same is due as in `before`.

        Return False when not. The sweeper looks at it soon after `due`: whoever asked may not have got as far as sending the message.
        """

    def close(self, task_id: str) -> None:
        """Make the attempt stale for every later alarm and invisible to the sweeper. Unknown or closed: nothing happens."""

    def remove(self, task_id: str) -> None:
        """Forget the attempt and its ledger. Safe to repeat, also for an unknown attempt."""

    def states(self, task_ids: Collection[str]) -> Mapping[str, PollState]:
        """Return the states among the asked ids, for display."""

    def ledger(self, task_id: str, after: int = 0, most: int | None = None) -> Sequence[LedgerEntry]:
        """Return the entries of polls numbered above `after`, oldest first, `most` of them. What is not asked for is not read."""
