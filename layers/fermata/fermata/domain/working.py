"""What an open SIMPLE attempt is to workers: a small row that moves from hand to hand while the task's own row stands still.

The rules of handing out and reporting are Conductor's (engine reference, 5.4 and 5.5).
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from fermata.domain.executions import Task
from fermata.domain.json_value import JsonObject
from fermata.domain.status import TaskStatus
from fermata.domain.timeouts import Deadline

POSTPONED = timedelta(seconds=60)  # how long a limit hides an attempt that it does not let through (reference 5.6)
MAX_NAME_BYTES = 500  # of a worker's task and of a domain: together they are a key in stores that hold 1,024 bytes there
LOOK_AFTER = timedelta(hours=1)  # how often the sweeper looks at an attempt whose alarms work


@dataclass(frozen=True)
class WorkLimits:
    """The task definition's limits, fixed when the attempt is scheduled. 0 or None: no such limit.

    `ends_workflow`: a timeout but that of a response ends the run. `concurrent` and `rate` hold at the hand-out.
    """

    total_deadline: datetime | None = None
    timeout_seconds: int = 0
    poll_timeout_seconds: int = 0
    response_timeout_seconds: int = 0
    ends_workflow: bool = False
    concurrent: int = 0
    rate: int = 0
    rate_seconds: int = 1


@dataclass(frozen=True)
class WorkKey:
    """Names the row."""

    workflow_id: str
    task_id: str


@dataclass(frozen=True)
class WorkItem:
    """The row. `version` grows by one with each move; a move names the one it replaces.

    `claimed`: a worker has it; else it waits in `queue` and may be taken from `visible_at` on. `output`: what a worker that
    is not done has said so far.
    """

    task_id: str
    workflow_id: str
    task_name: str
    queue: str
    visible_at: datetime
    limits: WorkLimits = field(default_factory=WorkLimits)
    version: int = 0
    is_open: bool = True
    claimed: bool = False
    worker_id: str | None = None
    poll_count: int = 0
    started_at: datetime | None = None
    updated_at: datetime | None = None
    callback_after_seconds: int = 0
    output: JsonObject = field(default_factory=dict)

    @property
    def key(self) -> WorkKey:
        return WorkKey(self.workflow_id, self.task_id)


@dataclass(frozen=True)
class WorkerQueue:
    """A queue as it is known: `[domain:]type`, and who asked for its work last."""

    task_type: str
    domain: str | None = None
    worker_id: str | None = None
    last_poll: datetime | None = None

    @property
    def name(self) -> str:
        return queue_name(self.task_type, self.domain)


def queue_name(task_type: str, domain: str | None) -> str:
    """Return the name of the queue that workers of a task type in a domain poll."""
    return f"{domain}:{task_type}" if domain else task_type


def is_too_long(name: str | None) -> bool:
    """Tell whether a task's name or a domain is too long to be part of a queue's name."""
    return name is not None and len(name.encode(errors="replace")) > MAX_NAME_BYTES


def domain_of(queue: str, task_type: str) -> str | None:
    """Return the domain in a queue's name, None when there is none."""
    return queue.removesuffix(task_type).removesuffix(":") or None


def deadline(item: WorkItem) -> Deadline | None:
    """Return the first moment at which the attempt times out as it stands now.

    `pollTimeoutSeconds` counts from when a worker could take it, `timeoutSeconds` from the first hand-out, `responseTimeoutSeconds`
    from the worker's last sign of life.
    """
    limits, candidates = item.limits, []
    if limits.total_deadline:
        candidates.append(Deadline(limits.total_deadline, limits.ends_workflow, "totalTimeoutSeconds passed"))
    if limits.timeout_seconds and item.started_at:
        reason = f"timeoutSeconds ({limits.timeout_seconds}) passed"
        candidates.append(Deadline(item.started_at + timedelta(seconds=limits.timeout_seconds), limits.ends_workflow, reason))
    if item.claimed and limits.response_timeout_seconds and item.updated_at:
        reason = f"responseTimeoutSeconds ({limits.response_timeout_seconds}) passed without a result"
        at = item.updated_at + timedelta(seconds=limits.response_timeout_seconds)
        candidates.append(Deadline(at, ends_workflow=False, reason=reason))
    if not item.claimed and limits.poll_timeout_seconds:
        reason = f"pollTimeoutSeconds ({limits.poll_timeout_seconds}) passed without a worker"
        candidates.append(Deadline(item.visible_at + timedelta(seconds=limits.poll_timeout_seconds), limits.ends_workflow, reason))
    return min(candidates, key=lambda found: found.at, default=None)


def next_look(item: WorkItem, now: datetime, grace: timedelta) -> datetime:
    """Return when the sweeper looks at an attempt (again): soon after its deadline, and every hour anyway."""
    limit, routine = deadline(item), max(item.visible_at, now) + LOOK_AFTER
    return min(limit.at + grace, routine) if limit else routine


def may_be_taken(item: WorkItem, now: datetime) -> bool:
    return item.is_open and not item.claimed and item.visible_at <= now


def handed_to(item: WorkItem, worker_id: str | None, now: datetime) -> WorkItem:
    """Return the attempt in a worker's hands. The first hand-out starts its clock."""
    return replace(
        item,
        version=item.version + 1,
        claimed=True,
        worker_id=worker_id,
        poll_count=item.poll_count + 1,
        started_at=item.started_at or now,
        updated_at=now,
        callback_after_seconds=0,
    )


def put_back(item: WorkItem, output: JsonObject, worker_id: str | None, callback_after_seconds: int, now: datetime) -> WorkItem:
    """Return the attempt back in its queue, hidden for a while, because its worker is not done (IN_PROGRESS)."""
    return replace(
        item,
        version=item.version + 1,
        claimed=False,
        visible_at=now + timedelta(seconds=callback_after_seconds),
        worker_id=worker_id or item.worker_id,
        updated_at=now,
        callback_after_seconds=callback_after_seconds,
        output=output,
    )


def extended(item: WorkItem, now: datetime) -> WorkItem:
    """Return the attempt with its response clock started anew."""
    return replace(item, version=item.version + 1, updated_at=now)


def postponed(item: WorkItem, now: datetime) -> WorkItem:
    """Return the attempt hidden for a while because a limit is reached."""
    return replace(item, version=item.version + 1, visible_at=now + POSTPONED)


def as_worked(task: Task, item: WorkItem) -> Task:
    """Return a task attempt as its worker row tells it. What is recorded in the task itself counts more."""
    if task.output_recorded:
        return task
    told = replace(task, worker_id=item.worker_id, poll_count=item.poll_count, start_time=item.started_at or task.start_time)
    told = replace(told, output=item.output or task.output)
    if task.status.terminal:  # canceled or timed out meanwhile
        return told
    status = TaskStatus.IN_PROGRESS if item.claimed else TaskStatus.SCHEDULED
    moved = item.updated_at or task.update_time
    return replace(told, status=status, update_time=moved, callback_after_seconds=item.callback_after_seconds)


@dataclass(frozen=True)
class LogEntry:
    """A text that a worker wrote about its task."""

    log: str
    at: datetime
