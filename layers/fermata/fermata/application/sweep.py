"""Find what is overdue and move it: what a crash, a lost message or a missed alarm left behind."""

import logging
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import assert_never

from fermata.application.advance import advance
from fermata.application.engine import Engine
from fermata.application.schedules import arm, nudge
from fermata.domain.errors import NotFound
from fermata.domain.messages import PollDue
from fermata.domain.timeouts import SWEEP_GRACE
from fermata.domain.working import WorkKey, deadline, next_look
from fermata.ports import DueEntry, DueKind

_logger = logging.getLogger(__name__)

BATCH = 200  # entries looked at in one sweep of a minute; the rest come with the next
POLL_CHECK = timedelta(hours=1)  # how often the sweeper looks at an attempt whose alarms work
RECHECK = timedelta(minutes=5)  # when it looks again at what it has just moved


@dataclass(frozen=True)
class Swept:
    """How many runs (schedules among them), tasks and polls were overdue and had to be moved, and how many could not be.

    A metric: all zero is health.
    """

    workflows: int = 0
    tasks: int = 0
    polls: int = 0
    failures: int = 0


def sweep(engine: Engine) -> Swept:
    """Look at everything overdue. Safe to run at any time and twice at once."""
    now = engine.clock.now()
    moved: Counter[DueKind] = Counter()
    failures = 0
    for entry in engine.due_index.overdue(now, BATCH):
        try:
            moved[entry.kind] += _move(engine, entry, now)
        except Exception as error:
            # One run that cannot be decided must not keep the sweeper from all others; it is reported, counted and tried again.
            _logger.exception("run %s cannot be moved: %s", entry.workflow_id, type(error).__name__)
            engine.due_index.look_again(entry, now + RECHECK)
            failures += 1
    runs, tasks = moved[DueKind.WORKFLOW] + moved[DueKind.SCHEDULE], moved[DueKind.TASK] + moved[DueKind.WORK]
    return Swept(runs, tasks, moved[DueKind.POLL], failures)


def _move(engine: Engine, entry: DueEntry, now: datetime) -> bool:
    match entry.kind:
        case DueKind.WORKFLOW | DueKind.TASK:
            return _move_run(engine, entry, now)
        case DueKind.POLL:
            return _move_poll(engine, entry, now)
        case DueKind.WORK:
            return _move_work(engine, entry, now)
        case DueKind.SCHEDULE:
            return _move_schedule(engine, entry, now)
        case _ as never:
            assert_never(never)


def _move_run(engine: Engine, entry: DueEntry, now: datetime) -> bool:
    """Advance the run. The entry moves on only afterwards: a crash in between leaves it to be found again."""
    stored = engine.executions.load(entry.workflow_id)
    if stored is None:  # rows that were written while their run was being removed
        engine.executions.remove(entry.workflow_id)
        return False
    try:
        decision = advance(engine, entry.workflow_id, *([entry.task_id] if entry.task_id else []))
    except NotFound:
        engine.due_index.look_again(entry, now + RECHECK)
        return False
    engine.due_index.look_again(entry, now + RECHECK)
    # A decision that only noted when to look again repaired nothing.
    moved = decision.effects or any(task.status.terminal for task in decision.tasks)
    return bool(moved) or stored.outbox is not None


def _move_poll(engine: Engine, entry: DueEntry, now: datetime) -> bool:
    poll = engine.polls.load(entry.task_id or "")
    if poll is None:
        return False
    state = poll.state
    if not state.is_open:
        return _move_run(engine, entry, now)
    overdue = state.due + SWEEP_GRACE <= now
    if overdue:
        engine.alarms.send(PollDue(state.workflow_id, state.task_id, state.polls_made + 1), now, now)
    engine.due_index.look_again(entry, now + RECHECK if overdue else max(state.due, now) + POLL_CHECK)
    return overdue


def _move_schedule(engine: Engine, entry: DueEntry, now: datetime) -> bool:
    """Set the alarms of a schedule: it was changed and its alarms were not, or a day has passed. Arming moves the entry on."""
    unarmed = arm(engine, entry.workflow_id)
    if schedule := engine.schedules.load(entry.workflow_id):
        nudge(engine, schedule, now)
    return unarmed


def _move_work(engine: Engine, entry: DueEntry, now: datetime) -> bool:
    """Advance the run of a SIMPLE attempt that is over its deadline, or whose result was recorded and then forgotten."""
    task_id = entry.task_id or ""
    item = engine.work.load([WorkKey(entry.workflow_id, task_id)]).get(task_id)
    if item is None:
        return False
    if engine.executions.load_tasks(entry.workflow_id, (task_id,)).get(task_id) is None:
        engine.work.close(item.key)  # queued once more by a process that woke up long after the run had forgotten the attempt
        return False
    limit = deadline(item)
    overdue = limit is not None and limit.at <= now
    if overdue or engine.executions.outcomes(entry.workflow_id, (task_id,)):
        return _move_run(engine, entry, now)
    engine.due_index.look_again(entry, next_look(item, now, SWEEP_GRACE))
    return False
