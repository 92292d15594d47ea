"""How a run ends: its open tasks are canceled, its output computed, its reason kept (Conductor engine reference, 3.4 and 3.5)."""

from dataclasses import replace

from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.effects import Send
from fermata.domain.executions import Task
from fermata.domain.farewell import let_go, look_back_at
from fermata.domain.ids import failure_workflow_id
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.messages import StartFailureWorkflow, WakeTask
from fermata.domain.nesting import MAX_LEVELS, deeper_than
from fermata.domain.status import TaskStatus, WorkflowStatus

_STATUS_OF_FAILURE = {TaskStatus.CANCELED: WorkflowStatus.TERMINATED, TaskStatus.TIMED_OUT: WorkflowStatus.TIMED_OUT}


def end_workflow(deciding: Deciding, status: WorkflowStatus, reason: str | None, *, output: JsonObject | None = None) -> None:
    """End the run. `output` is a TERMINATE task's and replaces `outputParameters`."""
    _cancel_open(deciding)
    result = dict(output) if output is not None else _output(deciding)
    _tell_parent(deciding)
    deciding.change(
        status=status,
        reason_for_incompletion=reason,
        output=result,
        end_time=deciding.now,
        look_at=look_back_at(deciding),
        open_tasks=0,
        open_containers=0,
        waits=(),
        joins={},
        loop_tasks={},
    )


def fail_workflow(deciding: Deciding, status: WorkflowStatus, reason: str | None, *, output: JsonObject | None = None) -> None:
    """End the run by what happened in it, not by an order: its failure workflow starts (Conductor engine reference, 3.6)."""
    end_workflow(deciding, status, reason, output=output)
    run = deciding.workflow
    if status is WorkflowStatus.COMPLETED or not deciding.definition.failure_workflow:
        return
    following = failure_workflow_id(run.workflow_id, run.generation)
    deciding.change(output={**run.output, "conductor.failure_workflow": following})
    deciding.emit(Send(StartFailureWorkflow(run.workflow_id), deciding.now))


def end_by_failure(deciding: Deciding, task: Task) -> None:
    """End the run because a task failed for good."""
    status = _STATUS_OF_FAILURE.get(task.status, WorkflowStatus.FAILED)
    reason = _reason(task, status)
    deciding.change(failed_task_id=task.task_id)
    fail_workflow(deciding, status, reason)


def complete(deciding: Deciding) -> None:
    """End a run that has nothing more to do: COMPLETED, or FAILED when a permissive task failed on the way."""
    failures = [_reason(task, task.status) for task in _permissive_failures(deciding)]
    if failures:
        fail_workflow(deciding, WorkflowStatus.FAILED, ". ".join(failures))
    else:
        end_workflow(deciding, WorkflowStatus.COMPLETED, None)


def is_permissive(step: WorkflowTask) -> bool:
    """Tell whether a failure of this step lets the run go on and fails it at the end."""
    return step.permissive and not step.optional


def _permissive_failures(deciding: Deciding) -> list[Task]:
    names = deciding.workflow.permissive_failures
    return [task for task in deciding.records(names) if task and task.status.terminal and not task.status.successful]


def _reason(task: Task, status: TaskStatus | WorkflowStatus) -> str:
    return f"Task {task.task_id} failed with status: {status} and reason: '{_or_null(task.reason_for_incompletion)}'"


def _or_null(reason: str | None) -> str:
    """Return a reason as it stands within another one: without one Conductor writes null."""
    return "null" if reason is None else reason


def _cancel_open(deciding: Deciding) -> None:
    for task in deciding.open_tasks():
        let_go(deciding, task)
        if task.status.terminal:
            deciding.put(replace(task, executed=True, look_at=None))
            continue
        deciding.put(replace(task, status=TaskStatus.CANCELED, end_time=deciding.now, due=None, look_at=None))
    for task in deciding.finished_here():
        if task.status.successful:  # if the run goes on some day, what follows it is started then
            deciding.put(replace(task, executed=True, look_at=None))


def _tell_parent(deciding: Deciding) -> None:
    run = deciding.workflow
    if run.parent_workflow_id and run.parent_workflow_task_id:
        deciding.emit(Send(WakeTask(run.parent_workflow_id, run.parent_workflow_task_id), deciding.now))


def _output(deciding: Deciding) -> dict[str, Json]:
    parameters = deciding.definition.output_parameters
    if parameters:
        resolved = deciding.resolve(parameters, None)
        return dict(resolved) if not deeper_than(resolved, MAX_LEVELS) else {"error": f"nested deeper than {MAX_LEVELS} levels"}
    last = deciding.workflow.last_task_id
    task = deciding.task(last) if last else None
    return dict(task.output) if task else {}
