"""Air Pipe's files on the command line: what is wrong with one is printed, and ends the command."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fermata.domain.airpipe.actions import Config


def read_configuration(file: Path) -> "Config":
    """Return the configuration. Prints everything that is wrong with it and leaves with 1; with 2 when there is no such file."""
    from fermata.domain.errors import InvalidRequest

    from fermata_local.airpipe import read_file

    try:
        return read_file(file)
    except InvalidRequest as error:
        for line in [violation.message for violation in error.violations] or [str(error)]:
            click.echo(line, err=True)
        raise click.exceptions.Exit(1) from error
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}") from error


def serve_interfaces(config: "Config") -> None:
    """Serve a configuration in the local cloud that is open. Leaves with 1 when another one's interfaces stand in its way."""
    from fermata.domain.errors import RequestError

    from fermata_local.airpipe import publish

    try:
        publish(config)
    except RequestError as error:
        raise click.ClickException(str(error)) from error
