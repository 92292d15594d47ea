"""The commands of `fermata workflow` that start and show runs."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import click
from requests import codes

from fermata_local.cli import arguments, watch
from fermata_local.cli.conductor import Conductor, Refused, part
from fermata_local.cli.connection import connected
from fermata_local.cli.exits import Exit
from fermata_local.cli.nouns import Verb
from fermata_local.cli.output import QUERY, Ended, Shape, reading, show
from fermata_local.cli.plain import plain
from fermata_local.cli.trying import need_one, trying

STATUSES = ("RUNNING", "PAUSED", "COMPLETED", "FAILED", "TIMED_OUT", "TERMINATED")
_GOING_ON = frozenset({"RUNNING", "PAUSED"})


@click.command(
    cls=Verb,
    examples=(
        'fermata workflow start -w http_poll_external_job -i \'{"dataset": "orders"}\'',
        "fermata workflow start -w my_flow -f input.json --version 2 --correlation order-7",
        "fermata workflow start -w my_flow --watch",
        "fermata workflow start -w my_flow --sync --full --query status",
    ),
)
@click.argument("positional", metavar="[NAME]", required=False)
@click.option("--workflow", "-w", "name", help="The definition's name.")
@click.option("--input", "-i", "input_", metavar="JSON|@FILE", help="The run's input.")
@click.option("--file", "-f", metavar="FILE", help="A file with the run's input; - is standard input.")
@click.option("--version", type=int, help="The definition's version, the highest by default.")
@click.option("--correlation", "--correlation-id", "correlation_id", help="An id of your own to find the run by.")
@click.option("--watch", "watching", is_flag=True, help="Follow the run to its end; exit 0 only when it is COMPLETED.")
@click.option("--sync", is_flag=True, help="Let the server wait for the run (about 10 s at most), and print its output.")
@click.option("--wait-until", "-u", metavar="REF", help="With --sync: wait only until the task REF is done.")
@click.option("--full", is_flag=True, help="With --sync: print the whole answer.")
@QUERY
@connected
@click.pass_context
def start(  # noqa: PLR0913 - one argument for each option
    ctx: click.Context,
    server: Conductor,
    *,
    positional: str | None,
    name: str | None,
    input_: str | None,
    file: str | None,
    version: int | None,
    correlation_id: str | None,
    watching: bool,
    sync: bool,
    wait_until: str | None,
    full: bool,
    query: str | None,
) -> None:
    """Start a run and print its id; with --sync, its output."""
    asked = {"name": _name(name, positional), "version": version, "correlationId": correlation_id, "input": _input(input_, file)}
    if not sync:
        if wait_until or full or query:
            raise click.UsageError("--wait-until, --full and --query go with --sync.")
        ctx.exit(_start(server, asked, watching=watching))
    if watching:
        raise click.UsageError("--sync waits for the run itself: leave --watch out, or --sync.")
    run = _execute(server, asked, wait_until)
    show(run if full or query else run.get("output"), Shape(query, table=False))
    ctx.exit(_concluded(run, wait_until))


def _start(server: Conductor, asked: Mapping[str, Any], *, watching: bool) -> int:
    path = f"/workflow/{part(asked['name'])}"
    workflow_id = str(server.post(path, asked["input"], version=asked["version"], correlationId=asked["correlationId"]))
    click.echo(workflow_id)
    return watch.follow(server, workflow_id) if watching else Exit.OK


def _execute(server: Conductor, asked: Mapping[str, Any], wait_until: str | None) -> Mapping[str, Any]:
    path = f"/workflow/execute/{part(asked['name'])}/{asked['version'] or 0}"
    body = {key: value for key, value in asked.items() if value is not None}
    request_id = str(uuid.uuid4())  # noqa: TID251 - a client draws its own, and nobody else sees it
    run: Mapping[str, Any] = server.post(path, body, requestId=request_id, waitUntilTaskRef=wait_until)
    return run


def _concluded(run: Mapping[str, Any], wait_until: str | None) -> Exit:
    """Say what became of a run that was waited for. One that waits at the task REF, as asked, is all right."""
    status, workflow_id = run.get("status"), run.get("targetWorkflowId") or run.get("workflowId")
    if status == "COMPLETED" or (status in _GOING_ON and wait_until and not run.get("signalTimeout")):
        return Exit.OK
    reason = f": {run['reasonForIncompletion']}" if run.get("reasonForIncompletion") else ""
    following = f"\nFollow it with: fermata workflow watch {workflow_id}" if status in _GOING_ON else ""
    click.echo(plain(f"{workflow_id} is {status}{reason}{following}"), err=True)
    return Exit.NOT_COMPLETED


def _name(named: str | None, positional: str | None) -> str:
    if (named is None) == (positional is None):
        raise click.UsageError("Name the workflow once: --workflow NAME.")
    return named or positional or ""


def _input(inline: str | None, file: str | None) -> dict[str, Any]:
    if inline is not None and file is not None:
        raise click.UsageError("Give the input once: --input or --file.")
    if file is not None:
        return arguments.definition_file(file, "the input")
    return {} if inline is None else arguments.json_object("--input", inline)


@click.command(
    cls=Verb,
    examples=("fermata workflow status ID", "fermata workflow status ID --query status", "fermata workflow status ID1 ID2 -o table"),
)
@click.argument("workflow_ids", nargs=-1, required=True, metavar="ID...")
@reading
@connected
def status(server: Conductor, workflow_ids: tuple[str, ...]) -> Any:
    """The status of one run, or of several, with output and variables."""
    return _one_or_all([_status(server, workflow_id) for workflow_id in workflow_ids])


def _status(server: Conductor, workflow_id: str) -> Any:
    """Older servers have no status of its own to a run: there it is the run without its tasks."""
    at = f"/workflow/{part(workflow_id)}"
    try:
        return server.get(f"{at}/status", includeOutput=True, includeVariables=True)
    except Refused as refused:
        if refused.status != codes.not_found:
            raise
    return server.get(at, includeTasks=False)


@click.command(
    "get-execution",
    cls=Verb,
    examples=(
        "fermata workflow get-execution ID",
        "fermata workflow get-execution ID -c --query tasks -o table",
        "fermata workflow get-execution ID -c --query \"tasks[?taskType=='HTTP_POLL'].taskId | [0]\"",
    ),
)
@click.argument("workflow_ids", nargs=-1, required=True, metavar="ID...")
@click.option("--complete", "-c", "--full", "full", is_flag=True, help="With every task.")
@reading
@connected
def get_execution(server: Conductor, workflow_ids: tuple[str, ...], *, full: bool) -> Any:
    """Runs as the server tells them; their tasks only with --complete."""
    return _one_or_all([server.get(f"/workflow/{part(workflow_id)}", includeTasks=full) for workflow_id in workflow_ids])


def _one_or_all(found: Sequence[Any]) -> Any:
    return found[0] if len(found) == 1 else found


@click.command(
    cls=Verb,
    examples=(
        "fermata workflow search -w my_flow -s FAILED -o table",
        "fermata workflow search -s RUNNING -c 100 --start-time-before 2026-01-31 --query '[].workflowId'",
    ),
)
@click.argument("text", default="*")
@click.option("--workflow", "-w", "name", help="Runs of this definition; several with commas.")
@click.option("--status", "-s", shell_complete=lambda _ctx, _param, begun: [each for each in STATUSES if each.startswith(begun)],
              help="Runs with this status; several with commas.")  # fmt: skip
@click.option("--count", "-c", type=click.IntRange(1), default=10, show_default=True, help="At most so many.")
@click.option("--start-time-after", type=arguments.Moment(), help="Started after this date, time or epoch milliseconds.")
@click.option("--start-time-before", type=arguments.Moment(), help="Started before it.")
@reading
@connected
def search(  # noqa: PLR0913 - one argument for each option
    server: Conductor,
    *,
    text: str,
    name: str | None,
    status: str | None,
    count: int,
    start_time_after: int | None,
    start_time_before: int | None,
) -> Any:
    """Runs, newest first. TEXT is looked for in all that a run's summary shows."""
    clauses = [
        f"workflowType IN ({name})" if name else "",
        f"status IN ({status})" if status else "",
        f"startTime>{start_time_after}" if start_time_after is not None else "",
        f"startTime<{start_time_before}" if start_time_before is not None else "",
    ]
    query = " AND ".join(clause for clause in clauses if clause) or None
    return server.page("/workflow/search", start=0, size=count, freeText=text, sort="startTime:DESC", query=query)


@click.command("watch", cls=Verb, examples=("fermata workflow watch ID",))
@click.argument("workflow_id", metavar="ID")
@connected
@click.pass_context
def watch_(ctx: click.Context, server: Conductor, workflow_id: str) -> None:
    """Follow a run to its end: each poll, each task, whom it waits for. Exit 0 only when it is COMPLETED.

    On a terminal the last line counts down to the next poll. Ctrl-C ends the watching, not the run.
    """
    ctx.exit(watch.follow(server, workflow_id))


@click.command(
    "test",
    cls=Verb,
    examples=(
        'fermata workflow test flow.json -i \'{"n": 1}\' --mock \'{"fetch": [{"output": {"rows": 3}}]}\'',
        "fermata workflow test -w my_flow --mock @mocks.json --query output",
    ),
)
@trying
@click.option("--mock", metavar="JSON|@FILE", help="By task reference name, a list of what each attempt ends as: status and output.")
@reading
@connected
def test(server: Conductor, *, file: str | None, name: str | None, version: int | None, input_: str | None, mock: str | None) -> Any:
    """Try a definition with made-up task outputs: nothing is stored, no request is made. Exit 0 only when the run is COMPLETED."""
    need_one(file, name)
    definition = arguments.definition_file(file, "a definition") if file is not None else None
    body = {
        "name": definition.get("name") if definition else name,
        "version": version,
        "workflowDef": definition,
        "input": _input(input_, None),
        "taskRefToMockOutput": arguments.json_object("--mock", mock) if mock is not None else {},
    }
    run = server.post("/workflow/test", {key: value for key, value in body.items() if value is not None})
    return Ended(run, Exit.OK if run.get("status") == "COMPLETED" else Exit.NOT_COMPLETED)


COMMANDS = (start, status, get_execution, search, watch_, test)
