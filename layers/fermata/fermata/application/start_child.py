"""Start a run on behalf of another one: a SUB_WORKFLOW's child, a START_WORKFLOW's run, a failure workflow."""

import logging
from collections.abc import Mapping

from fermata.application.advance import load
from fermata.application.engine import Engine
from fermata.application.families import end_forsaken
from fermata.application.look import execution
from fermata.application.start import StartWorkflow, start
from fermata.domain.chains import next_link
from fermata.domain.errors import InvalidRequest, RequestError
from fermata.domain.executions import Task, Workflow
from fermata.domain.expressions.text import text_of
from fermata.domain.idempotency import strategy_named
from fermata.domain.ids import child_id, failure_workflow_id
from fermata.domain.json_value import Json
from fermata.domain.status import TaskStatus
from fermata.domain.tasks import sub_workflow
from fermata.domain.tasks.task_type import Finished
from fermata.wire.definitions import workflow_definition_from_json
from fermata.wire.executions import task_to_json, workflow_to_json
from fermata.wire.requests import start_request_from_json

_logger = logging.getLogger(__name__)


def start_child(engine: Engine, task: Task, parent: Workflow) -> Finished | None:
    """Start the child that a SUB_WORKFLOW task waits for. Return None, or why it cannot start. Safe to repeat."""
    given = task.input
    inline = given.get("subWorkflowDefinition")
    version = given.get("subWorkflowVersion")
    try:
        request = StartWorkflow(
            name=text_of(given.get("subWorkflowName") or ""),
            version=version or None,  # 0 means the latest
            input=given.get("workflowInput") or given,
            correlation_id=parent.correlation_id,
            priority=given.get("priority") or 0,
            task_to_domain=given.get("subWorkflowTaskToDomain") or parent.task_to_domain,
            definition=workflow_definition_from_json(inline) if inline is not None else None,
            workflow_id=child_id(task.task_id),
            parent_workflow_id=parent.workflow_id,
            parent_workflow_task_id=task.task_id,
            depth=parent.depth + 1,
            chain=next_link(parent, engine.clock.now()),
            idempotency_key=_key(given.get("idempotencyKey")),
            idempotency_strategy=strategy_named(_key(given.get("idempotencyStrategy"))),
        )
        started = start(engine, request)
        if started != request.workflow_id:
            return _as_it_ended(engine, started)
        end_forsaken(engine, started)  # its task may have ended while it was being started
    except RequestError as error:
        return Finished(TaskStatus.FAILED, {}, _reason("The sub workflow could not be started", error))
    return None


def _as_it_ended(engine: Engine, workflow_id: str) -> Finished:
    """Return the end of the run that has the key (`RETURN_EXISTING`). One that goes on would not tell this task of its end: FAILED."""
    existing = load(engine, workflow_id).workflow
    if existing.status.terminal:
        return sub_workflow.ended(existing)
    reason = f"Workflow {workflow_id} has the idempotency key and is {existing.status}; a retry of this task looks again"
    return Finished(TaskStatus.FAILED, {"subWorkflowId": workflow_id}, reason)


def _key(given: Json) -> str | None:
    return text_of(given) if given not in (None, "") else None


def start_beside(engine: Engine, task: Task, parent: Workflow) -> Finished:
    """Start the run that a START_WORKFLOW task asks for and does not wait for. Safe to repeat."""
    try:
        asked = start_request_from_json(task.input.get("startWorkflow"))
        request = StartWorkflow(
            name=asked.name,
            version=asked.version,
            input=asked.input,
            correlation_id=asked.correlation_id or parent.correlation_id,
            priority=asked.priority,
            task_to_domain=asked.task_to_domain or parent.task_to_domain,
            definition=asked.workflow_def,
            workflow_id=child_id(task.task_id),
            chain=next_link(parent, engine.clock.now()),
            idempotency_key=asked.idempotency_key or None,
            idempotency_strategy=strategy_named(asked.idempotency_strategy),
        )
        return Finished(TaskStatus.COMPLETED, {"workflowId": start(engine, request)})
    except RequestError as error:
        return Finished(TaskStatus.FAILED, {}, _reason("The workflow could not be started", error))


def start_failure_workflow(engine: Engine, workflow_id: str) -> None:
    """Start the failure workflow of a failed run with Conductor's input (engine reference, 3.6). Safe to repeat.

    A failure workflow that fails and has one itself, perhaps itself, would go on for ever: the depth of runs ends that, too.
    """
    view = execution(engine, workflow_id, include_tasks=True)
    failed = load(engine, workflow_id).workflow
    if failed.depth >= engine.limits.max_sub_workflow_depth:
        _logger.warning("the failure workflow of %s is not started: %d runs have started each other", workflow_id, failed.depth)
        return
    tasks = [task_to_json(each.task, each.workflow, each.workflow_task, each.poll) for each in view.tasks]
    given: dict[str, Json] = {
        **failed.input,
        "workflowId": failed.workflow_id,
        "reason": failed.reason_for_incompletion,
        "failureStatus": failed.status.value,
        "failedWorkflow": workflow_to_json(failed, view.definition, tasks),
    }
    if failed.failed_task_id:
        given["failureTaskId"] = failed.failed_task_id
    request = StartWorkflow(
        name=_failure_name(view.definition.failure_workflow or "", failed.input),
        version=view.definition.failure_workflow_version,
        input=given,
        correlation_id=failed.correlation_id,
        task_to_domain=failed.task_to_domain,
        workflow_id=failure_workflow_id(workflow_id, failed.generation),
        depth=failed.depth + 1,
        chain=next_link(failed, engine.clock.now()),
    )
    try:
        start(engine, request)
    except RequestError as error:
        # Nobody waits for an answer here: the failed run is over, and its failure workflow is missing or wrong.
        _logger.warning("the failure workflow of %s could not be started: %s", workflow_id, error)


def _failure_name(given: str, run_input: Mapping[str, Json]) -> str:
    """Return the name; `$workflow.input.key` (Conductor) and `${workflow.input.key}` name an input."""
    if not given.startswith("$"):
        return given
    return text_of(run_input.get(given.strip("${}").rpartition(".")[2], given))


def _reason(what: str, error: RequestError) -> str:
    wrong = "; ".join(f"{each.path}: {each.message}" for each in error.violations[:3]) if isinstance(error, InvalidRequest) else ""
    return f"{what}: {error}{' ' + wrong if wrong else ''}"
