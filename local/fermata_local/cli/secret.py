"""`fermata secret`: the names that definitions may use as `${workflow.secrets.NAME}`."""

from typing import Any

import click

from fermata_local.cli.conductor import Conductor
from fermata_local.cli.connection import connected
from fermata_local.cli.nouns import Noun
from fermata_local.cli.output import reading


@click.group(cls=Noun, examples=("fermata secret list",))
def secret() -> None:
    """Secrets, by name. Their values are never shown."""


@secret.command("list", examples=("fermata secret list", "fermata secret list -o table"))
@reading
@connected
def list_(server: Conductor) -> Any:
    """The names of the server's secrets."""
    return server.records("/secrets")
