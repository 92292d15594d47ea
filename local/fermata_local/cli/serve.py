"""`fermata serve`: the local cloud behind a port, until Ctrl-C."""

import os
from pathlib import Path

import click

from fermata_local.cli.airpipe_files import read_configuration, serve_interfaces
from fermata_local.cli.nouns import Verb


@click.command(
    cls=Verb,
    examples=(
        "fermata serve",
        "fermata serve --clock skip --port 8081",
        "fermata serve --min-poll-interval 2 --event-queue orders",
        "fermata serve --airpipe jobs.yml",
        "fermata serve --auth",
    ),
)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--clock",
    type=click.Choice(["real", "skip"]),
    default="real",
    show_default=True,
    help="skip: jump to the next due time whenever nothing is running.",
)
@click.option("--min-poll-interval", type=click.IntRange(1), metavar="SECONDS", help="The shortest time between two polls (default 60).")
@click.option(
    "--event-queue",
    "event_queues",
    multiple=True,
    metavar="NAME",
    help="Create an SQS queue for sinks and events sqs:NAME. May be repeated.",
)
@click.option(
    "--airpipe",
    "airpipe_files",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Serve an Air Pipe file's interfaces below /airpipe. May be repeated.",
)
@click.option("--auth", is_flag=True, help="Ask clients for a key, as a deployment with ApiAuthorization=KEYS does. Prints a first one.")
def serve(  # noqa: PLR0913 - a command's flags
    port: int,
    host: str,
    clock: str,
    min_poll_interval: int | None,
    event_queues: tuple[str, ...],
    airpipe_files: tuple[Path, ...],
    *,
    auth: bool,
) -> None:
    """Run the deployed functions on this laptop.

    No AWS is involved, and nothing is kept when it stops.
    """
    click.echo("Starting the local cloud...", err=True)
    from fermata_local import server
    from fermata_local.clocks import RealClock, skipping_from_now
    from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud
    from fermata_local.sources import MINUTE

    skips = clock == "skip"
    ours = skipping_from_now() if skips else RealClock()
    every = SKIPPING_SWEEP if skips else MINUTE
    configs = [read_configuration(file) for file in airpipe_files]
    with LocalCloud(ours, min_poll_interval=min_poll_interval, event_queues=event_queues, keys=auth, sweep_every=every) as cloud:
        try:
            listening = server.listen(host, port, cloud.http)
        except server.PortTaken as error:
            raise click.ClickException(str(error)) from error
        for config in configs:
            serve_interfaces(config)
        if auth:
            _show(cloud.first_key())
        cloud.start_pump()
        address = server.address(listening)
        click.echo(f"Fermata listens on {address}/api (clock: {clock}); its web UI is {address}/ui. Stop it with Ctrl-C.", err=True)
        listening.serve_forever()  # werkzeug returns from it at Ctrl-C
        click.echo("Stopped.", err=True)
        # At once: nothing is kept, and a vendor that hangs could hold up an orderly end for minutes.
        os._exit(0)


def _show(key: dict[str, str]) -> None:
    """Print a key as what any Conductor client reads: alone on standard output, so that a shell can take it over."""
    click.echo("Clients need a key. This one is an admin's, and is gone when the server stops:", err=True)
    click.echo(f"export CONDUCTOR_AUTH_KEY={key['keyId']}\nexport CONDUCTOR_AUTH_SECRET={key['keySecret']}")
