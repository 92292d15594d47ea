"""The last line of a terminal, written over while a run is followed: what it waits for, and for how long. Elsewhere it is silent."""

import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TextIO

import click

from fermata_local.cli.plain import plain
from fermata_local.clocks import RealClock

TICK_SECONDS = 0.5
_OPEN = ("SCHEDULED", "IN_PROGRESS")
_ERASE = "\r\x1b[K"

Json = Mapping[str, Any]


class LiveLine:
    """Lines that stay (`say`), and below them one that counts down (`hold`) when `out` is a terminal.

    `rest` waits so many seconds; `now` says what to count down to.
    """

    def __init__(
        self,
        out: TextIO | None = None,
        now: Callable[[], datetime] | None = None,
        rest: Callable[[float], object] | None = None,
    ) -> None:
        self._out = out or sys.stdout
        self._terminal = self._out.isatty()
        self._now = now or RealClock().now
        self._rest = rest or threading.Event().wait
        self._shown = False
        self._said = False

    def say(self, line: str) -> None:
        """Print a line that stays."""
        self.clear()
        self._said = True
        click.echo(plain(line), file=self._out)

    def said(self) -> bool:
        """Was anything said since this was last asked?"""
        said, self._said = self._said, False
        return said

    def hold(self, run: Json | None, seconds: float) -> None:
        """Show for so long what the run waits for; without a run, that the server is away."""
        if not self._terminal:
            self._rest(seconds)
            return
        left = seconds
        while left > 0:
            self._show(standing(run, self._now()) if run is not None else "the server does not answer; trying again")
            self._rest(min(left, TICK_SECONDS))
            left -= TICK_SECONDS

    def clear(self) -> None:
        """Take the passing line away."""
        if self._shown:
            click.echo(_ERASE, file=self._out, nl=False)
            self._shown = False

    def _show(self, line: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"{_ERASE}{f'  {plain(line)}'[:width]}", file=self._out, nl=False)
        self._shown = True


def standing(run: Json, now: datetime) -> str:
    """Return in one line what a run waits for: the polls that come, and the other open tasks."""
    open_tasks = [task for task in run.get("tasks", ()) if task.get("status") in _OPEN]
    waits = [_waiting(task, now) for task in open_tasks]
    return f"{run['status']}  " + ("; ".join(waits) or "between two tasks")


def _waiting(task: Json, now: datetime) -> str:
    name = task.get("referenceTaskName", "a task")
    if task.get("taskType") != "HTTP_POLL":
        return f"{name} {task.get('status')}"
    made = f"{name}: {task.get('pollCount', 0)} polls made"
    due = task.get("nextPollTime")
    return f"{made}, next look {_until(due / 1000 - now.timestamp())}" if due else made


def _until(seconds: float) -> str:
    """Return how long it takes until then as a person says it."""
    left = round(seconds)
    if left <= 0:
        return "now"
    minutes, rest = divmod(left, 60)
    hours, minutes = divmod(minutes, 60)
    return f"in {hours} h {minutes} min" if hours else f"in {minutes} min {rest} s" if minutes else f"in {rest} s"
