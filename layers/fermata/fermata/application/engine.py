"""What every use case works with: the ports, and what the operator decided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from fermata.domain.limits import Limits
from fermata.ports import Alarms, Clock, Definitions, DueIndex, Evaluator, Executions, HttpClient, Ids, Polls, Secrets, TaskLogs, WorkQueue


@dataclass(frozen=True)
class Engine:
    """`min_poll_interval` is the floor of every `pollingInterval`; `environment` holds the names that expressions may read."""

    clock: Clock
    ids: Ids
    definitions: Definitions
    executions: Executions
    polls: Polls
    work: WorkQueue
    task_logs: TaskLogs
    due_index: DueIndex
    alarms: Alarms
    http: HttpClient
    evaluator: Evaluator
    secrets: Secrets
    min_poll_interval: timedelta = timedelta(seconds=60)
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
