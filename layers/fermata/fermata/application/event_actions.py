"""What an event can do: start a run, end a task, end a run, set variables (Conductor engine reference, 8.1)."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, assert_never

from fermata.application import operate
from fermata.application.engine import Engine
from fermata.application.report import TaskResult, open_attempt, report
from fermata.application.start import StartWorkflow, start
from fermata.domain.errors import InvalidRequest, NotFound, RequestError
from fermata.domain.event_handlers import (
    ActionType,
    EventAction,
    EventMessage,
    StartWorkflowAction,
    TaskAction,
    TerminateWorkflowAction,
    UpdateVariablesAction,
)
from fermata.domain.event_validation import details
from fermata.domain.expressions import Scope, resolve, reveal
from fermata.domain.expressions.text import text_of
from fermata.domain.ids import event_run_id
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.sinks import Provider
from fermata.domain.status import TaskStatus

# Conductor's default queues end in these; a message there names its task in `externalId`.
_COMPLETION_QUEUES = {"_COMPLETED": TaskStatus.COMPLETED, "_FAILED": TaskStatus.FAILED}


def carry_out(engine: Engine, action: EventAction, message: EventMessage, handler: str, index: int) -> dict[str, Any]:
    """Return what is recorded of the action. Safe to repeat. Raises `RequestError` for what cannot be done, `TransientError`."""
    match details(action):
        case StartWorkflowAction() as wanted:
            run_id = event_run_id(handler, message.event, message.message_id, index)
            return {"workflowId": _start(engine, wanted, message, run_id)}
        case TaskAction() as wanted:
            status = TaskStatus.COMPLETED if action.action == ActionType.COMPLETE_TASK else TaskStatus.FAILED
            return _end_task(engine, wanted, message, status)
        case TerminateWorkflowAction(workflow_id, reason):
            run_id, why = _text(workflow_id, message), _text(reason, message)
            operate.terminate(engine, run_id, why or f"Terminated by event {message.event}")
            return {"workflowId": run_id}
        case UpdateVariablesAction(workflow_id, variables):
            run_id = _text(workflow_id, message)
            operate.update_variables(engine, run_id, _resolved(variables, message))
            return {"workflowId": run_id}
        case None:
            raise InvalidRequest(f"action {action.action} is not known here")
        case _ as never:
            assert_never(never)


def complete_by_external_id(engine: Engine, message: EventMessage) -> None:
    """End the task that a message in a `*_COMPLETED` or `*_FAILED` queue names in `externalId`, with the message as its output.

    `externalId` is a JSON text `{"workflowId":..., "taskRefName" | "taskId":...}`. What names no open task is nobody's, as in Conductor.
    """
    status = next((ends for suffix, ends in _COMPLETION_QUEUES.items() if message.event.endswith(suffix)), None)
    if status is None or not message.event.startswith(f"{Provider.SQS.value}:") or not isinstance(message.payload, Mapping):
        return
    named = _external_id(message.payload.get("externalId"))
    wanted = TaskAction(named.get("workflowId"), named.get("taskRefName"), named.get("taskId"))
    if wanted.task_id or (wanted.workflow_id and wanted.task_ref_name):
        with suppress(RequestError):
            _report(engine, wanted, status, message.payload)


def _external_id(text: Json) -> Mapping[str, str]:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    return {key: item for key, item in value.items() if isinstance(item, str)} if isinstance(value, dict) else {}


def _start(engine: Engine, wanted: StartWorkflowAction, message: EventMessage, run_id: str) -> str:
    payload = message.payload if isinstance(message.payload, Mapping) else {}
    request = StartWorkflow(
        name=wanted.name or "",
        version=wanted.version,
        input={**_resolved(wanted.input, message), **_event_keys(message)},
        correlation_id=_text(wanted.correlation_id, message) or None,
        task_to_domain=wanted.task_to_domain or payload.get("taskToDomain") or {},
        event=message.event,
        workflow_id=run_id,
        chain=message.chain,
    )
    return start(engine, request)


def _end_task(engine: Engine, wanted: TaskAction, message: EventMessage, status: TaskStatus) -> dict[str, Any]:
    """End the task. That there is none is no error (Conductor): it stands in what is recorded."""
    where = {"workflowId": wanted.workflow_id, "taskId": wanted.task_id, "taskRefName": wanted.task_ref_name}
    output = _resolved({**where, **wanted.output}, message)
    found = TaskAction(
        workflow_id=_word(output.get("workflowId")),
        task_ref_name=_word(output.get("taskRefName")),
        task_id=_word(output.get("taskId")),
        reason_for_incompletion=_text(wanted.reason_for_incompletion, message) or None,
    )
    recorded: dict[str, Any] = {"workflowId": found.workflow_id, "taskId": found.task_id, "taskRefName": found.task_ref_name}
    try:
        return {**recorded, "taskId": _report(engine, found, status, {**output, **_event_keys(message)})}
    except NotFound as error:
        return {**recorded, "error": str(error)}


def _report(engine: Engine, wanted: TaskAction, status: TaskStatus, output: JsonObject) -> str:
    """Return the id of the task that was told. Raises `NotFound` when there is none, or none that is open under that name."""
    reason = wanted.reason_for_incompletion
    if not wanted.task_id:
        if not wanted.workflow_id or not wanted.task_ref_name:
            raise NotFound(f"No task found with workflowId: {wanted.workflow_id}, reference name: {wanted.task_ref_name}")
        task = open_attempt(engine, wanted.workflow_id, wanted.task_ref_name)
        return report(engine, TaskResult(task.workflow_id, task.task_id, status, output, reason)).task_id
    run_id = wanted.workflow_id or engine.executions.workflow_of(wanted.task_id)
    if run_id is None:
        raise NotFound(f"No such task found by id: {wanted.task_id}")
    return report(engine, TaskResult(run_id, wanted.task_id, status, output, reason)).task_id


def _event_keys(message: EventMessage) -> dict[str, Any]:
    return {"conductor.event.messageId": message.message_id, "conductor.event.name": message.event}


def _resolved(template: JsonObject, message: EventMessage) -> dict[str, Any]:
    """Return the template with every `${...}` read from the payload. It can ask for no secret: such a reference is null."""
    payload = message.payload if isinstance(message.payload, Mapping) else {}
    value = reveal(resolve(dict(template), Scope(payload.get)), lambda _name: None)
    return {key: value[key] for key in value}


def _text(template: str | None, message: EventMessage) -> str:
    return _word(_resolved({"text": template}, message)["text"]) or ""


def _word(value: Json) -> str | None:
    return None if value is None else text_of(value)
