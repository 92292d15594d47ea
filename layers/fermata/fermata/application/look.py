"""Answer questions about runs. Nothing here changes anything."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fermata.application.engine import Engine
from fermata.application.views import ExecutionView, TaskView
from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import NotFound
from fermata.domain.executions import Task
from fermata.domain.expressions import reveal
from fermata.domain.expressions import secret_names as names_in
from fermata.domain.flow import Flow, unsuffixed
from fermata.domain.operations import Operation
from fermata.domain.polling import LedgerEntry, PollState
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.working import WorkItem, WorkKey, as_worked
from fermata.ports import StoredWorkflow
from fermata.wire.definitions import workflow_definition_to_json


def execution(engine: Engine, workflow_id: str, *, include_tasks: bool) -> ExecutionView:
    """Return a run as of its last decision. Raises `NotFound`."""
    stored = _stored(engine, workflow_id)
    definition = engine.definitions.pinned(stored.workflow.definition_key)
    tasks = _views(engine, stored, definition.flow, engine.executions.all_tasks(workflow_id)) if include_tasks else ()
    return ExecutionView(stored.workflow, definition, tasks, is_settled=stored.outbox is None)


def summary(engine: Engine, workflow_id: str, *, include_tasks: bool) -> ExecutionView:
    """Return what `execution` does, without the payloads that are kept apart: their sizes are told. Raises `NotFound`."""
    stored = _glanced(engine, workflow_id)
    definition = engine.definitions.pinned(stored.workflow.definition_key)
    glimpses = engine.executions.glance_at_all(workflow_id) if include_tasks else ()
    tasks = _views(engine, stored, definition.flow, [glimpse.task for glimpse in glimpses]) if include_tasks else ()
    pending = {each.task_id for each in stored.outbox.tasks} if stored.outbox else set()
    apart = {glimpse.task.task_id: glimpse.left_out for glimpse in glimpses if glimpse.left_out and glimpse.task.task_id not in pending}
    return ExecutionView(stored.workflow, definition, tasks, {**apart, workflow_id: stored.left_out}, is_settled=stored.outbox is None)


def task(engine: Engine, task_id: str) -> TaskView:
    """Return one task attempt, whole. Its run's other tasks and payloads are not read. Raises `NotFound`."""
    workflow_id = engine.executions.workflow_of(task_id)
    if workflow_id is None:
        raise _no_task(task_id)
    stored = _glanced(engine, workflow_id)
    flow = engine.definitions.pinned(stored.workflow.definition_key).flow
    settled = engine.executions.load_tasks(workflow_id, (task_id,)).get(task_id)
    for found in _views(engine, stored, flow, [settled] if settled else ()):
        if found.task.task_id == task_id:
            return found
    raise _no_task(task_id)


def polls(engine: Engine, task_id: str, after: int = 0, most: int | None = None) -> Sequence[LedgerEntry]:
    """Return the polls of an HTTP_POLL attempt numbered above `after`, oldest first, `most` of them; none for another type.

    Raises `NotFound`.
    """
    entries = engine.polls.ledger(task_id, after, most)
    if not entries and not engine.polls.states([task_id]):
        task(engine, task_id)
    return entries


def operations(engine: Engine, workflow_id: str) -> Sequence[Operation]:
    """Return what was done to a run from outside, oldest first. Raises `NotFound`."""
    _stored(engine, workflow_id)
    return engine.operations.of(workflow_id)


def for_worker(engine: Engine, item: WorkItem) -> TaskView | None:
    """Return a SIMPLE attempt as its worker gets it; None when nobody waits for it any more.

    Workers get no secrets: a reference that got past registration is null. Text from outside that looks like one arrives as it was sent.
    """
    stored = engine.executions.load(item.workflow_id)
    found = engine.executions.load_tasks(item.workflow_id, (item.task_id,)).get(item.task_id) if stored else None
    if stored is None or found is None or stored.workflow.status.terminal or found.status.terminal:
        return None
    flow = engine.definitions.pinned(stored.workflow.definition_key).flow
    given = replace(as_worked(found, item), input=reveal(found.input, lambda _name: None))
    return _view(given, stored, flow, None)


def secret_names(engine: Engine) -> Sequence[str]:
    """Return the names of the secrets that registered definitions ask for. Whether they exist only those know who call vendors."""
    definitions = map(workflow_definition_to_json, engine.definitions.list_workflows())
    return sorted({name for definition in definitions for name in names_in(definition)})


def _stored(engine: Engine, workflow_id: str) -> StoredWorkflow:
    stored = engine.executions.load(workflow_id)
    if stored is None:
        raise NotFound(f"No such workflow found by id: {workflow_id}")
    return stored


def _no_task(task_id: str) -> NotFound:
    return NotFound(f"No such task found by id: {task_id}")


def _glanced(engine: Engine, workflow_id: str) -> StoredWorkflow:
    """Return a run's row without payloads kept apart. One that is on the move is read whole: what its outbox holds has no sizes."""
    stored = engine.executions.glance([workflow_id]).get(workflow_id)
    return _stored(engine, workflow_id) if stored is None or stored.outbox is not None else stored


def _views(engine: Engine, stored: StoredWorkflow, flow: Flow, settled: Sequence[Task]) -> tuple[TaskView, ...]:
    tasks = _tasks(stored, settled)
    polling = [task.task_id for task in tasks if type_of(task).keeps_polls and not task.output_recorded]  # else the row tells it all
    states = engine.polls.states(polling) if polling else {}
    queued = [WorkKey(task.workflow_id, task.task_id) for task in tasks if task.queue is not None and not task.output_recorded]
    items = engine.work.load(queued) if queued else {}
    return tuple(_view(as_held(task, items), stored, flow, states.get(task.task_id), items.get(task.task_id)) for task in tasks)


def as_held(task: Task, items: Mapping[str, WorkItem]) -> Task:
    """Return a SIMPLE attempt as its worker row tells it."""
    return as_worked(task, items[task.task_id]) if task.task_id in items else task


def _tasks(stored: StoredWorkflow, settled: Sequence[Task]) -> list[Task]:
    """Return the run's tasks, those of a decision not yet carried out included."""
    pending = {task.task_id: task for task in stored.outbox.tasks} if stored.outbox else {}
    removed = stored.outbox.removed if stored.outbox else ()
    known = {**{task.task_id: task for task in settled}, **pending}.values()
    tasks = [task for task in known if stored.workflow.shows(task) and task.task_id not in removed]
    return sorted(tasks, key=lambda task: task.seq)


def _view(task: Task, stored: StoredWorkflow, flow: Flow, poll: PollState | None, work: WorkItem | None = None) -> TaskView:
    return TaskView(as_polled(task, poll), stored.workflow, step_of(task, flow), poll, work)


def step_of(task: Task, flow: Flow) -> WorkflowTask | None:
    """Return the step that a task is an attempt of, None where the definition has none of the name."""
    place = flow.places.get(unsuffixed(task.task_reference_name, task.iteration))
    return task.step or (place.task if place else None)


def as_polled(task: Task, poll: PollState | None) -> Task:
    """Return an HTTP_POLL attempt as its hot row tells it: the task row does not move between polls."""
    if poll is None or poll.polls_made == 0 or task.output_recorded:
        return task
    counted = replace(task, poll_count=poll.polls_made, start_time=poll.started_at)
    if task.status.terminal:  # canceled or timed out between two polls
        return counted
    newest = poll.recent[-1] if poll.recent else None
    wait = (poll.due - newest.fired).total_seconds() if newest else 0
    return replace(
        counted,
        status=TaskStatus.IN_PROGRESS,
        update_time=newest.fired if newest else task.update_time,
        callback_after_seconds=max(0, round(wait)),
    )
