"""`fermata airpipe`: run Air Pipe's files on this laptop, and say what they will do."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fermata_local.cli.airpipe_deployed import deploy, interfaces, withdraw
from fermata_local.cli.airpipe_files import read_configuration, serve_interfaces
from fermata_local.cli.nouns import Noun, Verb

if TYPE_CHECKING:
    from fermata.domain.airpipe.actions import Config

    from fermata_local.cloud import LocalCloud

PORT = 44111  # where the pack's demo calls itself
_FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
_CLOCK = click.option(
    "--clock",
    type=click.Choice(["real", "skip"]),
    default="real",
    show_default=True,
    help="skip: jump to the next due time whenever nothing is running.",
)


@click.group(cls=Noun, examples=("fermata airpipe check jobs.yml", "fermata airpipe serve demo.yml", "fermata airpipe deploy jobs.yml"))
def airpipe() -> None:
    """Run Air Pipe configurations: interfaces that submit a job, poll for it, and are parked in between."""


@airpipe.command(cls=Verb, examples=("fermata airpipe check jobs.yml",))
@_FILE
def check(file: Path) -> None:
    """Say what a file will do: endpoints, waits, ceilings, and what each failure answers.

    Exit code 1 when it cannot be run, with the path of everything that is wrong.
    """
    from fermata.domain.airpipe.explaining import explained

    for line in explained(read_configuration(file)):
        click.echo(line)


@airpipe.command(cls=Verb, examples=("fermata airpipe serve demo.yml", "fermata airpipe serve demo.yml --clock skip --port 8080"))
@_FILE
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@_CLOCK
@click.option("--without-store", is_flag=True, help="Refuse what would have to be parked, as Air Pipe does without a database.")
def serve(file: Path, port: int, host: str, clock: str, *, without_store: bool) -> None:
    """Serve a file's interfaces, and the API that shows their runs.

    Organisation variables (ap_var) are read from CONDUCTOR_SECRET_<NAME> variables. Nothing is kept when it stops.
    """
    config = read_configuration(file)
    from fermata_local import server

    with _cloud(config, clock, durable=not without_store) as cloud:
        try:
            listening = server.listen(host, port, cloud.http)
        except server.PortTaken as error:
            raise click.ClickException(str(error)) from error
        cloud.start_pump()
        address = server.address(listening)
        for interface in config.interfaces:
            click.echo(f"  {interface.method:6} {address}{interface.route}", err=True)
        click.echo(f"Runs are executions: {address}/api (clock: {clock}). Stop it with Ctrl-C.", err=True)
        listening.serve_forever()  # werkzeug returns from it at Ctrl-C
        click.echo("Stopped.", err=True)
        os._exit(0)  # at once: nothing is kept, and a vendor that hangs could hold up an orderly end for minutes


@airpipe.command(cls=Verb, examples=("fermata airpipe demo",))
@click.pass_context
def demo(ctx: click.Context) -> None:
    """Run the demo pack from nothing to its result, waiting skipped."""
    from fermata_local import checkout
    from fermata_local.lambda_events import GatewayRequest

    config = read_configuration(checkout.ROOT / "examples" / "airpipe" / "demo.yml")
    with _cloud(config, "skip") as cloud:

        def call(method: str, path: str) -> Any:
            return json.loads(cloud.http(GatewayRequest(method, path)).body)

        run = call("POST", "/demo/run")
        click.echo(f"POST /demo/run: parked as {run['status_url']}")
        attempt = 0
        while run["status"] in ("running", "suspended"):
            if run.get("attempt", 0) != attempt:
                attempt = run["attempt"]
                click.echo(f"  {run['action']}: try {attempt} of {run['attempts']} says not yet; next at {run.get('resume_at')}")
            cloud.run_until(lambda: call("GET", run["status_url"]) != run, timedelta(hours=1))  # noqa: B023 - called before `run` changes
            run = call("GET", run["status_url"])
        click.echo(f"{run['status']}, {run['http_code']}:\n{json.dumps(run['result'], indent=2)}")
    ctx.exit(0 if run["status"] == "completed" else 1)


@contextmanager
def _cloud(config: "Config", clock: str, *, durable: bool = True) -> Iterator["LocalCloud"]:
    from fermata_local import airpipe as files
    from fermata_local.clocks import RealClock, skipping_from_now
    from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud
    from fermata_local.sources import MINUTE

    skips = clock == "skip"
    cloud = LocalCloud(
        skipping_from_now() if skips else RealClock(),
        sweep_every=SKIPPING_SWEEP if skips else MINUTE,
        airpipe_prefix="",
        doors_of=None if durable else lambda ours: files.doors_without_store(ours, cloud.pauses),
    )
    with cloud:
        serve_interfaces(config)
        yield cloud


airpipe.add_command(deploy)
airpipe.add_command(interfaces)
airpipe.add_command(withdraw)
