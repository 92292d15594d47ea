"""Tell whether a run is still as a caller has seen it: from its row, and from the small rows of what moves between decisions."""

import re
from collections.abc import Collection, Mapping
from datetime import timedelta

from fermata.application.engine import Engine
from fermata.application.views import ExecutionView
from fermata.domain.executions import Workflow
from fermata.domain.polling import PollState
from fermata.domain.working import WorkItem, WorkKey
from fermata.wire.records import epoch_ms

# How long a run counts as unmoved whose row does not name everything that may move: one with more open tasks than it has names for.
BLIND = timedelta(seconds=10)
_SEEN = re.compile(r"(?P<row>[0-9a-f]+-[0-9]+)(?:-(?P<marks>[0-9a-z.]+))?")


def seen(engine: Engine, view: ExecutionView, *, include_tasks: bool) -> str | None:
    """Return a text that stands for what the view shows; None while a decision is being carried out, when its rows are on the move."""
    if not view.is_settled:
        return None
    polls = {each.task.task_id: each.poll for each in view.tasks if each.poll}
    work = {each.task.task_id: each.work for each in view.tasks if each.work}
    return _written(engine, view.workflow, polls, work, include_tasks=include_tasks)


def is_as_seen(engine: Engine, workflow_id: str, texts: Collection[str], *, include_tasks: bool) -> str | None:
    """Return the one of these texts of `seen` that stands for what a view would show now, None when none does.

    Reads the run's row; and where its revision is the one that was seen and a poll or a worker may have moved since, their rows.
    """
    stored = engine.executions.glance([workflow_id]).get(workflow_id) if texts else None
    if stored is None or stored.outbox is not None:
        return None
    run = stored.workflow
    for text in texts:
        known = _SEEN.fullmatch(text)
        if known and known["row"] == _row(run):
            polls, work = _moving(engine, run, (known["marks"] or "").split("."))
            if text == _written(engine, run, polls, work, include_tasks=include_tasks):
                return text
    return None


def _moving(engine: Engine, run: Workflow, marks: Collection[str]) -> tuple[Mapping[str, PollState], Mapping[str, WorkItem]]:
    """Read the rows that the marks name: of equal revisions, the same tasks are polls and the same ones are workers'."""
    kinds = dict(zip(run.waits, marks, strict=False))
    polling = [each for each, mark in kinds.items() if mark.startswith("p")]
    working = [WorkKey(run.workflow_id, each) for each, mark in kinds.items() if mark.startswith("w")]
    return engine.polls.states(polling) if polling else {}, engine.work.load(working) if working else {}


def _written(engine: Engine, run: Workflow, polls: Mapping[str, PollState], work: Mapping[str, WorkItem], *, include_tasks: bool) -> str:
    if not include_tasks or run.status.terminal:
        return _row(run)
    marks = [_mark(each, polls, work) for each in run.waits]
    if run.open_tasks - run.open_containers > len(run.waits):
        marks.append(f"t{epoch_ms(engine.clock.now()) // (BLIND // timedelta(milliseconds=1)):x}")
    return "-".join([_row(run), ".".join(marks)] if marks else [_row(run)])


def _row(run: Workflow) -> str:
    return f"{epoch_ms(run.create_time):x}-{run.revision}"


def _mark(task_id: str, polls: Mapping[str, PollState], work: Mapping[str, WorkItem]) -> str:
    """Return what is seen of an open task beside its own row: a poll's number and due time, or the version of a worker's row."""
    if task_id in polls:
        return f"p{polls[task_id].polls_made}x{epoch_ms(polls[task_id].due):x}"
    return f"w{work[task_id].version}" if task_id in work else "n"
