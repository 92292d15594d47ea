"""`fermata workflow`: definitions, and joins the commands on runs."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import click
from requests import codes

from fermata_local.cli import arguments, orders, runs
from fermata_local.cli.conductor import Conductor, Refused, part
from fermata_local.cli.connection import connected
from fermata_local.cli.dry import dry_run
from fermata_local.cli.exits import Exit
from fermata_local.cli.nouns import Noun
from fermata_local.cli.output import reading

_WHAT = "a workflow definition"


@click.group(
    cls=Noun,
    examples=(
        "fermata workflow create flow.json",
        "fermata workflow start -w my_flow -i @input.json --watch",
        "fermata workflow search -s FAILED -o table",
    ),
)
def workflow() -> None:
    """Definitions, and the runs made from them."""


for command in (*runs.COMMANDS, *orders.COMMANDS, dry_run):
    workflow.add_command(command)


@workflow.command(examples=("fermata workflow create flow.json", "jq '.version = 2' flow.json | fermata workflow create"))
@click.argument("file", default="-")
@click.option("--force", is_flag=True, help="Accepted for Conductor's sake: an existing version is always replaced.")
@connected
def create(server: Conductor, file: str, *, force: bool) -> None:  # noqa: ARG001
    """Register the definition in FILE, replacing that version when it exists. Without FILE it is read from standard input."""
    definition = arguments.definition_file(file, _WHAT)
    warnings = server.warnings("POST", "/metadata/workflow", definition, overwrite=True)
    click.echo(f"Registered {_named(definition)}.")
    _show(warnings)


@workflow.command(examples=("fermata workflow update flow.json", "fermata workflow update all-flows.json"))
@click.argument("file", default="-")
@connected
def update(server: Conductor, file: str) -> None:
    """Register the definition in FILE, or all of a JSON list."""
    definitions = arguments.definition_files(file, _WHAT)
    result = server.put("/metadata/workflow", definitions)
    errors = result.get("bulkErrorResults") if isinstance(result, Mapping) else None
    if errors:
        raise Refused("\n".join(f"{name}: {message}" for name, message in errors.items()), codes.bad_request)
    for definition in definitions:
        click.echo(f"Registered {_named(definition)}.")


@workflow.command(examples=("fermata workflow validate flow.json",))
@click.argument("file", default="-")
@connected
@click.pass_context
def validate(ctx: click.Context, server: Conductor, file: str) -> None:
    """Say what is wrong with the definition in FILE, without registering it.

    Mistakes exit 1. Warnings are about what is allowed and may not be meant: exit 0.
    """
    definition = arguments.definition_file(file, _WHAT)
    try:
        warnings = server.warnings("POST", "/metadata/workflow/validate", definition)
    except Refused as refused:
        if refused.status != codes.bad_request:
            raise
        refused.show()
        ctx.exit(Exit.NOT_COMPLETED)
    click.echo(f"{_named(definition)} is valid.")
    _show(warnings)


@workflow.command("list", examples=("fermata workflow list -o table", "fermata workflow list --query '[].name'"))
@reading
@connected
def list_(server: Conductor) -> Any:
    """Every version of every definition."""
    return server.records("/metadata/workflow")


@workflow.command("get-all", examples=("fermata workflow get-all > backup.json", "fermata workflow get-all '^billing_'"))
@click.argument("pattern", required=False)
@reading
@connected
def get_all(server: Conductor, pattern: str | None) -> Any:
    """Every definition whose name matches the regular expression PATTERN; all of them without it."""
    return matching(server.records("/metadata/workflow"), pattern)


@workflow.command(examples=("fermata workflow get my_flow", "fermata workflow get my_flow 2 > flow.json"))
@click.argument("name")
@click.argument("version", type=int, required=False)
@reading
@connected
def get(server: Conductor, name: str, version: int | None) -> Any:
    """The definition NAME, its highest version by default."""
    return server.get(f"/metadata/workflow/{part(name)}", version=version)


@workflow.command(examples=("fermata workflow delete my_flow 2",))
@click.argument("name")
@click.argument("version", type=int)
@connected
def delete(server: Conductor, name: str, version: int) -> None:
    """Remove one version of a definition. Runs that began with it go on."""
    server.delete(f"/metadata/workflow/{part(name)}/{version}")
    click.echo(f"Deleted {name} version {version}.")


def matching(definitions: Sequence[Any], pattern: str | None) -> list[Any]:
    """Return the definitions whose name has the pattern in it. Raises `click.BadParameter` for one that is none."""
    try:
        wanted = re.compile(pattern or "")
    except re.error as error:
        raise click.BadParameter(f"{pattern} is no regular expression: {error}", param_hint="PATTERN") from error
    return [each for each in definitions if isinstance(each, Mapping) and wanted.search(str(each.get("name", "")))]


def _show(warnings: Sequence[Mapping[str, str]]) -> None:
    """Print warnings: not to standard output, where a script looks for results."""
    for warning in warnings:
        click.echo(f"  warning {warning.get('code', '')} {warning.get('path', '')}: {warning.get('message', '')}", err=True)


def _named(definition: Mapping[str, Any]) -> str:
    return f"{definition.get('name')} version {definition.get('version', 1)}"
