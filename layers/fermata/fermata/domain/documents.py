"""What `${...}` sees of a run and of its tasks (Conductor engine reference, 4.1)."""

from datetime import datetime

from fermata.domain.executions import Task, Workflow
from fermata.domain.json_value import Json


def workflow_document(workflow: Workflow) -> dict[str, Json]:
    """Return what `${workflow...}` sees (Conductor engine reference, 4.1)."""
    return {
        "input": workflow.input,
        "output": workflow.output,
        "status": workflow.status.value,
        "workflowId": workflow.workflow_id,
        "parentWorkflowId": workflow.parent_workflow_id,
        "parentWorkflowTaskId": workflow.parent_workflow_task_id,
        "workflowType": workflow.workflow_name,
        "version": workflow.workflow_version,
        "correlationId": workflow.correlation_id,
        "reasonForIncompletion": workflow.reason_for_incompletion,
        "schemaVersion": 2,
        "variables": workflow.variables,
    }


def task_document(task: Task) -> dict[str, Json]:
    """Return what `${<taskReferenceName>...}` sees (Conductor engine reference, 4.1). Times are epoch milliseconds."""
    return {
        "input": task.input,
        "output": task.output,
        "taskType": task.task_type,
        "status": task.status.value,
        "referenceTaskName": task.task_reference_name,
        "retryCount": task.retry_count,
        "pollCount": task.poll_count,
        "taskDefName": task.task_def_name,
        "scheduledTime": _millis(task.scheduled_time),
        "startTime": _millis(task.start_time),
        "endTime": _millis(task.end_time),
        "workflowInstanceId": task.workflow_id,
        "taskId": task.task_id,
        "reasonForIncompletion": task.reason_for_incompletion,
        "callbackAfterSeconds": task.callback_after_seconds,
        "workerId": task.worker_id,
        "iteration": task.iteration,
    }


def _millis(moment: datetime | None) -> int:
    return round(moment.timestamp() * 1000) if moment else 0
