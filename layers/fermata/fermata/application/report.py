"""Take what an outside party says about a task: a worker's result, a sign of life, the end of a WAIT or HUMAN task."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count

from fermata.application.advance import advance, load
from fermata.application.complete import write_end
from fermata.application.engine import Engine
from fermata.application.hand_out import arm, moved
from fermata.domain.commands import Note
from fermata.domain.errors import Conflict, InvalidRequest, NotFound
from fermata.domain.executions import Task, Workflow
from fermata.domain.flow import suffixed
from fermata.domain.ids import task_id as id_of
from fermata.domain.json_value import JsonObject
from fermata.domain.messages import WakeTask
from fermata.domain.operations import Order
from fermata.domain.outcomes import MAX_REASON_CHARACTERS, Outcome
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.working import LogEntry, WorkItem, WorkKey, extended, put_back

MAX_LOGS = 10  # entries that one result may carry; the rest is dropped, as in Conductor
FORGOTTEN = timedelta(seconds=30)  # after that somebody looks whether a recorded result was acted on
REPORTABLE = (TaskStatus.IN_PROGRESS, TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.FAILED_WITH_TERMINAL_ERROR, TaskStatus.CANCELED)


@dataclass(frozen=True)
class TaskResult:
    """What is said about a task attempt (reference 3.3). `output` replaces what was said before."""

    workflow_id: str
    task_id: str
    status: TaskStatus
    output: JsonObject = field(default_factory=dict)
    reason: str | None = None
    callback_after_seconds: int = 0
    worker_id: str | None = None
    logs: Sequence[LogEntry] = ()
    extend_lease: bool = False


def report(engine: Engine, result: TaskResult, order: Order | None = None) -> Task:
    """Act on the result and return the attempt it is about, as it was before. Safe to repeat. `order`: who ends what is no worker's task.

    What is said about an attempt or a run that is over changes nothing. Raises `NotFound` for an unknown run or attempt,
    `InvalidRequest` for a status that cannot be reported, `Conflict` for a task that only ends by itself.
    """
    if result.status not in REPORTABLE:
        raise InvalidRequest(f"status must be one of {', '.join(REPORTABLE)}, not {result.status}")
    run = load(engine, result.workflow_id).workflow
    task = engine.executions.load_tasks(result.workflow_id, (result.task_id,)).get(result.task_id)
    if task is None:
        raise NotFound(f"No such task found by id: {result.task_id}")
    if run.status.terminal or task.status.terminal or not run.shows(task):
        return task
    if type_of(task).waits_for_others:
        raise Conflict(f"Task {task.task_id} is a {task.task_type}: it ends by the tasks that it waits for")
    engine.task_logs.append(WorkKey(task.workflow_id, task.task_id), result.logs[:MAX_LOGS])
    _act(engine, result, task, order)
    return task


def report_by_reference(  # noqa: PLR0913 - what is said of a task, and by whom
    engine: Engine,
    workflow_id: str,
    reference_name: str,
    status: TaskStatus,
    output: JsonObject,
    worker_id: str | None,
    *,
    order: Order | None = None,
) -> str:
    """Report on the open attempt of a reference name; `output` is merged into what there is. Return its id.

    Raises `NotFound` when none is open. A task of a loop may be named without its iteration.
    """
    task = open_attempt(engine, workflow_id, reference_name)
    item = _item(engine, task)
    known = item.output if item and item.output else task.output
    report(engine, TaskResult(workflow_id, task.task_id, status, {**known, **output}, worker_id=worker_id), order)
    return task.task_id


def open_attempt(engine: Engine, workflow_id: str, reference_name: str) -> Task:
    """Return the open attempt of a reference name, in a loop that of the newest iteration. Raises `NotFound` when none is open."""
    run = load(engine, workflow_id).workflow
    task = None if run.status.terminal else _open_attempt(engine, run, reference_name)
    if task is None:
        raise NotFound(f"No pending task with reference name {reference_name} in workflow {workflow_id}")
    return task


def write_log(engine: Engine, task_id: str, log: str) -> None:
    """Keep a text about an attempt. Raises `NotFound`."""
    engine.task_logs.append(_key(engine, task_id), (LogEntry(log, engine.clock.now()),))


def read_log(engine: Engine, task_id: str) -> Sequence[LogEntry]:
    """Return every entry, oldest first. Raises `NotFound`."""
    return engine.task_logs.read(_key(engine, task_id))


def _act(engine: Engine, result: TaskResult, task: Task, order: Order | None) -> None:
    item = _item(engine, task)
    if result.extend_lease:
        if item is not None:  # the alarm of the old deadline comes and finds the new one
            moved(engine, item, lambda standing: extended(standing, engine.clock.now()))
    elif result.status is not TaskStatus.IN_PROGRESS:
        write_end(engine, task, result.status, order)
        _end(engine, result, task, item)
    elif item is None:
        advance(engine, task.workflow_id, command=Note(task.task_id, result.output, result.worker_id))
    else:
        _put_back(engine, result, item)


def _put_back(engine: Engine, result: TaskResult, item: WorkItem) -> None:
    wait = max(0, result.callback_after_seconds)
    after = moved(engine, item, lambda standing: put_back(standing, result.output, result.worker_id, wait, engine.clock.now()))
    if after is not None:
        arm(engine, after)


def _end(engine: Engine, result: TaskResult, task: Task, item: WorkItem | None) -> None:
    """Record the outcome, then bring the run on. In between a crash loses nothing: the worker row's alarms, or this one, look again."""
    now = engine.clock.now()
    if item is None:
        engine.alarms.send(WakeTask(task.workflow_id, task.task_id), now + FORGOTTEN, now)
    engine.executions.record(
        Outcome(
            task_id=task.task_id,
            workflow_id=task.workflow_id,
            status=result.status,
            at=now,
            output=result.output,
            reason=result.reason[:MAX_REASON_CHARACTERS] if result.reason else None,
            started_at=(item.started_at if item else None) or task.start_time,
            poll_count=item.poll_count if item else task.poll_count,
            worker_id=result.worker_id or (item.worker_id if item else None),
        )
    )
    advance(engine, task.workflow_id, task.task_id)


def _item(engine: Engine, task: Task) -> WorkItem | None:
    key = WorkKey(task.workflow_id, task.task_id)
    return engine.work.load([key]).get(task.task_id) if task.queue is not None else None


def _open_attempt(engine: Engine, run: Workflow, reference_name: str) -> Task | None:
    """Find the newest attempt by its derived id: the run's other tasks are not read."""
    iteration = run.newest_iterations.get(reference_name, 0)
    names = dict.fromkeys((reference_name, suffixed(reference_name, iteration)))
    # A rerun from a task keeps what was before it, in the generation it had.
    for generation in range(run.generation, run.first_generation - 1, -1):
        for name in names:
            task = _newest(engine, run, name, generation)
            if task is not None and not task.status.terminal:
                return task
    return None


def _newest(engine: Engine, run: Workflow, name: str, generation: int) -> Task | None:
    task: Task | None = None
    for attempt in count():
        wanted = id_of(run.workflow_id, generation, name, attempt)
        task = engine.executions.load_tasks(run.workflow_id, (wanted,)).get(wanted)
        if task is None or not task.retried:
            break
    return task


def _key(engine: Engine, task_id: str) -> WorkKey:
    workflow_id = engine.executions.workflow_of(task_id)
    if workflow_id is None:
        raise NotFound(f"No such task found by id: {task_id}")
    return WorkKey(workflow_id, task_id)
