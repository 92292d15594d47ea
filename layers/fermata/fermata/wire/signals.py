"""What a synchronous signal answers with (reference 3.9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from fermata.domain.executions import Task, Workflow
from fermata.domain.json_value import Json
from fermata.wire.records import epoch_ms


class ReturnStrategy(StrEnum):
    """Whose state is answered: the run's that was asked for, or what blocks it now."""

    TARGET_WORKFLOW = "TARGET_WORKFLOW"
    BLOCKING_WORKFLOW = "BLOCKING_WORKFLOW"
    BLOCKING_TASK = "BLOCKING_TASK"
    BLOCKING_TASK_INPUT = "BLOCKING_TASK_INPUT"


@dataclass(frozen=True)
class Answered:
    """What every SignalResponse begins with: the run that was asked for. `request_id` tells answers apart."""

    strategy: ReturnStrategy
    target: Workflow
    request_id: str
    timed_out: bool = False


def workflow_response_to_json(answered: Answered, workflow: Workflow, tasks: Sequence[Json]) -> Json:
    """Return the SignalResponse that shows a run. `tasks` are Task bodies."""
    body = {
        **_head(answered, workflow),
        "input": dict(workflow.input),
        "output": dict(workflow.output),
        "priority": workflow.priority,
        "variables": dict(workflow.variables),
        "tasks": list(tasks),
        "createdBy": workflow.created_by,
        "createTime": epoch_ms(workflow.create_time),
        "status": workflow.status.value,
        "updateTime": epoch_ms(workflow.update_time or workflow.create_time),
    }
    return _without_none(body)


def task_response_to_json(answered: Answered, workflow: Workflow, task: Task) -> Json:
    """Return the SignalResponse that shows the task which blocks the run; `workflow` is the task's own."""
    body = {
        **_head(answered, workflow),
        "input": dict(task.input),
        "output": dict(task.output),
        "taskType": task.task_type,
        "taskId": task.task_id,
        "referenceTaskName": task.task_reference_name,
        "retryCount": task.retry_count,
        "taskDefName": task.task_def_name,
        "retriedTaskId": task.retried_task_id,
        "workflowType": workflow.workflow_name,
        "reasonForIncompletion": task.reason_for_incompletion,
        "priority": workflow.priority,
        "status": task.status.value,
        "createTime": epoch_ms(task.start_time or task.scheduled_time),
        "updateTime": epoch_ms(task.update_time or task.scheduled_time),
    }
    return _without_none(body)


def _head(answered: Answered, workflow: Workflow) -> dict[str, Json]:
    return {
        "responseType": answered.strategy.value,
        "targetWorkflowId": answered.target.workflow_id,
        "targetWorkflowStatus": answered.target.status.value,
        "requestId": answered.request_id,
        "workflowId": workflow.workflow_id,
        "correlationId": workflow.correlation_id,
        "signalTimeout": answered.timed_out,
    }


def _without_none(body: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in body.items() if value is not None}
