"""Restart: the run begins again, under its id and with its input and its variables (Conductor engine reference, 7.3)."""

from fermata.domain.commands import Restart
from fermata.domain.deciding import Deciding
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.status import WorkflowStatus


def restart(deciding: Deciding, command: Restart) -> None:
    """Begin a finished run again."""
    run = deciding.workflow
    if not run.status.terminal:
        raise Conflict(f"Workflow {run.workflow_id} is {run.status}; only a finished workflow can be restarted")
    if run.status is WorkflowStatus.COMPLETED and not deciding.definition.restartable:
        raise NotFound(f"Workflow {run.workflow_id} is COMPLETED and its definition is not restartable")
    forget_every_task(deciding)
    deciding.change(
        definition_key=command.definition_key or run.definition_key,
        workflow_version=command.definition_version or run.workflow_version,
        create_time=deciding.now,
        last_retried_time=None,
    )


def forget_every_task(deciding: Deciding) -> None:
    """Let a run that is over begin anew. Its earlier tasks' rows stay and are no longer part of it."""
    run = deciding.workflow
    deciding.change(
        status=WorkflowStatus.RUNNING,
        generation=run.generation + 1,
        first_generation=run.generation + 1,
        revisited=False,
        end_time=None,
        output={},
        reason_for_incompletion=None,
        failed_task_id=None,
        failed_reference_task_names=(),
        failed_task_names=(),
        permissive_failures=(),
        open_tasks=0,
        open_containers=0,
        waits=(),
        joins={},
        iterations={},
        loop_tasks={},
        newest_iterations={},
        forked=False,
        last_task_id=None,
        tasks_scheduled=0,
        look_at=None,
    )
