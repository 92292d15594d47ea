"""Orders about tasks that are not over."""

from dataclasses import replace

from fermata.domain.deciding import Deciding
from fermata.domain.errors import Conflict
from fermata.domain.json_value import JsonObject
from fermata.domain.scheduling import resend
from fermata.domain.status import TaskStatus


def look_at_all(deciding: Deciding) -> None:
    """Look at every open task in this decision."""
    deciding.pending += [task.task_id for task in deciding.open_tasks()]


def add_output(deciding: Deciding, task_id: str, output: JsonObject) -> None:
    """Merge into an open task's output. Nothing happens when it is over."""
    task = deciding.task(task_id)
    if task is not None and not task.status.terminal:
        started = task.start_time or deciding.now
        deciding.put(replace(task, status=TaskStatus.IN_PROGRESS, output={**task.output, **output}, start_time=started))


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
