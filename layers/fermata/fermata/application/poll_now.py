"""Make the next poll of a task now, because somebody asked for it."""

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from fermata.application.advance import load
from fermata.application.engine import Engine
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.executions import Task
from fermata.domain.messages import PollDue
from fermata.domain.operations import Order, Verb, of_poll, operation
from fermata.domain.poll_hastening import Forgotten, OnItsWay, Refused, Sooner, hasten
from fermata.domain.polling import PollState
from fermata.domain.tasks.registry import type_of


@dataclass(frozen=True)
class Hastened:
    """Which poll comes now, and since when it is due."""

    task: Task
    poll: int
    due: datetime


def poll_now(engine: Engine, task_id: str, order: Order | None = None) -> Hastened:
    """Let the next poll of a waiting task be made at once. Safe to repeat: asking twice makes one poll.

    The due moment is stored before the message is sent, so that an early poll stays no poll: a crash in between leaves a poll that is
    overdue, which the sweeper or the alarm of the old moment makes. That alarm is stale when the poll was made.
    Raises `NotFound` for an unknown task, `Conflict`, saying why, for one that waits for no poll.
    """
    workflow_id = engine.executions.workflow_of(task_id)
    stored = load(engine, workflow_id) if workflow_id else None
    task = engine.executions.load_tasks(stored.workflow.workflow_id, (task_id,)).get(task_id) if stored else None
    if stored is None or task is None:
        raise NotFound(f"No such task found by id: {task_id}")
    poll = engine.polls.load(task_id) if type_of(task).keeps_polls else None
    state, now = poll.state if poll else None, engine.clock.now()
    hastening = hasten(stored.workflow, task, state, now)
    if isinstance(hastening, Refused) or state is None:
        raise Conflict(hastening.reason if isinstance(hastening, Refused) else "")
    if order is not None:  # written down first: nothing is done of which nobody knows
        key = of_poll(task_id, state.polls_made + 1)
        engine.operations.write(operation(order, task.workflow_id, Verb.POLL_NOW, now, task.task_reference_name, key))
    due = _carry_out(engine, state, hastening, now)
    return Hastened(task, state.polls_made + 1, due)


def _carry_out(engine: Engine, state: PollState, hastening: Sooner | OnItsWay | Forgotten, now: datetime) -> datetime:
    asked = PollDue(state.workflow_id, state.task_id, state.polls_made + 1)
    match hastening:
        case Sooner(after):
            if engine.polls.hasten(state, now):  # else the poll was just made, or somebody else has just asked for it
                engine.alarms.send(asked, now, now)
            return after.due
        case Forgotten():
            engine.alarms.send(asked, now, now)
            return state.due
        case OnItsWay():
            return state.due
        case _ as never:
            assert_never(never)
