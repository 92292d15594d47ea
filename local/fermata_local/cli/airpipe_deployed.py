"""`fermata airpipe deploy`, `interfaces` and `withdraw`: Air Pipe's files on a server, be it deployed or the laptop's."""

from pathlib import Path
from typing import Any

import click

from fermata_local.cli.airpipe_files import read_configuration
from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.connection import connected
from fermata_local.cli.nouns import Verb
from fermata_local.cli.output import reading


@click.command(cls=Verb, examples=("fermata airpipe deploy jobs.yml", "fermata airpipe deploy jobs.yml --query 'interfaces[].path'"))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@reading
@connected
def deploy(server: Conductor, file: Path) -> Any:
    """Serve a file's interfaces on the server.

    They take the place of those of an earlier file with the same `name:`. What changed and what is gone is told. Runs that are under way
    keep what they began with. Safe to repeat; an earlier file is brought back by deploying it. Takes the role admin.
    """
    from fermata_local.airpipe import values_of

    read_configuration(file)  # what is wrong is told here, line by line
    told: Any = server.call("PUT", "/airpipe/configurations", values_of(file))
    for warning in told["warnings"]:
        click.echo(f"warning: {warning}", err=True)
    return told


@click.command(cls=Verb, examples=("fermata airpipe interfaces -o table", "fermata airpipe interfaces --query '[].[method, path]'"))
@reading
@connected
def interfaces(server: Conductor) -> Any:
    """The interfaces that the server serves: where, what each does, and how long it may wait."""
    return server.records("/airpipe/interfaces")


@click.command(cls=Verb, examples=("fermata airpipe withdraw AsyncJobPolling",))
@click.argument("name")
@reading
@connected
def withdraw(server: Conductor, name: str) -> Any:
    """Serve the interfaces of a file no longer; NAME is its `name:`. Runs go on. Takes the role admin."""
    return server.call("DELETE", f"/airpipe/configurations/{part(name)}")
