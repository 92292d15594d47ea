"""Where runs and their task attempts are stored."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from fermata.domain.effects import Decision
from fermata.domain.executions import Task, Workflow
from fermata.domain.outcomes import Outcome
from fermata.domain.working import WorkKey
from fermata.ports.queries import WorkflowPage, WorkflowQuery


@dataclass(frozen=True)
class StoredWorkflow:
    """A workflow row. `outbox` is the decision that was stored with it and not yet confirmed as carried out.

    `left_out`, set by glances only: the payload fields of the run that are kept apart and were not fetched, and their sizes in bytes.
    """

    workflow: Workflow
    outbox: Decision | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Glimpse:
    """A settled task without the payload fields that are kept apart: they are empty, and `left_out` tells their sizes in bytes."""

    task: Task
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class KeyHolder:
    """The run that an idempotency key belongs to, and since when: it may not be stored yet."""

    workflow_id: str
    since: datetime


class Executions(Protocol):
    """Runs and their task attempts.

    The commit point of a decision is one conditional write of the workflow row, the decision's tasks and effects riding along
    as its outbox. `settle_tasks` then writes the task rows and `settled` drops the outbox. Both are safe to repeat, at any
    later time, also by another process.
    """

    def load(self, workflow_id: str) -> StoredWorkflow | None: ...

    def revisions(self, workflow_ids: Collection[str]) -> Mapping[str, int]:
        """Return the revision of each run among the asked ones that is stored: the cheapest way to see whether something has happened."""

    def glance(self, workflow_ids: Collection[str]) -> Mapping[str, StoredWorkflow]:
        """Return those of the runs that are stored, at once, without payloads that are kept apart. For lists.

        The tasks of an outbox come without such payloads, too, and without outputs that are recorded outcomes.
        """

    def glance_at(self, tasks: Collection[WorkKey]) -> Sequence[Glimpse]:
        """Return those of the tasks that are settled, of whatever runs, at once and in any order, without recorded outputs."""

    def glance_at_all(self, workflow_id: str) -> Sequence[Glimpse]:
        """Return every settled task of the run, by `seq`, with recorded outputs, without payloads that are kept apart."""

    def commit(self, decision: Decision) -> bool:
        """Store `decision` if the stored revision is the one before `decision.workflow.revision` (1: nothing is stored yet).

        Return False, storing nothing, when it is not.
        """

    def settle_tasks(self, decision: Decision) -> None:
        """Write the decision's task rows and drop those it removed, with their outcomes.

        A row already written by the same or a later decision stays.
        """

    def settled(self, decision: Decision) -> None:
        """Drop the outbox if it is still this decision's; the row's look-at becomes `decision.workflow.look_at`."""

    def load_tasks(self, workflow_id: str, task_ids: Collection[str]) -> Mapping[str, Task | None]:
        """Return each asked id: its settled task, or None. Does not look into the outbox."""

    def all_tasks(self, workflow_id: str) -> Sequence[Task]:
        """Return every settled task of the run, by `seq`."""

    def record(self, outcome: Outcome) -> Outcome:
        """Store the outcome of a task attempt unless one is stored; return the stored one. Needs no task row."""

    def outcomes(self, workflow_id: str, task_ids: Collection[str]) -> Mapping[str, Outcome]:
        """Return the recorded outcomes among the asked ids."""

    def workflow_of(self, task_id: str) -> str | None:
        """Return the id of the run that a task attempt belongs to. May lag a new task by a moment."""

    def search(self, query: WorkflowQuery) -> WorkflowPage:
        """Return the page. May lag by a moment. Equal runs keep one order, so that pages follow each other.

        Raises `SearchTooBroad` when the page cannot be known without looking at more runs than one search may.
        """

    def hold_key(self, workflow_name: str, key: str, holder: KeyHolder, instead_of: KeyHolder | None = None) -> KeyHolder:
        """Give the idempotency key to `holder` if nobody has it, or if `instead_of` has it. Return who has it then."""

    def remove(self, workflow_id: str) -> None:
        """Forget a run: its tasks, its outcomes, its idempotency key, itself at last. Safe to repeat, also for an unknown run."""

    def expire(self, workflow_id: str) -> None:
        """Start the retention clock of a finished run's rows (nothing, where runs are kept). Safe to repeat."""
