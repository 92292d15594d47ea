"""How an operator's command moves a run (Conductor engine reference, section 7), before the run is advanced."""

from dataclasses import replace
from typing import assert_never

from fermata.domain.commands import Command, Note, Pause, Restart, Resume, Retry, Terminate
from fermata.domain.deciding import Deciding
from fermata.domain.effects import ClosePoll
from fermata.domain.ending import end_workflow
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.executions import Task
from fermata.domain.scheduling import schedule_retry
from fermata.domain.status import WorkflowStatus


def obey(deciding: Deciding, command: Command) -> None:
    """Apply the command. Raises `Conflict` or `NotFound` when the run's status does not allow it."""
    match command:
        case Terminate(reason):
            _terminate(deciding, reason)
        case Pause():
            _pause(deciding)
        case Resume():
            _resume(deciding)
        case Restart():
            _restart(deciding, command)
        case Retry():
            _retry(deciding)
        case Note():
            _note(deciding, command)
        case _ as never:
            assert_never(never)


def _terminate(deciding: Deciding, reason: str | None) -> None:
    run = deciding.workflow
    if run.status is WorkflowStatus.COMPLETED:
        raise Conflict(f"Workflow {run.workflow_id} is COMPLETED and cannot be terminated")
    if run.status is not WorkflowStatus.TERMINATED:
        end_workflow(deciding, WorkflowStatus.TERMINATED, reason)


def _pause(deciding: Deciding) -> None:
    run = deciding.workflow
    if run.status.terminal:
        raise Conflict(f"Workflow {run.workflow_id} is {run.status} and cannot be paused")
    deciding.change(status=WorkflowStatus.PAUSED)


def _resume(deciding: Deciding) -> None:
    run = deciding.workflow
    if run.status is not WorkflowStatus.PAUSED:
        raise Conflict(f"Workflow {run.workflow_id} is {run.status}; only a PAUSED workflow can be resumed")
    deciding.change(status=WorkflowStatus.RUNNING, last_retried_time=deciding.now)
    deciding.pending += [task.task_id for task in deciding.open_tasks()]  # whatever happened to them meanwhile


def _restart(deciding: Deciding, command: Restart) -> None:
    run = deciding.workflow
    if not run.status.terminal:
        raise Conflict(f"Workflow {run.workflow_id} is {run.status}; only a finished workflow can be restarted")
    if run.status is WorkflowStatus.COMPLETED and not deciding.definition.restartable:
        raise NotFound(f"Workflow {run.workflow_id} is COMPLETED and its definition is not restartable")
    deciding.change(
        status=WorkflowStatus.RUNNING,
        definition_key=command.definition_key or run.definition_key,
        workflow_version=command.definition_version or run.workflow_version,
        generation=run.generation + 1,
        create_time=deciding.now,
        end_time=None,
        last_retried_time=None,
        output={},
        reason_for_incompletion=None,
        failed_task_id=None,
        failed_reference_task_names=(),
        failed_task_names=(),
        open_tasks=0,
        open_containers=0,
        joins={},
        iterations={},
        loop_tasks={},
        newest_iterations={},
        forked=False,
        last_task_id=None,
        tasks_scheduled=0,
        look_at=None,
    )


def _retry(deciding: Deciding) -> None:
    run = deciding.workflow
    if not run.status.terminal:
        raise NotFound(f"Workflow {run.workflow_id} is {run.status}; only a finished workflow can be retried")
    failed = [task for task in deciding.all_tasks() if _retryable(task)]
    if not failed and run.status is not WorkflowStatus.TIMED_OUT:
        raise Conflict(f"Workflow {run.workflow_id} has no failed task to retry; restart it to run it again")
    deciding.change(
        status=WorkflowStatus.RUNNING,
        end_time=None,
        last_retried_time=deciding.now,
        reason_for_incompletion=None,
        output={},
        failed_reference_task_names=(),
        failed_task_names=(),
    )
    for task in failed:
        if task.task_type == "HTTP_POLL":
            deciding.emit(ClosePoll(task.task_id))
        schedule_retry(deciding, deciding.step(task), task, delayed=False)


def _note(deciding: Deciding, command: Note) -> None:
    task = deciding.task(command.task_id)
    if task is not None and not task.status.terminal:
        deciding.put(replace(task, output=command.output, worker_id=command.worker_id or task.worker_id))


def _retryable(task: Task) -> bool:
    return task.status.terminal and not task.status.successful and not task.retried
