"""`fermata schedule`: workflows that start by the clock."""

from typing import Any

import click

from fermata_local.cli import arguments
from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.output import reading


@click.group()
def schedule() -> None:
    """Workflows that start by the clock."""


@schedule.command()
@click.argument("file")
def create(file: str) -> None:
    """Save the schedule in FILE, replacing the one of that name."""
    saved = Conductor().post("/scheduler/schedules", arguments.json_file(file))
    click.echo(f"Saved {saved['name']}.")


@schedule.command("list")
@click.option("--workflow", "-w", help="Only those that start this workflow.")
@reading
def list_(workflow: str | None) -> Any:
    """Every schedule."""
    return Conductor().get("/scheduler/schedules", workflowName=workflow)


@schedule.command()
@click.argument("name")
@reading
def get(name: str) -> Any:
    """The schedule NAME, and when it starts something next."""
    return Conductor().get(f"/scheduler/schedules/{part(name)}")


@schedule.command()
@click.argument("name")
def delete(name: str) -> None:
    """Forget a schedule and its records. Runs that it started go on."""
    Conductor().delete(f"/scheduler/schedules/{part(name)}")
    click.echo(f"Deleted {name}.")


@schedule.command()
@click.argument("name")
@click.option("--reason", help="Shown until it is resumed.")
def pause(name: str, reason: str | None) -> None:
    """Let a schedule start nothing for now."""
    Conductor().put(f"/scheduler/schedules/{part(name)}/pause", reason=reason)
    click.echo(f"{name} paused.")


@schedule.command()
@click.argument("name")
def resume(name: str) -> None:
    """Let a paused schedule go on."""
    Conductor().put(f"/scheduler/schedules/{part(name)}/resume")
    click.echo(f"{name} resumed.")


@schedule.command("search-executions")
@click.argument("clauses", metavar="QUERY", required=False)
@click.option("--size", type=int, default=20, show_default=True, help="At most so many.")
@reading
def search_executions(clauses: str | None, size: int) -> Any:
    """What schedules started or could not start, the newest first.

    QUERY is a schedule's name, or clauses such as "state=FAILED AND scheduledTime>1767225600000".
    """
    return Conductor().get("/scheduler/search/executions", query=clauses, size=size)["results"]
