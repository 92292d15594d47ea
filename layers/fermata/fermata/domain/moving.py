"""What may have happened to an open task: its outcome, what its type alone knows, its deadline, the loss of its message."""

from dataclasses import replace

from fermata.domain.deciding import Deciding
from fermata.domain.executions import Task
from fermata.domain.outcomes import Outcome
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.waking import resend


def moved(deciding: Deciding, task: Task) -> Task:
    """Return the task after everything that may have happened to it. One that is over stays as it is."""
    kind = type_of(task)
    if task.status.terminal:
        return task
    if task.task_id in deciding.outcomes and not kind.waits_for_others:
        return _with_outcome(task, deciding.outcomes[task.task_id])
    task = kind.moved(deciding, task)
    if task.status.terminal or kind.waits_for_others:
        return task
    deadline = kind.deadline(deciding, task)
    if deadline and deadline.at <= deciding.now:
        reason = f"Task timed out: {deadline.reason}"
        return replace(task, status=TaskStatus.TIMED_OUT, end_time=deciding.now, reason_for_incompletion=reason)
    if kind.has_runner and task.look_at and task.look_at <= deciding.now:
        resend(deciding, task)
    return task


def _with_outcome(task: Task, outcome: Outcome) -> Task:
    return replace(
        task,
        status=outcome.status,
        output=outcome.output,
        output_recorded=True,
        reason_for_incompletion=outcome.reason,
        start_time=outcome.started_at or task.start_time or outcome.at,
        end_time=outcome.at,
        poll_count=outcome.poll_count,
        worker_id=outcome.worker_id,
    )
