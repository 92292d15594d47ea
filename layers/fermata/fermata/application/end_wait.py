"""End a task that waits for an outside party, as a message in one of Conductor's completion queues would."""

from fermata.application.complete import complete_task
from fermata.application.engine import Engine
from fermata.application.report import open_attempt
from fermata.domain.errors import Conflict, InvalidRequest, NotFound
from fermata.domain.executions import Task
from fermata.domain.json_value import JsonObject
from fermata.domain.operations import Order
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.human import HUMAN
from fermata.domain.tasks.registry import type_of
from fermata.domain.tasks.wait import WAIT

ENDS = (TaskStatus.COMPLETED, TaskStatus.FAILED)  # each has a queue in Conductor, the others have none
_WAITING = (WAIT, HUMAN)


def end_wait_by_reference(
    engine: Engine, workflow_id: str, reference_name: str, status: str, output: JsonObject, order: Order | None = None
) -> None:
    """End the open WAIT or HUMAN of a reference name; `output` is merged into what it has.

    Raises `InvalidRequest` for a status without a queue, `NotFound` when nothing is open under that name, `Conflict` for another type.
    """
    ends = _ends(status)
    task = open_attempt(engine, workflow_id, reference_name)
    _end(engine, task, ends, output, order)


def end_wait(engine: Engine, workflow_id: str, task_id: str, status: str, output: JsonObject, order: Order | None = None) -> None:
    """Like `end_wait_by_reference`, by task id. A task that is over stays as it is: safe to repeat."""
    ends = _ends(status)
    task = engine.executions.load_tasks(workflow_id, (task_id,)).get(task_id)
    if task is None:
        raise NotFound(f"No such task found by id: {task_id}")
    _end(engine, task, ends, output, order)


def _end(engine: Engine, task: Task, ends: TaskStatus, output: JsonObject, order: Order | None) -> None:
    if type_of(task) not in _WAITING:
        names = " and ".join(kind.name for kind in _WAITING)
        raise Conflict(f"Task {task.task_id} is a {task.task_type}; only {names} tasks are ended by a queue")
    complete_task(engine, task.workflow_id, task.task_id, ends, output, order=order)


def _ends(status: str) -> TaskStatus:
    if status.upper() not in ENDS:
        raise InvalidRequest(f"There is no queue for the status {status[:40]!r}; use one of {', '.join(ENDS)}.")
    return TaskStatus(status.upper())
