"""What an order to one run means for the runs below and above it (Conductor engine reference, 7.4 and 7.9).

Each run is moved by a decision of its own, children first: a parent that is revived looks at once how its child is. An order that dies
in between can be repeated; a run that goes on already is left alone then.
"""

import contextlib

from fermata.application.advance import advance, load
from fermata.application.engine import Engine
from fermata.domain.commands import Retry, Terminate
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.executions import Task, Workflow
from fermata.domain.operations import Operation
from fermata.domain.orders.reviving import is_unsuccessful


def retry_with_children(engine: Engine, workflow_id: str, operation: Operation | None = None) -> None:
    """Retry a finished run; its failed children go on themselves, under their ids. Raises as a retry does.

    `operation` is written down with this run: its children go on by it.
    """
    run = load(engine, workflow_id).workflow
    if run.status.terminal:
        for task in engine.executions.all_tasks(workflow_id):
            if task.sub_workflow_id and run.shows(task) and is_unsuccessful(task):
                with contextlib.suppress(NotFound, Conflict):  # it goes on already, is over for good, or was never started
                    retry_with_children(engine, task.sub_workflow_id)
    advance(engine, workflow_id, command=Retry(resume_subworkflows=True), operation=operation)


def revive_ancestors(engine: Engine, workflow_id: str) -> None:
    """Let the finished runs above a run that goes on again wait for it, and retry what else was unsuccessful in them.

    It stops at a run that is not over, or whose task has succeeded, may fail, or was tried again with another child.
    """
    run = load(engine, workflow_id).workflow
    while (parent := _waits_no_longer(engine, run)) is not None:
        with contextlib.suppress(NotFound, Conflict):  # somebody else has just moved it
            retry_with_children(engine, parent.workflow_id)
        run = parent


def descendant_with(engine: Engine, workflow_id: str, task_id: str) -> str | None:
    """Return the id of the run that a task belongs to, if it stands in this run at any depth; None for a task of this run or of others.

    Raises `NotFound` for an unknown run, `Conflict` for a task of a descendant while this run is not over.
    """
    top, owner = load(engine, workflow_id).workflow, engine.executions.workflow_of(task_id)
    if owner is None or owner == workflow_id:
        return None
    above: Workflow | None = load(engine, owner).workflow
    while above is not None and above.workflow_id != workflow_id:
        above, _ = _parent(engine, above)
    if above is None:
        return None
    if not top.status.terminal:
        raise Conflict(f"Workflow {workflow_id} is {top.status}; only a finished workflow can be rerun")
    return owner


def end_forsaken(engine: Engine, workflow_id: str) -> None:
    """Terminate a child that nobody waits for any more. Safe to repeat: one that is awaited (again), over or not there stays as it is."""
    with contextlib.suppress(NotFound, Conflict):  # it never started, or it is over
        run = load(engine, workflow_id).workflow
        reason = None if run.parent_workflow_id is None or run.status.terminal else _forsaken(*_parent(engine, run))
        if reason is not None:
            advance(engine, workflow_id, command=Terminate(reason))


def _forsaken(parent: Workflow | None, task: Task | None) -> str | None:
    """Return why nobody waits for a child, in Conductor's words where it has some (engine reference, 6.9), or None: somebody does."""
    if parent is None:
        return "Parent workflow has been removed"
    if parent.status.terminal:
        how = f"reason: {parent.reason_for_incompletion}" if parent.reason_for_incompletion else f"status {parent.status}"
        return f"Parent workflow has been terminated with {how}"
    if task is None:
        return "Parent workflow has begun again without this one"
    if not task.status.terminal:
        return None
    because = f": {task.reason_for_incompletion}" if task.reason_for_incompletion else ""
    return f"Parent workflow no longer waits, its task {task.task_reference_name} is {task.status}{because}"


def _waits_no_longer(engine: Engine, run: Workflow) -> Workflow | None:
    parent, task = _parent(engine, run)
    return parent if parent is not None and parent.status.terminal and task is not None and is_unsuccessful(task) else None


def _parent(engine: Engine, run: Workflow) -> tuple[Workflow | None, Task | None]:
    if run.parent_workflow_id is None or run.parent_workflow_task_id is None:
        return None, None
    try:
        parent = load(engine, run.parent_workflow_id).workflow
    except NotFound:
        return None, None
    task = engine.executions.load_tasks(parent.workflow_id, (run.parent_workflow_task_id,)).get(run.parent_workflow_task_id)
    return parent, task if task is not None and parent.shows(task) else None
