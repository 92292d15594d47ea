"""`fermata workflow dry-run`: what a definition would do, told as a story."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import click

from fermata_local.cli import arguments
from fermata_local.cli.conductor import Conductor
from fermata_local.cli.connection import connected
from fermata_local.cli.exits import Exit
from fermata_local.cli.nouns import Verb
from fermata_local.cli.output import QUERY, Shape, show
from fermata_local.cli.plain import plain
from fermata_local.cli.trying import need_one, trying


@click.command(
    "dry-run",
    cls=Verb,
    examples=(
        'fermata workflow dry-run flow.json --answers answers.json -i \'{"dataset": "orders"}\'',
        "fermata workflow dry-run -w my_flow --answers answers.json --full --query cost.usd",
    ),
)
@trying
@click.option("--answers", metavar="FILE", help="What the vendor answers, a JSON list; what it does not know is answered 200 {}.")
@click.option("--full", is_flag=True, help="Print the whole answer as JSON instead of the story.")
@QUERY
@connected
@click.pass_context
def dry_run(  # noqa: PLR0913 - one argument for each option
    ctx: click.Context,
    server: Conductor,
    *,
    file: str | None,
    name: str | None,
    version: int | None,
    input_: str | None,
    answers: str | None,
    full: bool,
    query: str | None,
) -> None:
    """Try a definition on a virtual clock: what would happen, when, how many requests, and what it would cost.

    Nothing is stored and no request is made. Exit 0 only when the run is COMPLETED.
    """
    need_one(file, name)
    asked = {
        "name": name,
        "version": version,
        "workflowDef": arguments.definition_file(file, "a workflow definition") if file is not None else None,
        "input": arguments.json_object("--input", input_) if input_ is not None else {},
        "answers": _answers(answers),
    }
    told = server.post("/workflow/dry-run", {key: value for key, value in asked.items() if value is not None})
    if full or query:
        show(told, Shape(query, table=False))
    else:
        for line in _story(told):
            click.echo(plain(line))
    ctx.exit(Exit.OK if told["workflow"].get("status") == "COMPLETED" else Exit.NOT_COMPLETED)


def _answers(path: str | None) -> list[Any]:
    if path is None:
        return []
    content = arguments.json_file(path)
    if not isinstance(content, list):
        raise click.BadParameter("the answers are a JSON list", param_hint="--answers")
    return content


def _story(told: Mapping[str, Any]) -> Iterator[str]:
    for event in told["events"]:
        since = timedelta(milliseconds=event["atMs"])
        yield f"+{since!s:<16} {event.get('taskReferenceName', ''):<20} {event['detail']}"
    cost = told["cost"]
    yield f"After {timedelta(seconds=round(told['elapsedSeconds']))}: {told['endedBy']}"
    yield f"{told['requests']} requests, {cost['polls']} of them polls; about ${cost['usd']:.6f} on AWS (prices of {cost['pricesAsOf']})."
