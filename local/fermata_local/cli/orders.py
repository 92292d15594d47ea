"""The commands of `fermata workflow` that change the course of a run: retry, restart, rerun, skip-task, delete-execution."""

from typing import Any

import click

from fermata_local.cli import arguments
from fermata_local.cli.conductor import Conductor, part


@click.command()
@click.argument("workflow_id", metavar="ID")
@click.option("--resume-subworkflow-tasks", "resume", is_flag=True, help="Go on inside failed sub-workflows instead of starting new ones.")
def retry(workflow_id: str, resume: bool) -> None:  # noqa: FBT001 - click passes flags by name
    """Go on where an unsuccessful run stopped."""
    Conductor().post(f"/workflow/{part(workflow_id)}/retry", resumeSubworkflowTasks=resume)
    click.echo(f"{workflow_id} retried.")


@click.command()
@click.argument("workflow_id", metavar="ID")
@click.option("--use-latest", is_flag=True, help="With the latest registered definition instead of its own.")
def restart(workflow_id: str, use_latest: bool) -> None:  # noqa: FBT001
    """Begin a finished run again, under the same id."""
    Conductor().post(f"/workflow/{part(workflow_id)}/restart", useLatestDefinitions=use_latest)
    click.echo(f"{workflow_id} restarted.")


@click.command()
@click.argument("workflow_id", metavar="ID")
@click.option("--task-id", help="Run again from this task; from the start without it.")
@click.option("--task-input", metavar="JSON|@FILE", help="That task's input instead of its own.")
@click.option("--workflow-input", metavar="JSON|@FILE", help="The run's input instead of its own.")
@click.option("--correlation-id", help="Another correlation id.")
def rerun(workflow_id: str, task_id: str | None, task_input: str | None, workflow_input: str | None, correlation_id: str | None) -> None:
    """Run a finished run again, from its start or from one of its tasks, and print its id."""
    given = {
        "reRunFromWorkflowId": workflow_id,
        "reRunFromTaskId": task_id,
        "taskInput": _object("--task-input", task_input),
        "workflowInput": _object("--workflow-input", workflow_input),
        "correlationId": correlation_id,
    }
    body = {key: value for key, value in given.items() if value is not None}
    click.echo(Conductor().post(f"/workflow/{part(workflow_id)}/rerun", body))


@click.command("skip-task")
@click.argument("workflow_id", metavar="ID")
@click.argument("reference_name", metavar="REF")
@click.option("--task-input", metavar="JSON|@FILE", help="The input that is shown for it.")
@click.option("--task-output", metavar="JSON|@FILE", help="The output that later tasks may refer to.")
def skip_task(workflow_id: str, reference_name: str, task_input: str | None, task_output: str | None) -> None:
    """Let a running run jump over the task REF, which was not scheduled yet."""
    given = {"taskInput": _object("--task-input", task_input), "taskOutput": _object("--task-output", task_output)}
    body = {key: value for key, value in given.items() if value is not None}
    Conductor().put(f"/workflow/{part(workflow_id)}/skiptask/{part(reference_name)}", body)
    click.echo(f"{reference_name} in {workflow_id} skipped.")


@click.command("delete-execution")
@click.argument("workflow_id", metavar="ID")
@click.option("--archive", "-a", is_flag=True, help="Refuse when the run is not over. (Nothing is archived.)")
def delete_execution(workflow_id: str, archive: bool) -> None:  # noqa: FBT001
    """Forget a run; one that is not over is terminated first, unless --archive is given."""
    Conductor().delete(f"/workflow/{part(workflow_id)}/remove", archiveWorkflow=archive)
    click.echo(f"{workflow_id} deleted.")


def _object(option: str, text: str | None) -> Any:
    if text is None:
        return None
    value = arguments.json_value(text)
    if not isinstance(value, dict):
        raise click.BadParameter("the value is a JSON object", param_hint=option)
    return value


COMMANDS = (retry, restart, rerun, skip_task, delete_execution)
