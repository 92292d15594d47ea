"""`fermata key`: the access keys of a server that asks for them."""

import functools
from collections.abc import Callable
from typing import Any

import click

from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.connection import connected
from fermata_local.cli.direct import Function
from fermata_local.cli.nouns import Noun
from fermata_local.cli.output import reading

_ONCE = "The secret is shown this once: keep it now."
_HOUR = 3600


@click.group(
    cls=Noun,
    examples=(
        "fermata key create render-workers --role operator --expires-in-days 365",
        "fermata key --function fermata-api create first --role admin",
        "fermata key list -o table",
    ),
)
@click.option(
    "--function",
    metavar="NAME",
    help="Ask the api function of a deployed stack itself (its output ApiFunctionName), with your AWS credentials.",
)
@click.pass_context
def key(context: click.Context, function: str | None) -> None:
    """Access keys: who may use the server, and as what.

    A reader looks; an operator also starts and steers runs and works for them; an admin also registers definitions, removes runs
    and keeps keys. The first key of a fresh deployment is made with --function.
    """
    context.obj = Function(function) if function else None


def _asking(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command whom to ask as its first argument: the function that `--function` names, else the server."""

    @connected
    @functools.wraps(command)
    def wrapped(server: Conductor, *args: Any, **kwargs: Any) -> Any:
        return command(click.get_current_context().obj or server, *args, **kwargs)

    return wrapped


@key.command(examples=("fermata key create ci --role operator --expires-in-days 30",))
@click.argument("name")
@click.option("--role", type=click.Choice(["reader", "operator", "admin"]), required=True)
@click.option("--expires-in-days", type=click.IntRange(1), metavar="DAYS", help="When it ends by itself. Never, if you leave it out.")
@reading
@_asking
def create(server: Conductor | Function, name: str, role: str, expires_in_days: int | None) -> Any:
    """Make a key; NAME says what it is for."""
    end = {} if expires_in_days is None else {"expiresInDays": expires_in_days}
    made = server.call("POST", "/keys", {"name": name, "role": role, **end})
    click.echo(_ONCE, err=True)
    return made


@key.command("list", examples=("fermata key list -o table",))
@reading
@_asking
def list_(server: Conductor | Function) -> Any:
    """Every key, oldest first."""
    return server.call("GET", "/keys")


@key.command(examples=("fermata key rotate KEYID --grace-hours 24",))
@click.argument("key_id", metavar="KEYID")
@click.option("--grace-hours", type=click.IntRange(0), default=0, show_default=True, help="How long the old secret stays good as well.")
@reading
@_asking
def rotate(server: Conductor | Function, key_id: str, grace_hours: int) -> Any:
    """Give a key a new secret."""
    made = server.call("POST", f"/keys/{part(key_id)}/rotate", {"graceSeconds": grace_hours * _HOUR})
    click.echo(_ONCE, err=True)
    return made


@key.command(examples=("fermata key disable KEYID",))
@click.argument("key_id", metavar="KEYID")
@_asking
def disable(server: Conductor | Function, key_id: str) -> None:
    """Close the API to a key, and to tokens got with it."""
    server.call("PUT", f"/keys/{part(key_id)}/disable")
    click.echo(f"Disabled {key_id}.")


@key.command(examples=("fermata key enable KEYID",))
@click.argument("key_id", metavar="KEYID")
@_asking
def enable(server: Conductor | Function, key_id: str) -> None:
    """Let a disabled key in again."""
    server.call("PUT", f"/keys/{part(key_id)}/enable")
    click.echo(f"Enabled {key_id}.")


@key.command(examples=("fermata key delete KEYID",))
@click.argument("key_id", metavar="KEYID")
@_asking
def delete(server: Conductor | Function, key_id: str) -> None:
    """Forget a key for good."""
    server.call("DELETE", f"/keys/{part(key_id)}")
    click.echo(f"Deleted {key_id}.")
