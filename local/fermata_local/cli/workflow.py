"""`fermata workflow`: definitions, and joins the commands on runs."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from fermata_local.cli import arguments, orders, runs
from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.output import reading


@click.group()
def workflow() -> None:
    """Definitions, and the runs made from them."""


for command in (*runs.COMMANDS, *orders.COMMANDS):
    workflow.add_command(command)


@workflow.command()
@click.argument("file")
@click.option("--force", is_flag=True, help="Accepted for Conductor's sake: an existing version is always replaced.")
def create(file: str, force: bool) -> None:  # noqa: ARG001, FBT001 - click passes flags by name
    """Register the definition in FILE, replacing that version when it exists."""
    definition = arguments.json_file(file)
    warnings = Conductor().warnings("POST", "/metadata/workflow", definition, overwrite=True)
    click.echo(f"Registered {_named(definition)}.")
    _show(warnings)


@workflow.command()
@click.argument("file")
def update(file: str) -> None:
    """Register the definition in FILE, or all of a JSON list."""
    content = arguments.json_file(file)
    definitions = content if isinstance(content, list) else [content]
    result = Conductor().put("/metadata/workflow", definitions) or {}
    errors = result.get("bulkErrorResults") or {}
    if errors:
        raise click.ClickException("\n".join(f"{name}: {message}" for name, message in errors.items()))
    for definition in definitions:
        click.echo(f"Registered {_named(definition)}.")


@workflow.command()
@click.argument("file")
def validate(file: str) -> None:
    """Say what is wrong with the definition in FILE, without registering it.

    Mistakes exit 1. Warnings are about what is allowed and may not be meant: exit 0.
    """
    definition = arguments.json_file(file)
    warnings = Conductor().warnings("POST", "/metadata/workflow/validate", definition)
    click.echo(f"{_named(definition)} is valid.")
    _show(warnings)


@workflow.command("list")
@reading
def list_() -> Any:
    """Every version of every definition."""
    return Conductor().get("/metadata/workflow")


@workflow.command()
@click.argument("name")
@click.argument("version", type=int, required=False)
@reading
def get(name: str, version: int | None) -> Any:
    """The definition NAME, its highest version by default."""
    return Conductor().get(f"/metadata/workflow/{part(name)}", version=version)


@workflow.command()
@click.argument("name")
@click.argument("version", type=int)
def delete(name: str, version: int) -> None:
    """Remove one version of a definition. Runs that began with it go on."""
    Conductor().delete(f"/metadata/workflow/{part(name)}/{version}")
    click.echo(f"Deleted {name} version {version}.")


def _show(warnings: Sequence[Mapping[str, str]]) -> None:
    """Print warnings: not to standard output, where a script looks for results."""
    for warning in warnings:
        click.echo(f"  warning {warning.get('code', '')} {warning.get('path', '')}: {warning.get('message', '')}", err=True)


def _named(definition: Any) -> str:
    if not isinstance(definition, dict):
        raise click.BadParameter("a definition is a JSON object")
    return f"{definition.get('name')} version {definition.get('version', 1)}"
