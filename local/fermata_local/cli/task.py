"""`fermata task`: task definitions, and joins the commands on the tasks of runs."""

from typing import Any

import click

from fermata_local.cli import arguments, attempts
from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.connection import connected
from fermata_local.cli.nouns import Noun
from fermata_local.cli.output import reading
from fermata_local.cli.workflow import matching

_WHAT = "a task definition"


@click.group(
    cls=Noun,
    examples=(
        "fermata task create task.json",
        "fermata task polls TASKID -o table",
        "fermata task signal --workflow-id ID --status COMPLETED",
    ),
)
def task() -> None:
    """Task definitions, and the tasks of runs."""


for command in attempts.COMMANDS:
    task.add_command(command)


@task.command("list", examples=("fermata task list -o table",))
@reading
@connected
def list_(server: Conductor) -> Any:
    """Every task definition."""
    return server.records("/metadata/taskdefs")


@task.command("get-all", examples=("fermata task get-all > backup.json", "fermata task get-all '^billing_'"))
@click.argument("pattern", required=False)
@reading
@connected
def get_all(server: Conductor, pattern: str | None) -> Any:
    """Every task definition whose name matches the regular expression PATTERN; all of them without it."""
    return matching(server.records("/metadata/taskdefs"), pattern)


@task.command(examples=("fermata task get resize",))
@click.argument("name")
@reading
@connected
def get(server: Conductor, name: str) -> Any:
    """The task definition NAME."""
    return server.get(f"/metadata/taskdefs/{part(name)}")


@task.command(examples=("fermata task create task.json", "jq '.retryCount = 5' task.json | fermata task create"))
@click.argument("file", default="-")
@connected
def create(server: Conductor, file: str) -> None:
    """Register the task definition in FILE, or all of a JSON list."""
    definitions = arguments.definition_files(file, _WHAT)
    server.post("/metadata/taskdefs", definitions)
    for definition in definitions:
        click.echo(f"Registered {definition.get('name')}.")


@task.command(examples=("fermata task update task.json",))
@click.argument("file", default="-")
@connected
def update(server: Conductor, file: str) -> None:
    """Replace the task definition in FILE, which must exist."""
    definition = arguments.definition_file(file, _WHAT)
    server.put("/metadata/taskdefs", definition)
    click.echo(f"Updated {definition.get('name')}.")


@task.command(examples=("fermata task delete resize",))
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@connected
def delete(server: Conductor, names: tuple[str, ...]) -> None:
    """Remove task definitions."""
    for name in names:
        server.delete(f"/metadata/taskdefs/{part(name)}")
        click.echo(f"Deleted {name}.")
