"""How the user says what a schedule is: a file, or flags."""

import functools
from collections.abc import Callable
from typing import Any

import click

from fermata_local.cli import arguments


def saved(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command FILE and the flags instead of it; it gets the schedule as `wanted`, which has a name."""

    @click.argument("file", required=False)
    @click.option("--name", "-n", help="The schedule's name.")
    @click.option("--cron", "-c", metavar="CRON", help="When: six fields, seconds first.")
    @click.option("--zone", metavar="ZONE", help="The time zone that the fields are of, such as Europe/Berlin. UTC by default.")
    @click.option("--workflow", "-w", help="The workflow that it starts.")
    @click.option("--version", type=click.IntRange(0), default=0, help="Its version, the highest by default.")
    @click.option("--input", "-i", "input_", metavar="JSON|@FILE", help="The input of each run.")
    @click.option("--paused", "-p", is_flag=True, help="It starts nothing until it is resumed.")
    @functools.wraps(command)
    def wrapped(*args: Any, file: str | None, **flags: Any) -> Any:
        named = {key: flags.pop(key) for key in ("name", "cron", "zone", "workflow", "version", "input_", "paused")}
        return command(*args, wanted=_wanted(file, **named), **flags)

    return wrapped


def _wanted(file: str | None, **flags: Any) -> dict[str, Any]:
    if not any(flags.values()):
        wanted = arguments.definition_file(file or "-", "a schedule")
        if not wanted.get("name"):
            raise click.BadParameter("the schedule has no name")
        return wanted
    missing = [f"--{name}" for name in ("name", "cron", "workflow") if not flags[name]]
    if file is not None or missing:
        raise click.UsageError("Say what the schedule is by FILE or by flags." if file else f"Missing {', '.join(missing)}.")
    starts = {"name": flags["workflow"], "version": flags["version"] or None}
    if flags["input_"] is not None:
        starts["input"] = arguments.json_object("--input", flags["input_"])
    schedule = {"name": flags["name"], "cronExpression": flags["cron"], "zoneId": flags["zone"], "paused": flags["paused"] or None}
    given = {key: value for key, value in schedule.items() if value is not None}
    return {**given, "startWorkflowRequest": {key: value for key, value in starts.items() if value is not None}}
