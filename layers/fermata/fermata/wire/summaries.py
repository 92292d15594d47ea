"""Runs and tasks as a search shows them (reference 3.4 to 3.6): moments as ISO texts, input and output as JSON texts."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TypeVar

from fermata.domain.executions import Task, Workflow
from fermata.domain.json_value import Json
from fermata.domain.working import domain_of
from fermata.wire.bodies import text
from fermata.wire.executions import iso
from fermata.wire.records import epoch_ms

T = TypeVar("T", Workflow, Task)

CLASSIFIER = "workflow"  # Conductor has other kinds; a run here is always one
# An answer holds 6 MB, and a quote in a text inside it counts four times. What all inputs and outputs of a page may take together:
PAGE_CHARACTERS = 1024 * 1024
LONGEST = 4 * 1024  # characters of one of them: what stores keep with a run

NOTHING: Mapping[str, int] = MappingProxyType({})
_NEVER = datetime.fromtimestamp(0, UTC)
_PAYLOADS = ("input", "output", "variables")
_LEFT_OUT = "{}"  # as Conductor shows what lies in an external storage


def longest_text(results: int) -> int:
    """Return how long an input or output may be in a page of so many results. What is longer is left out."""
    return min(LONGEST, PAGE_CHARACTERS // max(1, results))


def workflow_summary_to_json(run: Workflow, longest: int | None = None, left_out: Mapping[str, int] = NOTHING) -> Json:
    """Return the WorkflowSummary body. An input or output that is longer than `longest` characters or left out is `{}`; its size tells."""
    sent, made = text(run.input), text(run.output)
    return _without_none(
        {
            "workflowType": run.workflow_name,
            "version": run.workflow_version,
            "workflowId": run.workflow_id,
            "correlationId": run.correlation_id,
            "startTime": iso(run.create_time),
            "updateTime": iso(run.update_time or _NEVER),
            "endTime": iso(run.end_time) if run.end_time else None,
            "status": run.status.value,
            "input": _shown(sent, longest),
            "output": _shown(made, longest),
            "inputSize": left_out.get("input", len(sent)),
            "outputSize": left_out.get("output", len(made)),
            "reasonForIncompletion": run.reason_for_incompletion,
            "executionTime": _milliseconds(run.create_time, run.end_time),
            "failedReferenceTaskNames": ",".join(run.failed_reference_task_names),
            "failedTaskNames": list(run.failed_task_names),
            "event": run.event,
            "priority": run.priority,
            "createdBy": run.created_by,
            "taskToDomain": dict(run.task_to_domain),
            "idempotencyKey": run.idempotency_key,
            "parentWorkflowId": run.parent_workflow_id or "",
            "classifier": CLASSIFIER,
        }
    )


def task_summary_to_json(task: Task, run: Workflow, longest: int | None = None) -> Json:
    """Return the TaskSummary body. An input or output longer than `longest` characters is `{}`."""
    return _without_none(
        {
            "workflowId": task.workflow_id,
            "workflowType": run.workflow_name,
            "correlationId": run.correlation_id,
            "scheduledTime": iso(task.scheduled_time),
            "startTime": iso(task.start_time or _NEVER),
            "updateTime": iso(task.update_time or _NEVER),
            "endTime": iso(task.end_time or _NEVER),
            "status": task.status.value,
            "reasonForIncompletion": task.reason_for_incompletion,
            "executionTime": _milliseconds(task.start_time, task.end_time),
            "queueWaitTime": max(0, _milliseconds(task.scheduled_time, task.start_time)),
            "taskDefName": task.task_def_name,
            "taskType": task.task_type,
            "input": _shown(text(task.input), longest),
            "output": _shown(text(task.output), longest),
            "taskId": task.task_id,
            "workflowPriority": run.priority,
            "domain": domain_of(task.queue, task.task_type) if task.queue else None,
        }
    )


def without_long(shown: T, longest: int) -> T:
    """Return a run or a task without those of its payloads that are longer than `longest` characters."""
    payloads = [each.name for each in fields(shown) if each.name in _PAYLOADS]
    long: dict[str, Any] = {name: {} for name in payloads if len(text(getattr(shown, name))) > longest}
    return replace(shown, **long) if long else shown


def search_result_to_json(total_hits: int, results: Sequence[Json], *, exact: bool = True, following: str | None = None) -> Json:
    """Return the SearchResult body. `total_hits` counts all matches, not the page; with `exact` False there may be more, and we say so.

    `following`: the cursor of the next page.
    """
    more = {} if exact else {"totalHitsIsLowerBound": True}
    return {"totalHits": total_hits, "results": list(results), **more, **({"nextCursor": following} if following else {})}


def _shown(content: str, longest: int | None) -> str:
    return content if longest is None or len(content) <= longest else _LEFT_OUT


def _milliseconds(start: datetime | None, end: datetime | None) -> int:
    return epoch_ms(end) - epoch_ms(start) if start and end else 0


def _without_none(body: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in body.items() if value is not None}
