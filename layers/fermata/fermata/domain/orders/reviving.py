"""Letting a run that was over go on: its own fields, and the tasks that only wait for others, which are opened again in place."""

from collections.abc import Iterable
from dataclasses import replace

from fermata.domain.counting import open_up
from fermata.domain.deciding import Deciding
from fermata.domain.effects import Send
from fermata.domain.executions import Task
from fermata.domain.flow import JOINS, LOOP
from fermata.domain.messages import WakeTask
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.timeouts import task_deadline


def go_on(deciding: Deciding) -> None:
    """Let a run that is over run again with what it has. Its timeout's clock starts anew."""
    deciding.change(
        status=WorkflowStatus.RUNNING,
        end_time=None,
        last_retried_time=deciding.now,
        reason_for_incompletion=None,
        failed_task_id=None,
        output={},
        failed_reference_task_names=(),
        failed_task_names=(),
        permissive_failures=(),
        revisited=True,
    )


def waits_for_others(task: Task) -> bool:
    """Tell whether a task is revived in place instead of being tried again as a new attempt."""
    return type_of(task).waits_for_others


def is_unsuccessful(task: Task) -> bool:
    """Tell whether this is a newest attempt that failed, timed out or was canceled."""
    return task.status.terminal and not task.status.successful and not task.retried


def revive(deciding: Deciding, task: Task) -> None:
    """Open a task that waits for others, or for its child, again. A loop goes on in its iteration."""
    output = task.output if task.task_type == LOOP else {}
    again = replace(
        task,
        status=TaskStatus.IN_PROGRESS,
        # A task whose child goes on has not been tried again: its own retries are not used up by that (7.9).
        retry_count=task.retry_count if task.sub_workflow_id else task.retry_count + 1,
        executed=False,
        output=output,
        reason_for_incompletion=None,
        end_time=None,
        look_at=None,
        due=deciding.now if task.sub_workflow_id else None,  # from when on its child may take its time
    )
    deadline = task_deadline(deciding.step(task).task_definition, again, responds=False) if again.due else None
    if deadline is not None:
        deciding.emit(Send(WakeTask(task.workflow_id, task.task_id), deadline.at))
    deciding.put(again)
    open_up(deciding, again)
    deciding.pending.append(task.task_id)


def count_awaited(deciding: Deciding, revived: Iterable[Task]) -> None:
    """Count what each revived JOIN awaits, once everything else is as it shall be."""
    for task in revived:
        if task.task_type in JOINS:
            now = deciding.task(task.task_id) or task  # what it awaits may have changed: a SWITCH that was tried again has chosen
            deciding.change(joins={**deciding.workflow.joins, task.task_reference_name: awaited(deciding, now)})


def awaited(deciding: Deciding, join: Task) -> int:
    """Return how many of the tasks that an open JOIN names the flow has not passed. An EXCLUSIVE_JOIN does not count."""
    if join.task_type == "EXCLUSIVE_JOIN":
        return 0
    return sum(1 for found in deciding.records(join.input.get("joinOn", ())) if found is None or not found.executed)
