"""`fermata task`: task definitions, and the tasks of runs with their polls."""

from typing import Any

import click

from fermata_local.cli import arguments
from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.output import reading


@click.group()
def task() -> None:
    """Task definitions, and the tasks of runs."""


@task.command("list")
@reading
def list_() -> Any:
    """Every task definition."""
    return Conductor().get("/metadata/taskdefs")


@task.command()
@click.argument("name")
@reading
def get(name: str) -> Any:
    """The task definition NAME."""
    return Conductor().get(f"/metadata/taskdefs/{part(name)}")


@task.command()
@click.argument("file")
def create(file: str) -> None:
    """Register the task definition in FILE, or all of a JSON list."""
    content = arguments.json_file(file)
    definitions = content if isinstance(content, list) else [content]
    Conductor().post("/metadata/taskdefs", definitions)
    for definition in definitions:
        click.echo(f"Registered {_name(definition)}.")


@task.command()
@click.argument("file")
def update(file: str) -> None:
    """Replace the task definition in FILE, which must exist."""
    definition = arguments.json_file(file)
    Conductor().put("/metadata/taskdefs", definition)
    click.echo(f"Updated {_name(definition)}.")


@task.command()
@click.argument("name")
def delete(name: str) -> None:
    """Remove the task definition NAME."""
    Conductor().delete(f"/metadata/taskdefs/{part(name)}")
    click.echo(f"Deleted {name}.")


@task.command("get-execution")
@click.argument("task_id", metavar="TASKID")
@reading
def get_execution(task_id: str) -> Any:
    """One task of a run."""
    return Conductor().get(f"/tasks/{part(task_id)}")


@task.command()
@click.argument("task_id", metavar="TASKID")
@reading
def polls(task_id: str) -> Any:
    """Every poll that an HTTP_POLL task has made: when it was due, what came back, what was decided."""
    return Conductor().get(f"/tasks/{part(task_id)}/polls")


def _name(definition: Any) -> str:
    if not isinstance(definition, dict):
        raise click.BadParameter("a task definition is a JSON object")
    return str(definition.get("name"))
