"""What follows from a task that is over: a new attempt, its successor, or the end of the run."""

from dataclasses import replace

from fermata.domain.counting import close, tell_joins
from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.ending import end_by_failure, is_permissive
from fermata.domain.executions import Task
from fermata.domain.farewell import let_go
from fermata.domain.flow import unsuffixed
from fermata.domain.retries import retries_allowed
from fermata.domain.scheduling import schedule_retry
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import type_of


def conclude(deciding: Deciding, task: Task) -> None:
    """Draw the consequences of a terminal task: a new attempt, a successor, or the end of the run."""
    step = deciding.step(task)
    look_back_at = let_go(deciding, task)
    _note_failure(deciding, task, step)
    if not task.status.successful:
        if _ends_workflow_at_once(deciding, task) or not _survives(task, step):
            deciding.put(replace(task, due=None, look_at=None))
            close(deciding, task)
            end_by_failure(deciding, task)
            return
        if _may_retry(task, step):
            close(deciding, task)
            schedule_retry(deciding, step, replace(task, look_at=look_back_at))
            return
        if step.optional:
            task = replace(task, status=TaskStatus.COMPLETED_WITH_ERRORS)
    task = replace(task, executed=True, due=None, look_at=look_back_at)
    deciding.put(task)
    close(deciding, task)
    following = deciding.flow.successor(unsuffixed(task.task_reference_name, task.iteration)) if task.step is None else None
    if following is not None:
        deciding.plan(following)
    tell_joins(deciding, task)


def _survives(task: Task, step: WorkflowTask) -> bool:
    """Tell whether the run goes on after this failure: by a retry, or because the step may fail."""
    return _may_retry(task, step) or step.optional or is_permissive(step)


def _may_retry(task: Task, step: WorkflowTask) -> bool:
    return task.status.retriable and type_of(task).may_retry and task.retry_count < retries_allowed(step)


def _ends_workflow_at_once(deciding: Deciding, task: Task) -> bool:
    if task.status is not TaskStatus.TIMED_OUT:
        return False
    deadline = type_of(task).deadline(deciding, task)
    return deadline is not None and deadline.ends_workflow


def _note_failure(deciding: Deciding, task: Task, step: WorkflowTask) -> None:
    run = deciding.workflow
    if is_permissive(step) and not task.status.successful:
        deciding.change(permissive_failures=_with(run.permissive_failures, task.task_reference_name))
    if task.status not in (TaskStatus.FAILED, TaskStatus.FAILED_WITH_TERMINAL_ERROR):
        return
    deciding.change(
        failed_reference_task_names=_with(run.failed_reference_task_names, task.task_reference_name),
        failed_task_names=_with(run.failed_task_names, step.name),
    )


def _with(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return names if name in names else (*names, name)
