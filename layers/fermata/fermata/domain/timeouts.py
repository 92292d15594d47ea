"""When an open task or run has taken too long, and what then (Conductor engine reference, 3.7 and 5.4)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fermata.domain.definitions import TaskDefinition, TaskTimeoutPolicy, WorkflowDefinition, WorkflowTimeoutPolicy
from fermata.domain.executions import Task, Workflow

RUN_LEASE = timedelta(minutes=5)  # longer than a door may run: what it was handed is lost by then
CHILD_CHECK = timedelta(hours=1)  # how often the sweeper asks whether word between a run and its child got lost
SWEEP_GRACE = timedelta(seconds=60)  # how long an alarm may be late before the sweeper takes it for lost


@dataclass(frozen=True)
class Deadline:
    """The moment at which a task times out. `ends_workflow`: no retry, the run ends TIMED_OUT at once."""

    at: datetime
    ends_workflow: bool
    reason: str


def workflow_deadline(definition: WorkflowDefinition, workflow: Workflow) -> datetime | None:
    """Return when the run times out, or None. Retry and resume restart the clock. ALERT_ONLY never ends a run."""
    if definition.timeout_seconds <= 0 or definition.timeout_policy is WorkflowTimeoutPolicy.ALERT_ONLY:
        return None
    return (workflow.last_retried_time or workflow.create_time) + timedelta(seconds=definition.timeout_seconds)


def task_deadline(definition: TaskDefinition | None, task: Task, *, responds: bool) -> Deadline | None:
    """Return the first deadline that would change something for this open task, or None.

    The clock of `timeoutSeconds` and `responseTimeoutSeconds` starts when the attempt is due. `responds` is false for
    task types that wait for something else by their nature and are exempt from the response timeout.
    """
    if definition is None:
        return None
    candidates = _policy_deadlines(definition, task)
    started = task.due or task.scheduled_time
    if responds and definition.response_timeout_seconds > 0:
        at = started + timedelta(seconds=definition.response_timeout_seconds)
        reason = f"responseTimeoutSeconds ({definition.response_timeout_seconds}) passed without a result"
        candidates.append(Deadline(at, ends_workflow=False, reason=reason))
    return min(candidates, key=lambda deadline: deadline.at, default=None)


def _policy_deadlines(definition: TaskDefinition, task: Task) -> list[Deadline]:
    if definition.timeout_policy is TaskTimeoutPolicy.ALERT_ONLY:
        return []
    ends = definition.timeout_policy is TaskTimeoutPolicy.TIME_OUT_WF
    first = task.first_scheduled_time or task.scheduled_time
    limits = (
        ("totalTimeoutSeconds", definition.total_timeout_seconds, first),
        ("timeoutSeconds", definition.timeout_seconds, task.due or task.scheduled_time),
    )
    return [
        Deadline(since + timedelta(seconds=seconds), ends, f"{name} ({seconds}) passed") for name, seconds, since in limits if seconds > 0
    ]
