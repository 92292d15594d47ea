"""What every use case works with: the ports, and what the operator decided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from fermata.application.access import Access
from fermata.domain.limits import Limits
from fermata.ports import (
    Alarms,
    Clock,
    Definitions,
    DueIndex,
    Evaluator,
    EventExecutions,
    EventHandlers,
    Executions,
    ExternalPayloads,
    HttpClient,
    Ids,
    Operations,
    Pauses,
    Polls,
    RecurringAlarms,
    Schedules,
    Secrets,
    Sinks,
    StateRecords,
    TaskLogs,
    WorkQueue,
)


@dataclass(frozen=True)
class Engine:
    """`min_poll_interval` is the floor of every `pollingInterval`; `environment` holds the names that expressions may read.

    `longest_hold`: no caller waits longer for an answer, whatever it asks for. `worker_hold`: a worker's poll that finds nothing is held
    at least so long, whatever it asks for (not beyond `longest_hold`).
    `access` is None where nobody needs a token. `airpipe_prefix` stands before the path of every interface.
    """

    clock: Clock
    ids: Ids
    definitions: Definitions
    executions: Executions
    polls: Polls
    work: WorkQueue
    task_logs: TaskLogs
    operations: Operations
    state: StateRecords
    schedules: Schedules
    due_index: DueIndex
    alarms: Alarms
    recurring: RecurringAlarms
    http: HttpClient
    evaluator: Evaluator
    secrets: Secrets
    pauses: Pauses
    sinks: Sinks
    event_handlers: EventHandlers
    event_executions: EventExecutions
    external: ExternalPayloads
    min_poll_interval: timedelta = timedelta(seconds=60)
    access: Access | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    longest_hold: timedelta = timedelta(seconds=20)
    worker_hold: timedelta = timedelta(0)
    airpipe_prefix: str = ""
