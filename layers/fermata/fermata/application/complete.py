"""What an outside party says about a task that waits for it: a WAIT, a HUMAN."""

from fermata.application.advance import advance, load
from fermata.application.engine import Engine
from fermata.domain.commands import AddOutput
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.executions import Task
from fermata.domain.json_value import JsonObject
from fermata.domain.operations import Order, ending, of_end, operation
from fermata.domain.outcomes import MAX_REASON_CHARACTERS, Outcome
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.tasks.wait import WAIT

REPORTED = frozenset(TaskStatus) - {TaskStatus.SCHEDULED, TaskStatus.SKIPPED, TaskStatus.COMPLETED_WITH_ERRORS, TaskStatus.TIMED_OUT}


def complete_task(  # noqa: PLR0913 - what is said of a task, and by whom
    engine: Engine,
    workflow_id: str,
    task_id: str,
    status: TaskStatus,
    output: JsonObject,
    reason: str | None = None,
    *,
    order: Order | None = None,
) -> bool:
    """End an open task as `status`, or with IN_PROGRESS only add to its output. `output` is merged into what it has.

    Return False, changing nothing, when the task or the run is over already. The first end that is told wins; telling it again
    is harmless. Raises `NotFound` for an unknown run or task, `Conflict` for a task that only waits for others.
    """
    task = _task(engine, workflow_id, task_id)
    if task.status.terminal:
        return False
    if type_of(task).waits_for_others:
        raise Conflict(f"Task {task_id} is a {task.task_type}: it ends with the tasks that it waits for")
    if status is TaskStatus.IN_PROGRESS:
        advance(engine, workflow_id, task_id, command=AddOutput(task_id, output))
        return True
    write_end(engine, task, status, order)
    engine.executions.record(
        Outcome(
            task_id=task_id,
            workflow_id=workflow_id,
            status=status,
            at=engine.clock.now(),
            output={**task.output, **output},
            reason=reason[:MAX_REASON_CHARACTERS] if reason else None,
            started_at=task.start_time,
            poll_count=task.poll_count,
            worker_id=task.worker_id,
        )
    )
    advance(engine, workflow_id, task_id)
    return True


def write_end(engine: Engine, task: Task, status: TaskStatus, order: Order | None) -> None:
    """Write down who ends an attempt, before it ends. A worker's task is its work and no operation."""
    if order is not None and task.queue is None:
        now, key = engine.clock.now(), of_end(task.task_id)
        engine.operations.write(operation(order, task.workflow_id, ending(status), now, task.task_reference_name, key))


def signal(engine: Engine, workflow_id: str, status: TaskStatus, output: JsonObject, order: Order | None = None) -> Task | None:
    """Tell the WAIT that blocks the run. Return it as it was, or None when there is none. Raises `NotFound` for an unknown run.

    Its cost grows with the run: the first in the order of scheduling is looked for among all tasks.
    """
    waiting = first_waiting(engine, workflow_id)
    if waiting is not None:
        complete_task(engine, waiting.workflow_id, waiting.task_id, status, output, order=order)
    return waiting


def first_waiting(engine: Engine, workflow_id: str) -> Task | None:
    """Return the WAIT that blocks the run: its first open one in the order of scheduling, else that of its first running child.

    Raises `NotFound` for an unknown run.
    """
    run = load(engine, workflow_id).workflow
    if run.status.terminal:
        return None
    tasks = [task for task in engine.executions.all_tasks(workflow_id) if run.shows(task) and not task.status.terminal]
    own = next((task for task in tasks if type_of(task) is WAIT), None)
    return own or next(filter(None, (_waiting_in(engine, task.sub_workflow_id) for task in tasks if task.sub_workflow_id)), None)


def _waiting_in(engine: Engine, child_id: str) -> Task | None:
    try:
        return first_waiting(engine, child_id)
    except NotFound:
        return None  # it is just being started


def _task(engine: Engine, workflow_id: str, task_id: str) -> Task:
    run = load(engine, workflow_id).workflow
    task = engine.executions.load_tasks(workflow_id, (task_id,)).get(task_id)
    if task is None or not run.shows(task):
        raise NotFound(f"No such task found by id: {task_id}")
    return task
