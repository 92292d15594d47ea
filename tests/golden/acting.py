"""What the people and the workers of a golden story can do, by the word after "do".

Each returns what they are answered, as an expectation names it.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from fermata.application import complete, hand_out, look, operate, report
from fermata.application.report import TaskResult
from fermata.domain.commands import Rerun, Skip
from fermata.domain.errors import RequestError
from fermata.domain.executions import Task
from fermata.domain.status import TaskStatus
from fermata.domain.working import LogEntry, WorkerQueue
from fermata.ports import WorkflowQuery
from fermata_testing import Rehearsal

MAX_RUNS = 100
Event: TypeAlias = Mapping[str, Any]


def act(run: Rehearsal, event: Event) -> Any:
    """Do what the event says. A refusal is an answer: the kind of error and its text."""
    try:
        return ACTS[event["do"]](run, event)
    except RequestError as refused:
        return {"refused": type(refused).__name__}


def _poll(run: Rehearsal, event: Event) -> Any:
    """A worker asks for tasks and is answered with these: their reference names."""
    queue = WorkerQueue(event["name"], event.get("domain"), event.get("worker", "w1"))
    return [view.task.task_reference_name for view in hand_out.hand_out(run.stage.engine, queue, event.get("count", 1))]


def _update(run: Rehearsal, event: Event) -> Any:
    """A worker, or whoever a task waits for, reports on the newest attempt of a reference name."""
    task = _newest(run, event["ref"])
    now = run.now
    result = TaskResult(
        workflow_id=task.workflow_id,
        task_id=task.task_id,
        status=TaskStatus(event["status"]),
        output=event.get("output", {}),
        reason=event.get("reason"),
        callback_after_seconds=event.get("callbackAfterSeconds", 0),
        worker_id=event.get("worker"),
        logs=[LogEntry(log, now) for log in event.get("logs", ())],
        extend_lease=event.get("extendLease", False),
    )
    report.report(run.stage.engine, result)
    return None


def _update_by_reference(run: Rehearsal, event: Event) -> Any:
    status, output = TaskStatus(event["status"]), event.get("output", {})
    report.report_by_reference(run.stage.engine, run.workflow_id, event["ref"], status, output, event.get("worker"))
    return None


def _signal(run: Rehearsal, event: Event) -> Any:
    """Somebody signals the run; the answer is the reference name of the WAIT that it reached."""
    told = complete.signal(run.stage.engine, run.workflow_id, TaskStatus(event.get("status", "COMPLETED")), event.get("output", {}))
    return told.task_reference_name if told else None


def _rerun(run: Rehearsal, event: Event) -> Any:
    """An operator reruns from the newest attempt of "ref", of the task id "from", or from the start."""
    chosen = _newest(run, event["ref"]).task_id if "ref" in event else event.get("from")
    command = Rerun(chosen, event.get("workflowInput"), event.get("taskInput"), event.get("correlationId"))
    operate.rerun(run.stage.engine, run.workflow_id, command)
    return None


def _skip(run: Rehearsal, event: Event) -> Any:
    operate.skip(run.stage.engine, run.workflow_id, Skip(event["ref"], event.get("input", {}), event.get("output", {})))
    return None


def _update_variables(run: Rehearsal, event: Event) -> Any:
    operate.update_variables(run.stage.engine, run.workflow_id, event["values"])
    return None


def _retry(run: Rehearsal, event: Event) -> Any:
    operate.retry(run.stage.engine, _run_id(run, event.get("of")), resume_subworkflows=event.get("resumeSubworkflowTasks", False))
    return None


def _ordered(order: Callable[[Rehearsal, str], None]) -> Callable[[Rehearsal, Event], Any]:
    """Let an operator's order go to the run itself, or to the newest run of the definition that "of" names."""

    def ordered(run: Rehearsal, event: Event) -> Any:
        order(run, _run_id(run, event.get("of")))

    return ordered


def _run_id(run: Rehearsal, name: str | None) -> str:
    if name is None:
        return run.workflow_id
    return run.stage.executions.search(WorkflowQuery(workflow_type=name, size=1)).workflows[0].workflow_id


def _newest(run: Rehearsal, ref: str) -> Task:
    """Return the newest attempt of a reference name, in whichever run it stands: the story's own first."""
    everything = run.stage.executions.search(WorkflowQuery(size=MAX_RUNS)).workflows
    for workflow_id in [run.workflow_id, *(each.workflow_id for each in everything)]:
        views = look.execution(run.stage.engine, workflow_id, include_tasks=True).tasks
        found = [view.task for view in views if view.task.task_reference_name == ref]
        if found:
            return found[-1]
    raise LookupError(f"no task has the reference name {ref}")


ACTS: Mapping[str, Callable[[Rehearsal, Event], Any]] = {
    "complete": lambda run, event: run.complete(event["ref"], event.get("output")),
    "fail": lambda run, event: run.fail(event["ref"], event["reason"], event.get("output")),
    "look": lambda run, event: None,
    "poll": _poll,
    "update": _update,
    "update by reference": _update_by_reference,
    "signal": _signal,
    "terminate": lambda run, event: operate.terminate(run.stage.engine, _run_id(run, event.get("of")), event.get("reason")),
    "pause": _ordered(lambda run, workflow_id: operate.pause(run.stage.engine, workflow_id)),
    "resume": _ordered(lambda run, workflow_id: operate.resume(run.stage.engine, workflow_id)),
    "restart": _ordered(lambda run, workflow_id: operate.restart(run.stage.engine, workflow_id, use_latest_definitions=False)),
    "retry": _retry,
    "rerun": _rerun,
    "skip": _skip,
    "update variables": _update_variables,
}
