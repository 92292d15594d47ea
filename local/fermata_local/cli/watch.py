"""Follows a run: each new poll and each finished task as one line, until the run is over."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import click
from requests import codes

from fermata_local.cli.conductor import Conductor, Refused, Unreachable, part
from fermata_local.cli.exits import Exit
from fermata_local.cli.live import LiveLine
from fermata_local.cli.plain import plain, printed_json

TERMINAL = frozenset({"COMPLETED", "FAILED", "TIMED_OUT", "TERMINATED"})
TASK_OPEN = frozenset({"SCHEDULED", "IN_PROGRESS"})
# The pause between two looks doubles while there is no news: a run may take days.
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 4.0
# So many looks in a row may fail before watching ends: a deployment or a laptop's network is away for a moment.
MOST_FAILURES = 6
# Whom somebody may have to remind. Polls, moments and other tasks show themselves.
TOLD = {
    "WORKER": "a worker of the queue",
    "PERSON": "a person",
    "SIGNAL": "a signal",
    "UPDATE": "an update about the request to",
    "CHILD": "the workflow",
    "OPERATOR": "somebody to resume it",
}

Json = Mapping[str, Any]


@dataclass
class View:
    """What was shown already of one run. `look` returns the run and yields only news to `say`."""

    server: Conductor
    workflow_id: str
    say: Callable[[str], None] = click.echo
    # What the vendor said at poll n, when someone knows (the demo asks its job API).
    vendor_state: Callable[[int], str | None] | None = None
    seen: bool = False
    _polls: dict[str, int] = field(default_factory=dict)
    _over: set[str] = field(default_factory=set)
    _waits: set[tuple[str, str]] = field(default_factory=set)

    def look(self) -> Json:
        """Ask the server once, and say what is new."""
        run = self.server.record(f"/workflow/{part(self.workflow_id)}", includeTasks=True)
        self.seen = True
        for task in run.get("tasks", ()):
            for line in self._news(task):
                self.say(line)
        for each in run.get("waitingFor", ()):
            self._say_once(each)
        return run

    def _say_once(self, each: Json) -> None:
        """Say whom a task, or the run itself, waits for."""
        key = (each.get("taskId", ""), each["for"])
        if each["for"] in TOLD and key not in self._waits:
            self._waits.add(key)
            self.say(waiting_line(each))

    def _news(self, task: Json) -> Iterator[str]:
        if task["taskType"] == "HTTP_POLL" and task.get("pollCount", 0) > self._polls.get(task["taskId"], 0):
            yield from self._new_polls(task)
        if task["status"] not in TASK_OPEN and task["taskId"] not in self._over:
            self._over.add(task["taskId"])
            reason = task.get("reasonForIncompletion")
            yield f"  {_time(task.get('endTime'))}  {task['referenceTaskName']}: {task['status']}" + (f": {reason}" if reason else "")

    def _new_polls(self, task: Json) -> Iterator[str]:
        shown = self._polls.get(task["taskId"], 0)
        entries = self._ledger(task["taskId"])
        if entries is None:
            yield f"  {_time(task.get('updateTime'))}  {task['referenceTaskName']}: {task['pollCount']} polls"
            self._polls[task["taskId"]] = task["pollCount"]
            return
        for entry in entries[shown:]:
            vendor = self.vendor_state(entry["poll"]) if self.vendor_state else None
            yield poll_line(entry, vendor)
        self._polls[task["taskId"]] = len(entries)

    def _ledger(self, task_id: str) -> Sequence[Json] | None:
        """Return the polls of a task; None from a server that keeps none, as all but Fermata."""
        try:
            return self.server.records(f"/tasks/{part(task_id)}/polls")
        except Refused as refused:
            if refused.status != codes.not_found:
                raise
            return None


def poll_line(entry: Json, vendor: str | None) -> str:
    """Return one poll as a line: when, which, the HTTP status, what the vendor said, the decision, the next look."""
    status = entry.get("statusCode") or "no answer"
    job = f"  job {vendor:<9}" if vendor else ""
    following = f"next look {_time(entry['nextDueTime'])}" if entry.get("nextDueTime") else "no further look"
    return f"  {_time(entry['firedTime'])}  poll {entry['poll']:>3}  {status}{job}  {entry['decision']:<9}  {following}"


def waiting_line(each: Json) -> str:
    """Return one thing that a run waits for as a line."""
    whom = " ".join(filter(None, (TOLD[each["for"]], each.get("name"))))
    nobody = ", which nobody has polled" if each["for"] == "WORKER" and "lastPollTime" not in each else ""
    return f"{'':12}{each.get('referenceTaskName', 'the run')}: waits for {whom}{nobody}"


def _time(milliseconds: int | None) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%H:%M:%S}" if milliseconds else "--:--:--"


def follow(server: Conductor, workflow_id: str, line: LiveLine | None = None) -> int:
    """Show a run until it is over. Return the exit code: 0 only for COMPLETED."""
    line = line or LiveLine()
    try:
        return _followed(View(server, workflow_id, line.say), line)
    except KeyboardInterrupt:
        line.clear()
        click.echo(f"\nThe run goes on. Follow it again with: fermata workflow watch {workflow_id}", err=True)
        raise click.exceptions.Exit(Exit.INTERRUPTED) from None
    finally:
        line.clear()


def _followed(view: View, line: LiveLine) -> int:
    pause = FIRST_PAUSE_SECONDS
    while (run := _patiently(view, line))["status"] not in TERMINAL:
        pause = FIRST_PAUSE_SECONDS if line.said() else min(2 * pause, LONGEST_PAUSE_SECONDS)
        line.hold(run, pause)
    line.clear()
    return conclude(run)


def _patiently(view: View, line: LiveLine) -> Json:
    """Look, again and again while the server is away. Raises `Unreachable` when it stays away, or was never there."""
    for _ in range(MOST_FAILURES if view.seen else 0):
        try:
            return view.look()
        except (Unreachable, Refused) as error:
            if error.exit_code != Exit.UNREACHABLE:
                raise
            line.hold(None, LONGEST_PAUSE_SECONDS)
    return view.look()


def conclude(run: Json) -> int:
    """Print how a run ended and its output. Return the exit code: 0 only for COMPLETED."""
    reason = run.get("reasonForIncompletion")
    click.echo(plain(f"{run['status']}" + (f": {reason}" if reason else "")))
    click.echo(printed_json(run.get("output")))
    return Exit.OK if run["status"] == "COMPLETED" else Exit.NOT_COMPLETED
