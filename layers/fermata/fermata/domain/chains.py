"""Runs that start each other: by START_WORKFLOW, as a child, by an event, after a failure. Told apart from those that take their time."""

from datetime import datetime, timedelta

from fermata.domain.executions import Workflow

AT_ONCE = timedelta(minutes=1)  # a run that has lived longer when it starts another one begins a new chain: it is no runaway


def next_link(run: Workflow, now: datetime) -> int:
    """Return the `chain` of a run that this one starts now."""
    return run.chain + 1 if now - run.create_time < AT_ONCE else 0
