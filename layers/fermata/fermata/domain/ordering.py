"""How an operator's command moves a run (Conductor engine reference, section 7), before the run is advanced."""

from dataclasses import replace
from typing import assert_never

from fermata.domain import commands
from fermata.domain.deciding import Deciding
from fermata.domain.ending import end_workflow
from fermata.domain.errors import Conflict
from fermata.domain.orders.rerun import rerun
from fermata.domain.orders.restart import restart
from fermata.domain.orders.retry import retry
from fermata.domain.orders.skip import skip
from fermata.domain.orders.tasks import accept, add_output, look_at_all, reset_callbacks
from fermata.domain.orders.variables import update_variables
from fermata.domain.status import WorkflowStatus


def obey(deciding: Deciding, command: commands.Command) -> None:  # noqa: C901, PLR0912 - one case a command
    """Apply the command. Raises `Conflict`, `NotFound` or `InvalidRequest` when the run does not allow it."""
    match command:
        case commands.Terminate(reason):
            _terminate(deciding, reason)
        case commands.Pause():
            _pause(deciding)
        case commands.Resume():
            _resume(deciding)
        case commands.Restart():
            restart(deciding, command)
        case commands.Retry():
            retry(deciding, command)
        case commands.Note():
            _note(deciding, command)
        case commands.Accept():
            accept(deciding, command)
        case commands.Rerun():
            rerun(deciding, command)
        case commands.Skip():
            skip(deciding, command)
        case commands.UpdateVariables(values):
            update_variables(deciding, values)
        case commands.AddOutput(task_id, output):
            add_output(deciding, task_id, output)
        case commands.ResetCallbacks():
            reset_callbacks(deciding)
        case commands.LookAtAll():
            look_at_all(deciding)
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
    look_at_all(deciding)  # whatever happened to them meanwhile


def _note(deciding: Deciding, command: commands.Note) -> None:
    task = deciding.task(command.task_id)
    if task is not None and not task.status.terminal:
        deciding.put(replace(task, output=command.output, worker_id=command.worker_id or task.worker_id))
