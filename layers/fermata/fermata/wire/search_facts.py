"""What a search may ask of a run and of a task, by the names of `domain.searching.fields`. Moments are epoch milliseconds."""

from collections.abc import Callable, Mapping
from datetime import datetime

from fermata.domain.executions import Task, Workflow
from fermata.domain.searching.conditions import Fact, Facts, Several
from fermata.wire.bodies import text
from fermata.wire.records import epoch_ms
from fermata.wire.summaries import CLASSIFIER, task_summary_to_json, workflow_summary_to_json


def run_facts(run: Workflow) -> Facts:
    """Return the facts about a run. Each is worked out when it is asked for."""
    return lambda name: _OF_A_RUN[name](run)


def task_facts(task: Task, run: Workflow) -> Facts:
    """Return the facts about a task attempt of this run."""
    return lambda name: _OF_A_TASK[name](task, run)


def _at(moment: datetime | None) -> int | None:
    return epoch_ms(moment) if moment else None


def _duration(start: datetime | None, end: datetime | None) -> int:
    return epoch_ms(end) - epoch_ms(start) if start and end else 0


_OF_A_RUN: Mapping[str, Callable[[Workflow], Fact]] = {
    "workflowId": lambda run: run.workflow_id,
    "workflowType": lambda run: run.workflow_name,
    "status": lambda run: run.status.value,
    "correlationId": lambda run: run.correlation_id or None,
    "parentWorkflowId": lambda run: run.parent_workflow_id,
    "startTime": lambda run: epoch_ms(run.create_time),
    "endTime": lambda run: _at(run.end_time),
    "updateTime": lambda run: _at(run.update_time),
    "version": lambda run: run.workflow_version,
    "executionTime": lambda run: _duration(run.create_time, run.end_time),
    "classifier": lambda _run: CLASSIFIER,
    "input": lambda run: text(run.input),
    "output": lambda run: text(run.output),
    "reasonForIncompletion": lambda run: run.reason_for_incompletion,
    "event": lambda run: run.event,
    "idempotencyKey": lambda run: run.idempotency_key,
    "vendorHost": lambda run: Several(tuple(run.vendor_hosts)),
    "*": lambda run: text(workflow_summary_to_json(run)),
}
_OF_A_TASK: Mapping[str, Callable[[Task, Workflow], Fact]] = {
    "taskId": lambda task, _run: task.task_id,
    "taskType": lambda task, _run: task.task_type,
    "taskDefName": lambda task, _run: task.task_def_name,
    "status": lambda task, _run: task.status.value,
    "workflowId": lambda task, _run: task.workflow_id,
    "workflowType": lambda _task, run: run.workflow_name,
    "correlationId": lambda _task, run: run.correlation_id or None,
    "scheduledTime": lambda task, _run: epoch_ms(task.scheduled_time),
    "startTime": lambda task, _run: _at(task.start_time),
    "endTime": lambda task, _run: _at(task.end_time),
    "updateTime": lambda task, _run: _at(task.update_time),
    "executionTime": lambda task, _run: _duration(task.start_time, task.end_time),
    "queueWaitTime": lambda task, _run: max(0, _duration(task.scheduled_time, task.start_time)),
    "input": lambda task, _run: text(task.input),
    "output": lambda task, _run: text(task.output),
    "reasonForIncompletion": lambda task, _run: task.reason_for_incompletion,
    "referenceTaskName": lambda task, _run: task.task_reference_name,
    "*": lambda task, run: text(task_summary_to_json(task, run)),
}
