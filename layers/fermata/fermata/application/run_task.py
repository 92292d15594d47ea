"""Try one task that a door carries out: make its request, publish its event or start its run, record the outcome, bring the run on."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from fermata.application.advance import advance, load
from fermata.application.engine import Engine
from fermata.application.families import end_forsaken
from fermata.application.publish import publish
from fermata.application.revealing import Revealing
from fermata.application.start_child import start_beside, start_child
from fermata.domain.commands import Accept
from fermata.domain.errors import NotFound
from fermata.domain.executions import Task, Workflow
from fermata.domain.flow import unsuffixed
from fermata.domain.http_exchange import HttpFailure
from fermata.domain.http_rules import BadRequestFields
from fermata.domain.ids import child_id, idempotency_key
from fermata.domain.messages import RunTask
from fermata.domain.outcomes import MAX_REASON_CHARACTERS, Outcome
from fermata.domain.status import TaskStatus
from fermata.domain.tasks import http
from fermata.domain.tasks.event import EVENT
from fermata.domain.tasks.http import HTTP
from fermata.domain.tasks.registry import type_of
from fermata.domain.tasks.start_workflow import START_WORKFLOW
from fermata.domain.tasks.sub_workflow import SUB_WORKFLOW
from fermata.domain.tasks.task_type import Finished


def run_task(engine: Engine, message: RunTask) -> None:
    """Try the attempt unless it is over or its outcome is recorded. A repeat sends the request again only if no outcome was recorded."""
    found = _open_task(engine, message)
    if found is None:
        # Its child may have been started by a delivery that died just then: nobody else would end it.
        end_forsaken(engine, child_id(message.task_id))
        return
    if not engine.executions.outcomes(message.workflow_id, (message.task_id,)):
        _try(engine, *found)
    advance(engine, message.workflow_id, message.task_id)


def _open_task(engine: Engine, message: RunTask) -> tuple[Task, Workflow] | None:
    try:
        stored = load(engine, message.workflow_id)
    except NotFound:
        return None  # removed meanwhile: the message is stale
    if stored.workflow.status.terminal:
        return None
    task = engine.executions.load_tasks(message.workflow_id, (message.task_id,)).get(message.task_id)
    return None if task is None or task.status.terminal else (task, stored.workflow)


def _try(engine: Engine, task: Task, workflow: Workflow) -> None:
    """Carry the task out; record how it ended, unless it goes on elsewhere or an outside party ends it."""
    waits_outside = _ends_outside(engine, task, workflow)
    if waits_outside and task.status is TaskStatus.IN_PROGRESS:
        return  # carried out by an earlier delivery
    started = engine.clock.now()
    finished = _RUNNERS[type_of(task).name](engine, task, workflow)
    if finished is None:
        return
    if waits_outside and finished.status.successful:
        advance(engine, task.workflow_id, command=Accept(task.task_id, finished.output, started))
        return
    engine.executions.record(
        Outcome(
            task_id=task.task_id,
            workflow_id=task.workflow_id,
            status=finished.status,
            at=engine.clock.now(),
            output=finished.output,
            reason=finished.reason[:MAX_REASON_CHARACTERS] if finished.reason else None,
            started_at=started,
        )
    )


def _ends_outside(engine: Engine, task: Task, workflow: Workflow) -> bool:
    """Tell whether an outside party ends the task (Conductor engine reference, 3.8): its step says so, or its input."""
    if not type_of(task).may_end_outside:
        return False
    step = task.step or engine.definitions.pinned(workflow.definition_key).flow.step(unsuffixed(task.task_reference_name, task.iteration))
    return step.async_complete or task.input.get("asyncComplete") is True


def _request(engine: Engine, task: Task, workflow: Workflow) -> Finished:  # noqa: ARG001 - the signature of a runner
    key = idempotency_key(task.workflow_id, task.generation, task.task_reference_name)
    secrets = Revealing(engine.secrets.get)
    try:
        result = engine.http.send(http.request_of(secrets.fill(task.input), key))
        if isinstance(result, HttpFailure):
            result = replace(result, reason=secrets.hide(result.reason))
        return http.interpret(task.input, result)
    except BadRequestFields as error:
        reason = secrets.hide(str(error))
        return Finished(TaskStatus.FAILED, {"response": reason}, reason)


# How a door carries out each type that has a runner; None: the task goes on elsewhere and is not over.
_RUNNERS: Mapping[str, Callable[[Engine, Task, Workflow], Finished | None]] = {
    EVENT.name: publish,
    HTTP.name: _request,
    START_WORKFLOW.name: start_beside,
    SUB_WORKFLOW.name: start_child,
}
