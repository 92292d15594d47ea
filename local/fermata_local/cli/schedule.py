"""`fermata schedule`: workflows that start by the clock."""

from collections.abc import Mapping
from typing import Any

import click
from requests import codes

from fermata_local.cli.conductor import Conductor, Refused, part
from fermata_local.cli.connection import connected
from fermata_local.cli.nouns import Noun
from fermata_local.cli.output import reading
from fermata_local.cli.saving import saved

_AT = "/scheduler/schedules"


@click.group(
    cls=Noun,
    examples=(
        "fermata schedule create -n nightly -c '0 0 3 * * *' -w my_flow",
        "fermata schedule list -o table",
        "fermata schedule search nightly -o table",
    ),
)
def schedule() -> None:
    """Workflows that start by the clock."""


@schedule.command(
    examples=(
        "fermata schedule create schedule.json",
        "fermata schedule create -n nightly -c '0 0 3 * * *' -w my_flow -i '{\"dataset\": \"orders\"}'",
    )
)
@saved
@connected
def create(server: Conductor, wanted: Mapping[str, Any]) -> None:
    """Save a new schedule: that of FILE, or one made of flags. Cron has six fields, seconds first."""
    if _found(server, str(wanted["name"])):
        raise Refused(f"The schedule {wanted['name']} exists. Change it with: fermata schedule update", codes.conflict)
    server.post(_AT, wanted)
    click.echo(f"Saved {wanted['name']}.")


@schedule.command(examples=("fermata schedule update schedule.json", "fermata schedule update -n nightly -c '0 30 3 * * *' -w my_flow"))
@saved
@connected
def update(server: Conductor, wanted: Mapping[str, Any]) -> None:
    """Replace a schedule, which must exist: by that of FILE, or by one made of flags."""
    if not _found(server, str(wanted["name"])):
        raise Refused(f"No such schedule: {wanted['name']}. Make it with: fermata schedule create", codes.not_found)
    server.post(_AT, wanted)
    click.echo(f"Saved {wanted['name']}.")


def _found(server: Conductor, name: str) -> Any:
    """Return the schedule, nothing when it is absent: 404, and an empty answer from older servers."""
    try:
        return server.get(f"{_AT}/{part(name)}")
    except Refused as refused:
        if refused.status != codes.not_found:
            raise
        return None


@schedule.command("list", examples=("fermata schedule list -o table", "fermata schedule list -w my_flow"))
@click.option("--workflow", "-w", help="Only those that start this workflow.")
@reading
@connected
def list_(server: Conductor, workflow: str | None) -> Any:
    """Every schedule."""
    return server.records(_AT, workflowName=workflow)


@schedule.command(examples=("fermata schedule get nightly", "fermata schedule get nightly --query nextRunTime"))
@click.argument("name")
@reading
@connected
def get(server: Conductor, name: str) -> Any:
    """The schedule NAME, and when it starts something next."""
    found = _found(server, name)
    if not found:
        raise Refused(f"No such schedule: {name}. List them with: fermata schedule list -o table", codes.not_found)
    return found


@schedule.command(examples=("fermata schedule delete nightly",))
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@connected
def delete(server: Conductor, names: tuple[str, ...]) -> None:
    """Forget schedules and their records. Runs that they started go on."""
    for name in names:
        server.delete(f"{_AT}/{part(name)}")
        click.echo(f"Deleted {name}.")


@schedule.command(examples=("fermata schedule pause nightly --reason 'the vendor moves house'",))
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--reason", help="Shown until it is resumed.")
@connected
def pause(server: Conductor, names: tuple[str, ...], reason: str | None) -> None:
    """Let schedules start nothing for now."""
    for name in names:
        _turn(server, f"{_AT}/{part(name)}/pause", reason=reason)
        click.echo(f"{name} paused.")


@schedule.command(examples=("fermata schedule resume nightly",))
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@connected
def resume(server: Conductor, names: tuple[str, ...]) -> None:
    """Let paused schedules go on."""
    for name in names:
        _turn(server, f"{_AT}/{part(name)}/resume")
        click.echo(f"{name} resumed.")


def _turn(server: Conductor, path: str, **params: Any) -> None:
    """Send what some servers take as PUT and others as GET, as Conductor's SDKs do."""
    try:
        server.put(path, **params)
    except Refused as refused:
        if refused.status != codes.method_not_allowed:
            raise
        server.get(path, **params)


@schedule.command(
    examples=(
        "fermata schedule search nightly -o table",
        "fermata schedule search -s FAILED -c 50",
        "fermata schedule search 'state=FAILED AND scheduledTime>1767225600000'",
    )
)
@click.argument("clauses", metavar="QUERY", required=False)
@click.option("--workflow", "-w", help="Starts of this workflow.")
@click.option("--status", "-s", help="POLLED, EXECUTED or FAILED; several with commas.")
@click.option("--count", "-c", type=click.IntRange(1), default=10, show_default=True, help="At most so many.")
@reading
@connected
def search(server: Conductor, *, clauses: str | None, workflow: str | None, status: str | None, count: int) -> Any:
    """What schedules started or could not start, the newest first.

    QUERY is a schedule's name, or clauses as in the last example.
    """
    wanted = [clauses, f"workflowName={workflow}" if workflow else None, f"state IN ({status})" if status else None]
    query = " AND ".join(clause for clause in wanted if clause) or None
    return server.page("/scheduler/search/executions", start=0, size=count, freeText="*", sort="startTime:DESC", query=query)
