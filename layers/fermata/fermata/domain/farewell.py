"""What ends together with a task, and the look back that finds a child whose end got lost on its way."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from fermata.domain.deciding import Deciding
from fermata.domain.effects import Effect, Send
from fermata.domain.executions import Task
from fermata.domain.messages import EndRun
from fermata.domain.tasks.registry import type_of
from fermata.domain.timeouts import CHILD_CHECK


def let_go(deciding: Deciding, task: Task) -> datetime | None:
    """Let end what ends with a task. Return when to look whether its child has; None: no child was told to end."""
    effects = tuple(type_of(task).let_go(deciding, task))
    deciding.emit(*effects)
    return _look_after(deciding, effects)


def look_back_at(deciding: Deciding) -> datetime | None:
    """Return when to look whether the children have ended that this decision told to; None: it told none."""
    return _look_after(deciding, deciding.effects)


def look_back(deciding: Deciding, task: Task) -> None:
    """Tell the child of a concluded task once more to end, if it has not and the time to look has come."""
    if task.look_at is not None and task.look_at <= deciding.now:
        deciding.put(replace(task, look_at=let_go(deciding, task)))


def look_back_at_run(deciding: Deciding) -> None:
    """Do the same for all children of a run that is over."""
    run = deciding.workflow
    if run.look_at is None or run.look_at > deciding.now:
        return
    for task in deciding.all_tasks():
        if task.sub_workflow_id is not None:
            let_go(deciding, task)
    deciding.change(look_at=look_back_at(deciding))


def _look_after(deciding: Deciding, effects: Iterable[Effect]) -> datetime | None:
    told = any(isinstance(effect, Send) and isinstance(effect.message, EndRun) for effect in effects)
    return deciding.now + CHILD_CHECK if told else None
