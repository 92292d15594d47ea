"""Workers played by functions: they finish open tasks of a name, at once in virtual time."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from fermata.application import look
from fermata.application.advance import advance
from fermata.application.engine import Engine
from fermata.domain.executions import Task
from fermata.domain.outcomes import Outcome
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.ports import WorkflowQuery

Worker: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]

MAX_RUNS = 10_000


class TaskFailed(Exception):
    """What a played worker raises to fail its task. `terminal`: without another try."""

    def __init__(self, reason: str, *, terminal: bool = False, output: Mapping[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.terminal = terminal
        self.output = output or {}


def play(engine: Engine, workers: Mapping[str, Worker]) -> bool:
    """Let each worker finish the open tasks of its name, in whatever run. Return whether any did."""
    found = [task for task in open_tasks(engine) if task.task_def_name in workers and _is_due(engine, task)]
    for task in found:
        finish(engine, task, *_work(workers[task.task_def_name], task))
    return bool(found)


def next_due(engine: Engine, workers: Mapping[str, Worker]) -> datetime | None:
    """Return when the next task that a worker plays becomes due, or None. Nothing wakes the engine for it: workers come by themselves."""
    found = [task.due for task in open_tasks(engine) if task.task_def_name in workers and task.due and not _is_due(engine, task)]
    return min(found, default=None)


def open_tasks(engine: Engine) -> list[Task]:
    """Return the tasks of all runs that are not over: older runs first, then by their order of scheduling."""
    running = engine.executions.search(WorkflowQuery(statuses={WorkflowStatus.RUNNING}, size=MAX_RUNS)).workflows
    views = [look.execution(engine, run.workflow_id, include_tasks=True) for run in reversed(running)]
    return [each.task for view in views for each in view.tasks if not each.task.status.terminal]


def finish(engine: Engine, task: Task, status: TaskStatus, output: Mapping[str, Any], reason: str | None = None) -> None:
    """Record how a task ended, and bring the run on."""
    now = engine.clock.now()
    engine.executions.record(Outcome(task.task_id, task.workflow_id, status, now, dict(output), reason, started_at=task.start_time or now))
    advance(engine, task.workflow_id, task.task_id)


def _is_due(engine: Engine, task: Task) -> bool:
    return task.due is None or task.due <= engine.clock.now() or task.status is TaskStatus.IN_PROGRESS


def _work(worker: Worker, task: Task) -> tuple[TaskStatus, Mapping[str, Any], str | None]:
    try:
        return TaskStatus.COMPLETED, worker(task.input) or {}, None
    except TaskFailed as failed:
        status = TaskStatus.FAILED_WITH_TERMINAL_ERROR if failed.terminal else TaskStatus.FAILED
        return status, failed.output, str(failed)
