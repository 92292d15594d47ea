"""The commands of `fermata workflow` that change the course of runs."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from fermata_local.cli import arguments, watch
from fermata_local.cli.conductor import Conductor, Refused, part
from fermata_local.cli.connection import connected
from fermata_local.cli.exits import Exit
from fermata_local.cli.nouns import Verb
from fermata_local.cli.output import reading

_IDS = click.argument("workflow_ids", nargs=-1, required=True, metavar="ID...")
_REASON = click.option("--reason", help="Why; kept in the run's operations log.")
_WATCH = click.option("--watch", "watching", is_flag=True, help="Then follow the run to its end; exit 0 only when it is COMPLETED.")


def _each(ids: Sequence[str], order: Callable[[str], Any], done: str) -> int:
    """Give the order for every run, also after one was refused. Return the exit code of the first refusal."""
    code: int = Exit.OK
    for workflow_id in ids:
        try:
            order(workflow_id)
        except Refused as refused:
            refused.show()
            code = code or refused.exit_code
        else:
            click.echo(f"{workflow_id} {done}.")
    return code


def _then(server: Conductor, ids: Sequence[str], code: int, *, watching: bool) -> int:
    return max(watch.follow(server, each) for each in ids) if watching and code == Exit.OK else code


@click.command(cls=Verb, examples=("fermata workflow pause ID", "fermata workflow pause ID1 ID2"))
@_IDS
@_REASON
@connected
@click.pass_context
def pause(ctx: click.Context, server: Conductor, workflow_ids: tuple[str, ...], reason: str | None) -> None:
    """Let runs go no further until they are resumed."""
    ctx.exit(_each(workflow_ids, lambda each: server.put(f"/workflow/{part(each)}/pause", reason=reason), "paused"))


@click.command(cls=Verb, examples=("fermata workflow resume ID", "fermata workflow resume ID --watch"))
@_IDS
@_REASON
@_WATCH
@connected
@click.pass_context
def resume(ctx: click.Context, server: Conductor, workflow_ids: tuple[str, ...], reason: str | None, *, watching: bool) -> None:
    """Let paused runs go on."""
    code = _each(workflow_ids, lambda each: server.put(f"/workflow/{part(each)}/resume", reason=reason), "resumed")
    ctx.exit(_then(server, workflow_ids, code, watching=watching))


@click.command(cls=Verb, examples=("fermata workflow terminate ID --reason 'ordered twice'", "fermata workflow terminate ID1 ID2"))
@_IDS
@click.option("--reason", help="Why; it is kept with the run.")
@connected
@click.pass_context
def terminate(ctx: click.Context, server: Conductor, workflow_ids: tuple[str, ...], reason: str | None) -> None:
    """End runs as TERMINATED."""
    ctx.exit(_each(workflow_ids, lambda each: server.delete(f"/workflow/{part(each)}", reason=reason), "terminated"))


@click.command(cls=Verb, examples=("fermata workflow retry ID", "fermata workflow retry ID --watch"))
@_IDS
@click.option("--resume-subworkflow-tasks", "resuming", is_flag=True, help="Go on inside failed sub-workflows, start no new ones.")
@_REASON
@_WATCH
@connected
@click.pass_context
def retry(
    ctx: click.Context, server: Conductor, workflow_ids: tuple[str, ...], reason: str | None, *, resuming: bool, watching: bool
) -> None:
    """Go on where unsuccessful runs stopped."""
    asked = {"resumeSubworkflowTasks": resuming, "reason": reason}
    code = _each(workflow_ids, lambda each: server.post(f"/workflow/{part(each)}/retry", **asked), "retried")
    ctx.exit(_then(server, workflow_ids, code, watching=watching))


@click.command(cls=Verb, examples=("fermata workflow restart ID", "fermata workflow restart ID --use-latest --watch"))
@_IDS
@click.option("--use-latest", is_flag=True, help="With the latest registered definition instead of its own.")
@_REASON
@_WATCH
@connected
@click.pass_context
def restart(
    ctx: click.Context, server: Conductor, workflow_ids: tuple[str, ...], reason: str | None, *, use_latest: bool, watching: bool
) -> None:
    """Begin finished runs again, under the same ids."""
    asked = {"useLatestDefinitions": use_latest, "reason": reason}
    code = _each(workflow_ids, lambda each: server.post(f"/workflow/{part(each)}/restart", **asked), "restarted")
    ctx.exit(_then(server, workflow_ids, code, watching=watching))


@click.command(
    cls=Verb,
    examples=("fermata workflow rerun ID", 'fermata workflow rerun ID --task-id TASKID --task-input \'{"dataset": "orders"}\''),
)
@click.argument("workflow_id", metavar="ID")
@click.option("--task-id", help="Run again from this task; from the start without it.")
@click.option("--task-input", metavar="JSON|@FILE", help="That task's input instead of its own.")
@click.option("--workflow-input", metavar="JSON|@FILE", help="The run's input instead of its own.")
@click.option("--correlation-id", help="Another correlation id.")
@_REASON
@_WATCH
@connected
@click.pass_context
def rerun(  # noqa: PLR0913 - one argument for each option
    ctx: click.Context,
    server: Conductor,
    *,
    workflow_id: str,
    task_id: str | None,
    task_input: str | None,
    workflow_input: str | None,
    correlation_id: str | None,
    reason: str | None,
    watching: bool,
) -> None:
    """Run a finished run again, from its start or from one of its tasks, and print its id."""
    given = {
        "reRunFromWorkflowId": workflow_id,
        "reRunFromTaskId": task_id,
        "taskInput": _object("--task-input", task_input),
        "workflowInput": _object("--workflow-input", workflow_input),
        "correlationId": correlation_id,
    }
    body = {key: value for key, value in given.items() if value is not None}
    click.echo(server.post(f"/workflow/{part(workflow_id)}/rerun", body, reason=reason))
    ctx.exit(_then(server, (workflow_id,), Exit.OK, watching=watching))


@click.command("skip-task", cls=Verb, examples=("fermata workflow skip-task ID notify --task-output '{\"sent\": false}'",))
@click.argument("workflow_id", metavar="ID")
@click.argument("reference_name", metavar="REF")
@click.option("--task-input", metavar="JSON|@FILE", help="The input that is shown for it.")
@click.option("--task-output", metavar="JSON|@FILE", help="The output that later tasks may refer to.")
@_REASON
@connected
def skip_task(
    server: Conductor, *, workflow_id: str, reference_name: str, task_input: str | None, task_output: str | None, reason: str | None
) -> None:
    """Let a running run jump over the task REF, which was not scheduled yet."""
    given = {"taskInput": _object("--task-input", task_input), "taskOutput": _object("--task-output", task_output)}
    body = {key: value for key, value in given.items() if value is not None}
    server.put(f"/workflow/{part(workflow_id)}/skiptask/{part(reference_name)}", body, reason=reason)
    click.echo(f"{reference_name} in {workflow_id} skipped.")


@click.command("delete-execution", cls=Verb, examples=("fermata workflow delete-execution ID", "fermata workflow delete-execution -a ID"))
@_IDS
@click.option("--archive", "-a", is_flag=True, help="Refuse when the run is not over. (Nothing is archived.)")
@connected
@click.pass_context
def delete_execution(ctx: click.Context, server: Conductor, workflow_ids: tuple[str, ...], *, archive: bool) -> None:
    """Forget runs; one that is not over is terminated first, unless --archive is given."""
    ctx.exit(_each(workflow_ids, lambda each: server.delete(f"/workflow/{part(each)}/remove", archiveWorkflow=archive), "deleted"))


@click.command(cls=Verb, examples=("fermata workflow operations ID -o table",))
@click.argument("workflow_id", metavar="ID")
@reading
@connected
def operations(server: Conductor, workflow_id: str) -> Any:
    """What was done to a run from outside: when, by whom, and why."""
    return server.records(f"/workflow/{part(workflow_id)}/operations")


def _object(option: str, text: str | None) -> Any:
    return None if text is None else arguments.json_object(option, text)


COMMANDS = (pause, resume, terminate, retry, restart, rerun, skip_task, operations, delete_execution)
