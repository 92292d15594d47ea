"""Whether a poll that waits for its moment can be made now instead, and what has to be done for that."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from fermata.domain.executions import Task, Workflow
from fermata.domain.polling import PollState
from fermata.domain.status import WorkflowStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.timeouts import SWEEP_GRACE


@dataclass(frozen=True)
class Refused:
    """Nothing can be polled for here; `reason` says why in a sentence."""

    reason: str


@dataclass(frozen=True)
class Sooner:
    """Store `after` in place of what was read, then tell the door: the poll is due now."""

    after: PollState


@dataclass(frozen=True)
class OnItsWay:
    """It is due already, and what asks for it was sent a moment ago: a second request would be a second poll."""


@dataclass(frozen=True)
class Forgotten:
    """It is due and nobody made it: what asked for it got lost, so ask again."""


Hastening: TypeAlias = Refused | Sooner | OnItsWay | Forgotten


def hasten(workflow: Workflow, task: Task, state: PollState | None, now: datetime) -> Hastening:
    """Tell what letting the next poll be due at `now` takes. It is a poll like any other: it counts, and the next interval is from it."""
    reason = _refusal(workflow, task)
    if reason is None and (state is None or not state.is_open):
        reason = f"Task {task.task_reference_name} is not polling at this moment: it is about to begin or to end. Look again."
    if reason is not None or state is None:
        return Refused(reason or "")
    if now < state.due:
        return Sooner(replace(state, due=now))
    return Forgotten() if state.due + SWEEP_GRACE <= now else OnItsWay()


def _refusal(workflow: Workflow, task: Task) -> str | None:
    reference, kind = task.task_reference_name, type_of(task)
    if kind.keeps_polls and workflow.status is WorkflowStatus.PAUSED:
        return f"Workflow {workflow.workflow_id} is PAUSED: resume it, then poll."
    if workflow.status.terminal:
        return f"Workflow {workflow.workflow_id} is {workflow.status}: nothing is polled any more."
    if task.status.terminal or not workflow.shows(task):
        return f"Task {reference} is {task.status}: it waits for nothing any more."
    if task.queue is not None:
        return f"Task {reference} is for workers: one of them asks for it, nothing is polled here."
    return None if kind.keeps_polls else f"Task {reference} is a {task.task_type}: only HTTP_POLL tasks and tries of actions are polled."
