"""Forget runs."""

from fermata.application.advance import advance, load
from fermata.application.engine import Engine
from fermata.domain.commands import Terminate
from fermata.domain.errors import InvalidRequest
from fermata.domain.tasks.registry import type_of
from fermata.domain.working import WorkKey


def remove(engine: Engine, workflow_id: str, *, finished_only: bool) -> None:
    """Forget a run with everything that belongs to it but payloads, which have a time to live of their own.

    One that is not over is terminated first, or with `finished_only` refused: `InvalidRequest`. Raises `NotFound` for an unknown run.
    Safe to repeat: a removal that was cut short leaves the run to be found and removed again.
    """
    run = load(engine, workflow_id).workflow
    if not run.status.terminal:
        if finished_only:
            raise InvalidRequest(f"Workflow {workflow_id} is {run.status}; terminate it before it is removed, or use terminate-remove")
        advance(engine, workflow_id, command=Terminate("The workflow is being removed"))
    for task in engine.executions.all_tasks(workflow_id):
        if type_of(task).keeps_polls:
            engine.polls.remove(task.task_id)
        key = WorkKey(workflow_id, task.task_id)
        engine.task_logs.remove(key)
        if task.queue is not None:
            engine.work.remove(key)
    engine.operations.remove(workflow_id)
    engine.executions.remove(workflow_id)


def terminate_and_remove(engine: Engine, workflow_id: str, reason: str | None) -> None:
    """End a run, if it is not over, and forget it. Raises `NotFound` for an unknown run."""
    if not load(engine, workflow_id).workflow.status.terminal:
        advance(engine, workflow_id, command=Terminate(reason))
    remove(engine, workflow_id, finished_only=True)
