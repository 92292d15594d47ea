"""What came of a run, in plain words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from fermata.application import look
from fermata.application.views import TaskView
from fermata.domain.polling import LedgerEntry
from fermata.rehearsal.stage import Stage

from fermata_testing.vendor import Request


@dataclass(frozen=True)
class TaskResult:
    """A task attempt as it ended, or as it stands. `polls` is the ledger of an HTTP_POLL task."""

    ref: str
    type: str
    status: str
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    reason: str | None
    attempt: int
    started: datetime | None
    ended: datetime | None
    poll_count: int
    task_id: str
    polls: Sequence[LedgerEntry] = ()


@dataclass(frozen=True)
class Event:
    """What an EVENT task published: `name` is `conductor:<workflow>:<queue>`, `sqs:<queue>` or `eventbridge:<bus>`."""

    name: str
    payload: Any


@dataclass(frozen=True)
class RunResult:
    """A run as it ended, or as it stands. `attempts` holds every task attempt in the order of scheduling.

    `events`: what the EVENT tasks of all runs published so far, those of other runs included.
    """

    name: str
    status: str
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    reason: str | None
    variables: Mapping[str, Any]
    elapsed: timedelta
    attempts: Sequence[TaskResult]
    requests: Sequence[Request]
    events: Sequence[Event]

    @property
    def tasks(self) -> dict[str, TaskResult]:
        """Return the newest attempt of each task by reference name (inside a loop `ref__1`, `ref__2`, ...), in order."""
        return {attempt.ref: attempt for attempt in self.attempts}

    @property
    def waiting(self) -> list[str]:
        """Return the reference names of the tasks that are not over."""
        return [] if self.status in _ENDS else [name for name, task in self.tasks.items() if task.status in _OPEN]


_OPEN = ("SCHEDULED", "IN_PROGRESS")
_ENDS = ("COMPLETED", "FAILED", "TIMED_OUT", "TERMINATED")


def result_of(stage: Stage, workflow_id: str, requests: Sequence[Request]) -> RunResult:
    """Return a run as it stands. `requests`: what the vendor got so far."""
    view = look.execution(stage.engine, workflow_id, include_tasks=True)
    run = view.workflow
    return RunResult(
        name=run.workflow_name,
        status=run.status.value,
        input=run.input,
        output=run.output,
        reason=run.reason_for_incompletion,
        variables=run.variables,
        elapsed=(run.end_time or stage.clock.now()) - run.create_time,
        attempts=[_task_result(stage, each) for each in view.tasks],
        requests=list(requests),
        events=[Event(said.event, said.payload) for said in stage.sinks.published],
    )


def _task_result(stage: Stage, view: TaskView) -> TaskResult:
    task = view.task
    return TaskResult(
        ref=task.task_reference_name,
        type=task.task_type,
        status=task.status.value,
        input=task.input,
        output=task.output,
        reason=task.reason_for_incompletion,
        attempt=task.retry_count,
        started=task.start_time,
        ended=task.end_time,
        poll_count=task.poll_count,
        task_id=task.task_id,
        polls=tuple(stage.polls.ledger(task.task_id)),
    )
