"""The commands of `fermata workflow` that start, show and steer runs."""

from typing import Any

import click

from fermata_local.cli import arguments, watch
from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.output import reading


@click.command()
@click.option("--workflow", "-w", "name", required=True, help="The definition's name.")
@click.option("--input", "-i", "input_", default="{}", metavar="JSON|@FILE", help="The run's input.")
@click.option("--version", type=int, help="The definition's version, the highest by default.")
@click.option("--correlation", "--correlation-id", "correlation_id", help="An id of your own to find the run by.")
@click.option("--watch", "watching", is_flag=True, help="Follow the run to its end; exit 0 only when it is COMPLETED.")
@click.pass_context
def start(ctx: click.Context, name: str, input_: str, version: int | None, correlation_id: str | None, watching: bool) -> None:  # noqa: FBT001 - click passes options by name
    """Start a run and print its id."""
    server = Conductor()
    body = arguments.json_value(input_)
    if not isinstance(body, dict):
        raise click.BadParameter("the input is a JSON object", param_hint="--input")
    workflow_id = server.post(f"/workflow/{part(name)}", body, version=version, correlationId=correlation_id)
    click.echo(workflow_id)
    if watching:
        ctx.exit(watch.follow(server, str(workflow_id)))


@click.command()
@click.argument("workflow_ids", nargs=-1, required=True, metavar="ID...")
@reading
def status(workflow_ids: tuple[str, ...]) -> Any:
    """The status of one run, or of several, with output and variables."""
    server = Conductor()
    found = [server.get(f"/workflow/{part(workflow_id)}/status", includeOutput=True, includeVariables=True) for workflow_id in workflow_ids]
    return found[0] if len(found) == 1 else found


@click.command("get-execution")
@click.argument("workflow_id", metavar="ID")
@click.option("--complete", "-c", "--full", "full", is_flag=True, help="With every task.")
@reading
def get_execution(workflow_id: str, full: bool) -> Any:  # noqa: FBT001
    """A run as the server tells it; its tasks only with --full."""
    return Conductor().get(f"/workflow/{part(workflow_id)}", includeTasks=full)


@click.command()
@click.argument("text", default="*")
@click.option("--workflow", "-w", "name", help="Runs of this definition.")
@click.option("--status", "-s", help="Runs with this status.")
@click.option("--count", "-c", type=click.IntRange(1), default=10, show_default=True)
@click.option("--start-time-after", type=int, metavar="EPOCH_MS")
@click.option("--start-time-before", type=int, metavar="EPOCH_MS")
@reading
def search(text: str, name: str | None, status: str | None, count: int, start_time_after: int | None, start_time_before: int | None) -> Any:
    """Runs, newest first."""
    clauses = [
        f"workflowType IN ({name})" if name else "",
        f"status IN ({status})" if status else "",
        f"startTime>{start_time_after}" if start_time_after is not None else "",
        f"startTime<{start_time_before}" if start_time_before is not None else "",
    ]
    query = " AND ".join(clause for clause in clauses if clause) or None
    found = Conductor().get("/workflow/search", start=0, size=count, freeText=text, sort="startTime:DESC", query=query)
    return found["results"]


def _steering(name: str, method: str, path: str, done: str, help_: str) -> click.Command:
    """Return a command that changes one run and prints what became of it."""

    @click.command(name, help=help_)
    @click.argument("workflow_id", metavar="ID")
    def command(workflow_id: str) -> None:
        Conductor().call(method, path.format(part(workflow_id)))
        click.echo(f"{workflow_id} {done}.")

    return command


@click.command()
@click.argument("workflow_id", metavar="ID")
@click.option("--reason", help="Why; it is kept with the run.")
def terminate(workflow_id: str, reason: str | None) -> None:
    """End a run as TERMINATED."""
    Conductor().delete(f"/workflow/{part(workflow_id)}", reason=reason)
    click.echo(f"{workflow_id} terminated.")


@click.command("watch")
@click.argument("workflow_id", metavar="ID")
@click.pass_context
def watch_(ctx: click.Context, workflow_id: str) -> None:
    """Follow a run to its end; exit 0 only when it is COMPLETED."""
    server = Conductor()
    ctx.exit(watch.follow(server, workflow_id))


pause = _steering("pause", "PUT", "/workflow/{}/pause", "paused", "Let a run go no further until it is resumed.")
resume = _steering("resume", "PUT", "/workflow/{}/resume", "resumed", "Let a paused run go on.")

COMMANDS = (start, status, get_execution, search, pause, resume, terminate, watch_)
