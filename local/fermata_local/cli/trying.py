"""What the commands that try a definition are told: a FILE or a registered one, and the run's input."""

from collections.abc import Callable
from typing import TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., object])

_OPTIONS = (
    click.argument("file", required=False),
    click.option("--workflow", "-w", "name", help="A registered definition instead of a FILE."),
    click.option("--version", type=int, help="Its version, the highest by default."),
    click.option("--input", "-i", "input_", metavar="JSON|@FILE", help="The run's input."),
)


def trying(command: Command) -> Command:
    """Give a command `file`, `name`, `version` and `input_`, each None when it is not said."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def need_one(file: str | None, name: str | None) -> None:
    """Raises `click.UsageError` unless exactly one of the two is there."""
    if (file is None) == (name is None):
        raise click.UsageError("Name what to try: FILE, or --workflow NAME.")
