"""Hot rows and ledgers of HTTP_POLL attempts in memory."""

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from fermata.adapters.memory.due_index import DueKey, MemoryDueIndex
from fermata.domain.polling import LedgerEntry, Poll, PollSpec, PollState
from fermata.domain.timeouts import SWEEP_GRACE
from fermata.ports import FIRST_LOOK_AFTER, DueKind

RECENT_ENTRIES = 12  # as many as a hot row shows before older ones are packed away


class MemoryPolls:
    """A `Polls`."""

    def __init__(self, due: MemoryDueIndex | None = None) -> None:
        self._due = due or MemoryDueIndex()
        self._lock = threading.Lock()
        self._polls: dict[str, Poll] = {}
        self._ledgers: dict[str, list[LedgerEntry]] = {}

    def open(self, spec: PollSpec, first_due: datetime) -> None:
        with self._lock:
            if spec.task_id not in self._polls:
                self._polls[spec.task_id] = Poll(spec, PollState(spec.task_id, spec.workflow_id, first_due))
                self._ledgers[spec.task_id] = []
                self._due.set(_key(spec), first_due + FIRST_LOOK_AFTER)

    def load(self, task_id: str) -> Poll | None:
        with self._lock:
            return self._polls.get(task_id)

    def advance(self, after: PollState) -> bool:
        with self._lock:
            poll = self._polls.get(after.task_id)
            if poll is None or not poll.state.is_open or poll.state.polls_made != after.polls_made - 1:
                return False
            self._ledgers[after.task_id].append(after.recent[-1])
            # The real store packs all but the newest away when the row is full; readers may rely on no more than that.
            recent = after.recent if len(after.recent) <= RECENT_ENTRIES else after.recent[-1:]
            self._polls[after.task_id] = replace(poll, state=replace(after, recent=recent))
            return True

    def hasten(self, before: PollState, due: datetime) -> bool:
        with self._lock:
            poll = self._polls.get(before.task_id)
            state = poll.state if poll else None
            if poll is None or state is None or not state.is_open or (state.polls_made, state.due) != (before.polls_made, before.due):
                return False
            self._polls[before.task_id] = replace(poll, state=replace(state, due=due))
            self._due.set(_key(poll.spec), due + SWEEP_GRACE)
            return True

    def close(self, task_id: str) -> None:
        with self._lock:
            poll = self._polls.get(task_id)
            if poll is not None:
                self._polls[task_id] = replace(poll, state=replace(poll.state, is_open=False))
                self._due.set(_key(poll.spec), None)

    def remove(self, task_id: str) -> None:
        with self._lock:
            poll = self._polls.pop(task_id, None)
            self._ledgers.pop(task_id, None)
            if poll is not None:
                self._due.set(_key(poll.spec), None)

    def states(self, task_ids: Collection[str]) -> Mapping[str, PollState]:
        with self._lock:
            return {key: self._polls[key].state for key in task_ids if key in self._polls}

    def ledger(self, task_id: str, after: int = 0, most: int | None = None) -> Sequence[LedgerEntry]:
        with self._lock:
            return [entry for entry in self._ledgers.get(task_id, ()) if entry.poll > after][:most]


def _key(spec: PollSpec) -> DueKey:
    return (DueKind.POLL, spec.workflow_id, spec.task_id)
