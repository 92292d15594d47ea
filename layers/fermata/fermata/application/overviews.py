"""Tell of many runs what each waits for, in a few reads for all of them: five of DynamoDB, however many runs and tasks they have."""

from collections.abc import Mapping, Sequence

from fermata.application.awaited import with_last_polls
from fermata.application.engine import Engine
from fermata.application.look import as_held, as_polled, step_of
from fermata.domain.awaited import Standing
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.executions import Task, Workflow
from fermata.domain.overview import Overview, overview
from fermata.domain.tasks.registry import type_of
from fermata.domain.working import WorkKey
from fermata.ports import StoredWorkflow


def overviews(engine: Engine, workflow_ids: Sequence[str]) -> Mapping[str, Overview]:
    """Return the line about each run that is stored and not over, by id."""
    stored = {each: run for each, run in engine.executions.glance(workflow_ids).items() if not run.workflow.status.terminal}
    if not stored:
        return {}
    definitions = engine.definitions.pinned_all({run.workflow.definition_key for run in stored.values()})
    standing = _standing(engine, _tasks(engine, stored), stored, definitions)
    now = engine.clock.now()
    found = {each: overview(definitions[run.workflow.definition_key], run.workflow, standing[each], now) for each, run in stored.items()}
    return with_last_polls(engine, found)


def _tasks(engine: Engine, stored: Mapping[str, StoredWorkflow]) -> Sequence[Task]:
    """Return the tasks that the runs' rows name as open, those of a decision not yet carried out included."""
    wanted = [WorkKey(each, task_id) for each, run in stored.items() for task_id in _named(run.workflow)]
    settled = {glimpse.task.task_id: glimpse.task for glimpse in engine.executions.glance_at(wanted)}
    pending = {task.task_id: task for run in stored.values() if run.outbox for task in run.outbox.tasks}
    known = {**settled, **pending}
    return [known[key.task_id] for key in wanted if key.task_id in known]


def _named(run: Workflow) -> Sequence[str]:
    """Return the ids that the row names: of a run older than that list, the last task that was scheduled."""
    return run.waits or ((run.last_task_id,) if run.last_task_id else ())


def _standing(
    engine: Engine, tasks: Sequence[Task], stored: Mapping[str, StoredWorkflow], definitions: Mapping[str, WorkflowDefinition]
) -> Mapping[str, Sequence[Standing]]:
    polling = [task.task_id for task in tasks if type_of(task).keeps_polls]
    polls = engine.polls.states(polling) if polling else {}
    queued = [WorkKey(task.workflow_id, task.task_id) for task in tasks if task.queue is not None]
    items = engine.work.load(queued) if queued else {}
    found: dict[str, list[Standing]] = {each: [] for each in stored}
    for task in tasks:
        flow = definitions[stored[task.workflow_id].workflow.definition_key].flow
        poll = polls.get(task.task_id)
        shown = as_polled(as_held(task, items), poll)
        found[task.workflow_id].append(Standing(shown, step_of(task, flow), poll, items.get(task.task_id)))
    return found
