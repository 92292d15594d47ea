"""Runs and their tasks as Conductor shows them (reference 3.1, 3.2), and what we add for polls."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.executions import Task, Workflow
from fermata.domain.json_value import Json
from fermata.domain.polling import LedgerEntry, PollState
from fermata.domain.working import domain_of
from fermata.wire.definitions import task_definition_to_json, workflow_definition_to_json, workflow_task_to_json
from fermata.wire.records import epoch_ms


def workflow_to_json(workflow: Workflow, definition: WorkflowDefinition, tasks: Sequence[Json]) -> dict[str, Json]:
    """Return the Workflow body. `tasks` are bodies from `task_to_json`."""
    return _without_none(
        {
            "ownerApp": definition.owner_app,
            "createTime": epoch_ms(workflow.create_time),
            "updateTime": _ms(workflow.update_time),
            "createdBy": workflow.created_by,
            "status": workflow.status.value,
            "endTime": _ms(workflow.end_time),
            "startTime": epoch_ms(workflow.create_time),
            "workflowId": workflow.workflow_id,
            "workflowName": workflow.workflow_name,
            "workflowVersion": workflow.workflow_version,
            "parentWorkflowId": workflow.parent_workflow_id,
            "parentWorkflowTaskId": workflow.parent_workflow_task_id,
            "tasks": list(tasks),
            "input": dict(workflow.input),
            "output": dict(workflow.output),
            "correlationId": workflow.correlation_id,
            "event": workflow.event,
            "reasonForIncompletion": workflow.reason_for_incompletion,
            "taskToDomain": dict(workflow.task_to_domain),
            "failedReferenceTaskNames": list(workflow.failed_reference_task_names),
            "failedTaskNames": list(workflow.failed_task_names),
            "workflowDefinition": workflow_definition_to_json(definition),
            "priority": workflow.priority,
            "variables": dict(workflow.variables),
            "lastRetriedTime": _ms(workflow.last_retried_time),
            "history": [],
            "rateLimited": False,
        }
    )


def task_to_json(task: Task, workflow: Workflow, workflow_task: WorkflowTask | None, poll: PollState | None = None) -> dict[str, Json]:
    """Return the Task body. `poll` is the hot row of an HTTP_POLL attempt: while the task is not over, it tells the next poll's moment."""
    definition = workflow_task.task_definition if workflow_task else None
    body = {
        "taskType": task.task_type,
        "status": task.status.value,
        "inputData": dict(task.input),
        "referenceTaskName": task.task_reference_name,
        "retryCount": task.retry_count,
        "seq": task.seq,
        "correlationId": workflow.correlation_id,
        "pollCount": task.poll_count,
        "taskDefName": task.task_def_name,
        **_task_times(task),
        "startDelayInSeconds": task.start_delay_in_seconds,
        "retriedTaskId": task.retried_task_id,
        "retried": task.retried,
        "executed": task.executed,
        "callbackFromWorker": True,
        "workflowInstanceId": task.workflow_id,
        "workflowType": workflow.workflow_name,
        "taskId": task.task_id,
        "reasonForIncompletion": task.reason_for_incompletion,
        "callbackAfterSeconds": task.callback_after_seconds,
        "workerId": task.worker_id,
        "domain": domain_of(task.queue, task.task_type) if task.queue else None,
        "outputData": dict(task.output),
        "workflowTask": _workflow_task(task, workflow_task),
        **_policy(definition),
        "workflowPriority": workflow.priority,
        "iteration": task.iteration,
        "subWorkflowId": task.sub_workflow_id,
        "loopOverTask": task.iteration > 0,
        "subworkflowChanged": False,
        "nextPollTime": epoch_ms(poll.due) if poll and not task.status.terminal else None,
    }
    # The one null that Conductor writes out.
    return {**_without_none(body), "taskDefinition": task_definition_to_json(definition) if definition else None}


def workflow_status_to_json(workflow: Workflow, *, include_output: bool, include_variables: bool) -> Json:
    """Return the WorkflowStatus body."""
    return _without_none(
        {
            "workflowId": workflow.workflow_id,
            "correlationId": workflow.correlation_id,
            "output": dict(workflow.output) if include_output else None,
            "variables": dict(workflow.variables) if include_variables else None,
            "status": workflow.status.value,
        }
    )


def ledger_to_json(entries: Sequence[LedgerEntry]) -> Json:
    """Return the poll ledger of a task, oldest first.

    `statusCode` is absent when no answer came, `nextDueTime` after the last poll, `remoteState` where the vendor said nothing new.
    """
    return [_without_none(_entry(entry)) for entry in entries]


def iso(moment: datetime) -> str:
    """Return `2026-03-04T05:06:07.089Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _entry(entry: LedgerEntry) -> dict[str, Json]:
    return {
        "poll": entry.poll,
        "dueTime": epoch_ms(entry.due),
        "firedTime": epoch_ms(entry.fired),
        "latenessMs": epoch_ms(entry.fired) - epoch_ms(entry.due),
        "latencyMs": round(entry.latency.total_seconds() * 1000),
        "statusCode": entry.status_code,
        "decision": entry.decision.value,
        "nextDueTime": epoch_ms(entry.next_due) if entry.next_due else None,
        "remoteState": entry.remote_state,
    }


def _task_times(task: Task) -> dict[str, Json]:
    scheduled, start = epoch_ms(task.scheduled_time), _ms(task.start_time)
    first = task.first_scheduled_time if task.retry_count else task.start_time
    return {
        "scheduledTime": scheduled,
        "startTime": start,
        "endTime": _ms(task.end_time),
        "updateTime": _ms(task.update_time),
        "firstStartTime": _ms(first),
        "queueWaitTime": max(0, start - scheduled) if start else 0,
    }


def _policy(definition: TaskDefinition | None) -> dict[str, Json]:
    if definition is None:
        return {"responseTimeoutSeconds": 0, "rateLimitPerFrequency": 0, "rateLimitFrequencyInSeconds": 0}
    return {
        "responseTimeoutSeconds": definition.response_timeout_seconds,
        "rateLimitPerFrequency": definition.rate_limit_per_frequency,
        "rateLimitFrequencyInSeconds": definition.rate_limit_frequency_in_seconds,
        "isolationGroupId": definition.isolation_group_id,
        "executionNameSpace": definition.execution_name_space,
    }


def _workflow_task(task: Task, workflow_task: WorkflowTask | None) -> Json:
    # Clients read its name and reference name without asking whether it is there.
    return workflow_task_to_json(workflow_task or WorkflowTask(task.task_def_name, task.task_reference_name, task.task_type))


def _ms(moment: datetime | None) -> int:
    return epoch_ms(moment) if moment else 0


def _without_none(body: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in body.items() if value is not None}
