"""What the engine needs from outside, in its own words. Adapters fit outside things to these; each port has one contract suite."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from fermata.domain.access import AccessKey
from fermata.domain.definitions import TaskDefinition, WorkflowDefinition
from fermata.domain.effects import Decision
from fermata.domain.event_handlers import EventExecution, EventHandler
from fermata.domain.executions import Task, Workflow
from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.json_value import JsonObject
from fermata.domain.messages import Message
from fermata.domain.outcomes import Outcome
from fermata.domain.polling import LedgerEntry, Poll, PollSpec, PollState
from fermata.domain.questions import Evaluate, EvaluationResult
from fermata.domain.searching.conditions import EVERYTHING, Both, Condition, OneOf, Order
from fermata.domain.searching.fields import NEWEST_FIRST, STATUS, WORKFLOW_TYPE
from fermata.domain.sinks import NotPublished, Sink
from fermata.domain.status import WorkflowStatus
from fermata.domain.work_limiting import Limiter
from fermata.domain.working import LogEntry, WorkerQueue, WorkItem, WorkKey


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the present moment, aware, UTC, in whole milliseconds: a store gives it back as it was."""


class Pauses(Protocol):
    def pause(self, length: timedelta) -> None:
        """Let `length` pass while a caller waits for an answer. Only `application/waiting.py` calls it; nothing else ever waits."""


class Ids(Protocol):
    def new_workflow_id(self) -> str:
        """Return a fresh lower-case UUID: the only id that is drawn and not derived."""


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


class Definitions(Protocol):
    """Registered metadata, and the snapshots that runs pin."""

    def put_workflow(self, definition: WorkflowDefinition, *, overwrite: bool) -> bool:
        """Store name+version. Return False, storing nothing, when it exists and `overwrite` is false."""

    def get_workflow(self, name: str, version: int | None = None) -> WorkflowDefinition | None:
        """Return that version, or the highest one."""

    def list_workflows(self) -> Sequence[WorkflowDefinition]:
        """Return every version of every definition, by name then version."""

    def delete_workflow(self, name: str, version: int) -> bool:
        """Return False when there was none."""

    def put_task(self, definition: TaskDefinition) -> None: ...

    def get_task(self, name: str) -> TaskDefinition | None: ...

    def list_tasks(self) -> Sequence[TaskDefinition]: ...

    def delete_task(self, name: str) -> bool:
        """Return False when there was none."""

    def pin(self, definition: WorkflowDefinition) -> str:
        """Store a snapshot and return its key: equal definitions have an equal key and are stored once. Safe to repeat."""

    def pinned(self, key: str) -> WorkflowDefinition:
        """Return a snapshot. Raises `EngineBug` when there is none."""


@dataclass(frozen=True)
class StoredWorkflow:
    """A workflow row. `outbox` is the decision that was stored with it and not yet confirmed as carried out."""

    workflow: Workflow
    outbox: Decision | None = None


@dataclass(frozen=True)
class WorkflowQuery:
    """What `search` looks for: runs for which the condition on `WORKFLOW_FIELDS` holds, a page of them in this order.

    `workflow_type` and `statuses` narrow it further: what the engine itself asks for.
    """

    condition: Condition = EVERYTHING
    order: tuple[Order, ...] = NEWEST_FIRST
    start: int = 0
    size: int = 100
    workflow_type: str | None = None
    statuses: Collection[WorkflowStatus] = ()

    @property
    def wanted(self) -> Condition:
        """The whole condition."""
        named = self.condition if self.workflow_type is None else Both(self.condition, OneOf(WORKFLOW_TYPE, (self.workflow_type,)))
        return Both(named, OneOf(STATUS, tuple(self.statuses))) if self.statuses else named


@dataclass(frozen=True)
class KeyHolder:
    """The run that an idempotency key belongs to, and since when: it may not be stored yet."""

    workflow_id: str
    since: datetime


@dataclass(frozen=True)
class WorkflowPage:
    """`exact` False: counting stopped at `total_hits`, and there may be more. The page itself is always right.

    `left_out`: by run, the payloads that a store keeps apart and does not fetch for a list, and their sizes in bytes.
    """

    total_hits: int
    workflows: Sequence[Workflow]
    exact: bool = True
    left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


class Executions(Protocol):
    """Runs and their task attempts.

    The commit point of a decision is one conditional write of the workflow row, the decision's tasks and effects riding along
    as its outbox. `settle_tasks` then writes the task rows and `settled` drops the outbox. Both are safe to repeat, at any
    later time, also by another process.
    """

    def load(self, workflow_id: str) -> StoredWorkflow | None: ...

    def revisions(self, workflow_ids: Collection[str]) -> Mapping[str, int]:
        """Return the revision of each run among the asked ones that is stored: the cheapest way to see whether something has happened."""

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


class Polls(Protocol):
    """The hot rows of HTTP_POLL attempts and their ledgers."""

    def open(self, spec: PollSpec, first_due: datetime) -> None:
        """Create the attempt. "Already exists" is success and changes nothing."""

    def load(self, task_id: str) -> Poll | None: ...

    def advance(self, after: PollState) -> bool:
        """Replace the state if it is open and has made exactly one poll fewer than `after`. Return False when not.

        The last of `after.recent` is the new ledger entry; all before it are stored already.
        """

    def close(self, task_id: str) -> None:
        """Make the attempt stale for every later alarm and invisible to the sweeper. Unknown or closed: nothing happens."""

    def remove(self, task_id: str) -> None:
        """Forget the attempt and its ledger. Safe to repeat, also for an unknown attempt."""

    def states(self, task_ids: Collection[str]) -> Mapping[str, PollState]:
        """Return the states among the asked ids, for display."""

    def ledger(self, task_id: str) -> Sequence[LedgerEntry]:
        """Return every entry, oldest first."""


class WorkQueue(Protocol):
    """The worker rows of SIMPLE attempts and the queues in which they wait. Every row moves by compare-and-set on its version."""

    def open(self, item: WorkItem) -> None:
        """Create the row. "Already exists" is success and changes nothing."""

    def load(self, wanted: Collection[WorkKey]) -> Mapping[str, WorkItem]:
        """Return the rows among the asked ones, by task id, closed ones included."""

    def move(self, after: WorkItem) -> bool:
        """Replace the row if it is open and its version is the one before `after.version`. Return False when not."""

    def close(self, key: WorkKey) -> None:
        """Take the row out of its queue for good; no move succeeds any more. Unknown or closed: nothing happens."""

    def remove(self, key: WorkKey) -> None:
        """Forget the row. Unknown: nothing happens."""

    def waiting(self, queue: str, now: datetime, limit: int) -> Sequence[WorkItem]:
        """Return up to `limit` rows that may be taken now. May miss new ones for a moment; never shows one that was taken."""

    def sizes(self, queues: Collection[str]) -> Mapping[str, int]:
        """Return how many rows wait in each queue, hidden ones included. May lag by a moment."""

    def queues(self) -> Sequence[WorkerQueue]:
        """Return every queue that ever held work or was polled, by name."""

    def note_poll(self, queue: WorkerQueue) -> None:
        """Keep that a worker asked for work (`queue.last_poll`). Two polls less than a second apart may count as one."""

    def last_polls(self, queues: Collection[str]) -> Mapping[str, datetime | None]:
        """Return each asked queue's last poll, None when there was none."""

    def limiter(self, name: str) -> Limiter:
        """Return what was let through of a task definition; version 0 when nothing ever was."""

    def limit(self, after: Limiter) -> bool:
        """Replace the limiter if its version is the one before `after.version`. Return False when not."""


class TaskLogs(Protocol):
    """What workers write about their tasks."""

    def append(self, key: WorkKey, entries: Sequence[LogEntry]) -> None:
        """Add entries. An equal entry of the same moment is kept once."""

    def read(self, key: WorkKey) -> Sequence[LogEntry]:
        """Return every entry, oldest first."""

    def remove(self, key: WorkKey) -> None:
        """Forget every entry. Unknown: nothing happens."""


class DueKind(StrEnum):
    WORKFLOW = "WORKFLOW"
    TASK = "TASK"
    POLL = "POLL"
    WORK = "WORK"


@dataclass(frozen=True)
class DueEntry:
    """Something whose look-at has come: a workflow row, a task row, the hot row of a poll or a worker row."""

    kind: DueKind
    workflow_id: str
    task_id: str | None
    look_at: datetime


# What every store writes into the index by itself; all other look-ats stand in what it is given.
OUTBOX_GRACE = timedelta(seconds=60)  # after a commit: a dispatch that has not confirmed by then is taken for lost
FIRST_LOOK_AFTER = timedelta(seconds=60)  # after a poll's first due time: the message that starts it may be lost


class DueIndex(Protocol):
    """The sweeper's sparse index over everything that has a look-at."""

    def overdue(self, now: datetime, limit: int) -> Sequence[DueEntry]:
        """Return up to `limit` entries with `look_at <= now`, oldest first within a shard. May lag by a moment."""

    def look_again(self, entry: DueEntry, look_at: datetime) -> None:
        """Move an entry forward, if it is still at `entry.look_at`; nothing happens otherwise."""


class Alarms(Protocol):
    """Deliver a message now or later, at least once. One port hides queue, queue delay and one-shot schedule."""

    def send(self, message: Message, at: datetime, now: datetime) -> None:
        """Deliver at `at`, at once when that is past. Repeating the same call is harmless."""


class HttpClient(Protocol):
    def send(self, request: HttpRequest) -> HttpResult:
        """Make one request, following redirects inside the egress policy. Never raises for what a vendor does."""


class Evaluator(Protocol):
    def evaluate(self, question: Evaluate) -> EvaluationResult:
        """Run one untrusted expression under limits of time and memory. Never raises for what a script does."""

    def syntax_error(self, question: Evaluate) -> str | None:
        """Return what is wrong with the program's syntax, without running it; `subject` is not read."""


class Secrets(Protocol):
    def get(self, name: str) -> str | None:
        """Return the secret's value at this moment, or None. Never stored, logged or shown."""


class Payloads(Protocol):
    """Content too big for a row."""

    def put(self, workflow_id: str, content: bytes) -> str:
        """Store and return the key, derived from the content. Safe to repeat."""

    def get(self, key: str) -> bytes:
        """Raises `EngineBug` when there is none."""


class Sinks(Protocol):
    """Where EVENT tasks publish: our own queue of events, SQS queues, EventBridge buses."""

    def publish(self, sink: Sink, message_id: str, payload: JsonObject) -> NotPublished | None:
        """Hand the message over, or return why it is refused for good. A repeat under the same id may arrive twice.

        Raises `TransientError` when the sink may take it later.
        """


class EventHandlers(Protocol):
    """Registered event handlers, by name."""

    def add(self, handler: EventHandler) -> bool:
        """Return False, storing nothing, when the name is taken. Raises `PayloadTooLarge`."""

    def replace(self, handler: EventHandler) -> bool:
        """Return False, storing nothing, when there is none of the name. Raises `PayloadTooLarge`."""

    def remove(self, name: str) -> bool:
        """Return False when there was none."""

    def all(self) -> Sequence[EventHandler]:
        """Return every handler, by name."""

    def of_event(self, event: str) -> Sequence[EventHandler]:
        """Return the handlers of one event, by name. Costs as much as there are of them, not as there are of all."""


class EventExecutions(Protocol):
    """What came of each action for each message. Kept for a while: longer than a message may come again."""

    def put(self, execution: EventExecution) -> None:
        """Store, or replace the one of the same handler, event, message and index. One that is over stays as it is."""

    def of_message(self, handler: str, event: str, message_id: str) -> Sequence[EventExecution]:
        """Return what came of one message so far, by index."""

    def of_event(self, event: str, limit: int) -> Sequence[EventExecution]:
        """Return the newest ones, newest first. May lag by a moment."""
