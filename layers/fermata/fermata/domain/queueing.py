"""SIMPLE: how an attempt gets into a workers' queue, and what becomes of it there (Conductor engine reference, 5.4, 5.5 and 8.4)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from fermata.domain.deciding import Deciding
from fermata.domain.definitions import TaskDefinition, TaskTimeoutPolicy, WorkflowTask
from fermata.domain.effects import Dequeue, Effect, Enqueue, Send
from fermata.domain.executions import Task
from fermata.domain.messages import WakeTask
from fermata.domain.status import TaskStatus
from fermata.domain.timeouts import SWEEP_GRACE, Deadline
from fermata.domain.working import WorkItem, WorkLimits, as_worked, deadline, queue_name

ACTIVE = timedelta(seconds=10)  # a domain counts as served so long after its last poll
NO_DOMAIN = "NO_DOMAIN"
ANY_TYPE = "*"


def enqueue(deciding: Deciding, step: WorkflowTask, task: Task) -> None:
    """Leave the attempt to the workers of its queue."""
    queue = queue_name(task.task_type, _domain(deciding, task.task_type))
    item = WorkItem(
        task_id=task.task_id,
        workflow_id=task.workflow_id,
        task_name=task.task_def_name,
        queue=queue,
        visible_at=task.due or deciding.now,
        limits=_limits(step.task_definition, task) if step.task_definition else WorkLimits(),
        callback_after_seconds=task.callback_after_seconds,
    )
    queued = replace(task, queue=queue, start_delay_in_seconds=task.callback_after_seconds)
    deciding.put(queued)
    deciding.emit(Enqueue(item))
    _arm(deciding, queued, deadline(item))


def moved(deciding: Deciding, task: Task) -> Task:
    """Return an open attempt as it is now: unchanged, or timed out. A deadline that has moved gets a new alarm."""
    if _is_queued_here(deciding, task):
        return task
    item, limit = deciding.work_item(task.task_id), deadline_of(deciding, task)
    if item is None or limit is None:
        return task
    if limit.at > deciding.now:
        return _arm(deciding, task, limit)
    reason = f"Task timed out: {limit.reason}"
    return replace(as_worked(task, item), status=TaskStatus.TIMED_OUT, end_time=deciding.now, reason_for_incompletion=reason)


def deadline_of(deciding: Deciding, task: Task) -> Deadline | None:
    """Return the first deadline of an attempt as its worker row has it."""
    if _is_queued_here(deciding, task):
        return None
    item = deciding.work_item(task.task_id)
    return deadline(item) if item else None


def let_go(deciding: Deciding, task: Task) -> Iterable[Effect]:  # noqa: ARG001 - the signature of a task type's `let_go`
    """Take the attempt away from the workers."""
    return (Dequeue(task.workflow_id, task.task_id),) if task.queue is not None else ()


def _is_queued_here(deciding: Deciding, task: Task) -> bool:
    """Tell whether this very decision has queued an open attempt: its row does not stand yet."""
    return not task.status.terminal and deciding.has_changed(task.task_id)


def _arm(deciding: Deciding, task: Task, limit: Deadline | None) -> Task:
    """Set an alarm for the deadline unless the task's look-at says that it is set."""
    if limit is None or task.look_at == limit.at + SWEEP_GRACE:
        return task
    armed = replace(task, look_at=limit.at + SWEEP_GRACE)
    deciding.put(armed)
    deciding.emit(Send(WakeTask(task.workflow_id, task.task_id), limit.at))
    return armed


def _limits(definition: TaskDefinition, task: Task) -> WorkLimits:
    policy, first = definition.timeout_policy, task.first_scheduled_time or task.scheduled_time
    acts = policy is not TaskTimeoutPolicy.ALERT_ONLY
    total = definition.total_timeout_seconds if acts else 0
    return WorkLimits(
        total_deadline=first + timedelta(seconds=total) if total > 0 else None,
        timeout_seconds=definition.timeout_seconds if acts else 0,
        poll_timeout_seconds=(definition.poll_timeout_seconds or 0) if acts else 0,
        response_timeout_seconds=definition.response_timeout_seconds,
        ends_workflow=policy is TaskTimeoutPolicy.TIME_OUT_WF,
        concurrent=definition.concurrent_exec_limit or 0,
        rate=definition.rate_limit_per_frequency,
        rate_seconds=definition.rate_limit_frequency_in_seconds,
    )


def _domain(deciding: Deciding, task_type: str) -> str | None:
    """Return the run's first domain for the type that workers poll; the last one when they poll none."""
    mapping = deciding.workflow.task_to_domain
    given = mapping.get(task_type) or mapping.get(ANY_TYPE) or ""
    named = [name.strip() for name in given.split(",") if name.strip()]
    if not named:
        return None
    last = None if named[-1].upper() == NO_DOMAIN else named[-1]
    choices = [name for name in named if name.upper() != NO_DOMAIN]
    if choices in ([], [last]):
        return last
    polls = deciding.last_polls(frozenset(queue_name(task_type, name) for name in choices))
    served = (name for name in choices if (at := polls.get(queue_name(task_type, name))) and deciding.now - at <= ACTIVE)
    return next(served, last)
