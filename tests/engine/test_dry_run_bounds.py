"""A dry run takes no more than one request may, whatever it is given."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from fermata.application.start import StartWorkflow
from fermata.rehearsal import dry_run as room
from fermata.rehearsal.dry_run import DryRun, Ending, dry_run
from fermata.rehearsal.telling import What
from fermata.wire.definitions import workflow_definition_from_json

from tests.support.world import World, step, workflow

NEVER = {"http_request": {"uri": "https://v.example", "terminationCondition": "false", "maxPollCount": 100_000}}
POLLING = workflow(step("HTTP_POLL", "await", NEVER))
LOOPING = workflow(step("DO_WHILE", "loop", loopCondition="true", loopOver=[step("NOOP", "nothing")]))


def dry(definition: dict[str, Any], seconds: Iterator[float]) -> DryRun:
    parsed = workflow_definition_from_json(definition)
    return dry_run(World().engine, StartWorkflow(parsed.name, definition=parsed), (), lambda: next(seconds))


@pytest.fixture
def no_time() -> Iterator[float]:
    """A stopwatch that stands still."""
    return (0.0 for _ in count())


def test_so_many_requests_are_made_and_no_more(monkeypatch: pytest.MonkeyPatch, no_time: Iterator[float]) -> None:
    monkeypatch.setattr(room, "MAX_REQUESTS", 9)
    found = dry(POLLING, no_time)
    assert (found.ending, found.requests, found.why) == (Ending.TOO_MUCH, 9, "It made 9 requests, the most of one dry run.")
    assert (found.events[-1].what, len(found.polls["await"]), found.view.workflow.status) == (What.STOPPED, 9, "RUNNING")


@pytest.mark.parametrize(("definition", "bound"), [(LOOPING, "MAX_CHANGES"), (POLLING, "MAX_EVENTS"), (POLLING, "MAX_STEPS")])
def test_what_never_ends_is_stopped(
    monkeypatch: pytest.MonkeyPatch, no_time: Iterator[float], definition: dict[str, Any], bound: str
) -> None:
    monkeypatch.setattr(room, bound, 2)
    found = dry(definition, no_time)
    assert (found.ending, found.why) == (Ending.TOO_MUCH, "It came further than one dry run goes; does a loop in it end?")


def test_its_computing_ends_in_time() -> None:
    found = dry(POLLING, (float(second) for second in count()))  # a second for each look at the stopwatch
    assert (found.ending, found.requests) == (Ending.TOO_MUCH, 8)
    assert found.why == "It took 8 seconds of computing, the most of one dry run."
