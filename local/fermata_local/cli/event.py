"""`fermata event`: event handlers, and what came of events."""

from typing import Any

import click
from requests import codes

from fermata_local.cli import arguments
from fermata_local.cli.conductor import Conductor, Refused, part
from fermata_local.cli.connection import connected
from fermata_local.cli.nouns import Noun
from fermata_local.cli.output import reading

_WHAT = "an event handler"


@click.group(cls=Noun, examples=("fermata event create handler.json", "fermata event list -o table"))
def event() -> None:
    """Event handlers: what a message in a queue or on a bus starts, ends or changes."""


@event.command("list", examples=("fermata event list -o table", "fermata event list --event sqs:orders --all"))
@click.option("--event", "of_event", metavar="EVENT", help="Only the active handlers of this event, such as sqs:orders.")
@click.option("--all", "also_inactive", is_flag=True, help="With --event: those that are switched off, too.")
@reading
@connected
def list_(server: Conductor, *, of_event: str | None, also_inactive: bool) -> Any:
    """Every event handler."""
    if of_event is None:
        return server.records("/event")
    return server.records(f"/event/{part(of_event)}", activeOnly=not also_inactive)


@event.command(examples=("fermata event get on_order > handler.json",))
@click.argument("name")
@reading
@connected
def get(server: Conductor, name: str) -> Any:
    """The event handler NAME."""
    for handler in server.records("/event"):  # Conductor has no request for one
        if handler.get("name") == name:
            return handler
    raise Refused(f"No such event handler: {name}. List them with: fermata event list -o table", codes.not_found)


@event.command(examples=("fermata event create handler.json",))
@click.argument("file", default="-")
@connected
def create(server: Conductor, file: str) -> None:
    """Register the event handler in FILE, which must be new."""
    handler = arguments.definition_file(file, _WHAT)
    server.post("/event", handler)
    click.echo(f"Registered {handler.get('name')}.")


@event.command(examples=("fermata event update handler.json",))
@click.argument("file", default="-")
@connected
def update(server: Conductor, file: str) -> None:
    """Replace the event handler in FILE, which must exist."""
    handler = arguments.definition_file(file, _WHAT)
    server.put("/event", handler)
    click.echo(f"Updated {handler.get('name')}.")


@event.command(examples=("fermata event delete on_order",))
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@connected
def delete(server: Conductor, names: tuple[str, ...]) -> None:
    """Remove event handlers."""
    for name in names:
        server.delete(f"/event/{part(name)}")
        click.echo(f"Deleted {name}.")


@event.command(examples=("fermata event executions sqs:orders -o table",))
@click.argument("of_event", metavar="EVENT")
@click.option("--count", "-c", type=click.IntRange(1, 100), default=20, show_default=True, help="At most so many.")
@reading
@connected
def executions(server: Conductor, of_event: str, count: int) -> Any:
    """What came of an event's messages, newest first. Only Fermata tells."""
    return server.records(f"/event/executions/{part(of_event)}", size=count)
