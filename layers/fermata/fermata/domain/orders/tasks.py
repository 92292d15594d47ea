"""Orders about tasks that are not over."""

from dataclasses import replace

from fermata.domain.commands import Accept
from fermata.domain.deciding import Deciding
from fermata.domain.effects import Send
from fermata.domain.errors import Conflict
from fermata.domain.json_value import JsonObject
from fermata.domain.messages import WakeTask
from fermata.domain.status import TaskStatus
from fermata.domain.timeouts import SWEEP_GRACE, task_deadline
from fermata.domain.waking import resend


def look_at_all(deciding: Deciding) -> None:
    """Look at every open task in this decision."""
    deciding.pending += [task.task_id for task in deciding.open_tasks()]


def add_output(deciding: Deciding, task_id: str, output: JsonObject) -> None:
    """Merge into an open task's output. Nothing happens when it is over."""
    task = deciding.task(task_id)
    if task is not None and not task.status.terminal:
        started = task.start_time or deciding.now
        deciding.put(replace(task, status=TaskStatus.IN_PROGRESS, output={**task.output, **output}, start_time=started))


def accept(deciding: Deciding, command: Accept) -> None:
    """Leave a carried out task open for the outside party that ends it; only its deadlines are still watched."""
    task = deciding.task(command.task_id)
    if deciding.workflow.status.terminal or task is None or task.status is not TaskStatus.SCHEDULED:
        return
    deadline = task_deadline(deciding.step(task).task_definition, task, responds=False)
    look_at = deadline.at + SWEEP_GRACE if deadline else None
    if deadline:  # the alarm set at the start may be the response timeout's, which no longer counts
        deciding.emit(Send(WakeTask(task.workflow_id, task.task_id), deadline.at))
    open_task = replace(task, status=TaskStatus.IN_PROGRESS, output=command.output, start_time=command.started_at, look_at=look_at)
    deciding.put(open_task)


def reset_callbacks(deciding: Deciding) -> None:
    """Start delayed attempts of HTTP tasks now (Conductor engine reference, 7). Raises `Conflict` for a run that is over."""
    run = deciding.workflow
    if run.status.terminal:
        raise Conflict(f"Workflow {run.workflow_id} is {run.status}; nothing in it waits any longer")
    for task in deciding.open_tasks():
        if task.task_type == "HTTP" and task.due is not None and task.due > deciding.now:
            now = replace(task, due=deciding.now, callback_after_seconds=0)
            deciding.put(now)
            resend(deciding, now)
