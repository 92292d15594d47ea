"""SUB_WORKFLOW: starts another run and waits for its end (Conductor engine reference, 6.9)."""

from collections.abc import Iterable
from dataclasses import replace

from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.effects import Effect, Send
from fermata.domain.errors import Violation
from fermata.domain.executions import Task, Workflow
from fermata.domain.idempotency import wrong_strategy
from fermata.domain.json_value import JsonObject
from fermata.domain.messages import EndRun
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks import hooks
from fermata.domain.tasks.task_type import Finished, Start, StartChild, Starting, TaskType, text_expression
from fermata.domain.timeouts import CHILD_CHECK, RUN_LEASE

_STATUS = {
    WorkflowStatus.COMPLETED: TaskStatus.COMPLETED,
    WorkflowStatus.FAILED: TaskStatus.FAILED,
    WorkflowStatus.TIMED_OUT: TaskStatus.TIMED_OUT,
    WorkflowStatus.TERMINATED: TaskStatus.CANCELED,
}


def start(starting: Starting) -> Start:
    """Resolve which run to start. Its input is the step's input parameters."""
    param = starting.workflow_task.sub_workflow_param
    if param is None:
        return Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason="subWorkflowParam is missing")
    if starting.workflow.depth >= starting.limits.max_sub_workflow_depth:
        reason = starting.limits.depth_reason(starting.workflow.depth)
        return Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason=reason)
    priority = starting.resolve(param.priority)
    return StartChild(
        {
            "subWorkflowName": starting.resolve(param.name),
            "subWorkflowVersion": param.version,
            "subWorkflowTaskToDomain": starting.resolve(param.task_to_domain),
            "subWorkflowDefinition": _definition(starting),
            "priority": priority if isinstance(priority, int) else 0,
            "idempotencyKey": starting.resolve(param.idempotency_key),
            "idempotencyStrategy": starting.resolve(param.idempotency_strategy),
            "workflowInput": starting.task.input,
        }
    )


def childs_input(given: JsonObject) -> JsonObject:
    """Return the child's input out of the input that a record shows. What is no record's is the child's input itself."""
    inside = given.get("workflowInput")
    return inside if isinstance(inside, dict) and "subWorkflowName" in given else given


def moved(deciding: Deciding, task: Task) -> Task:
    """Return a task as its child has it: over with it, or waiting for it."""
    if deciding.begins_here(task):
        return task  # one that begins in this decision has no child yet
    child = deciding.run(task.sub_workflow_id or "")
    if child is None:
        return task  # not started yet, or its start got lost: the message is sent again when the time has come
    if child.status.terminal:
        end = ended(child)
        return replace(task, status=end.status, output=end.output, reason_for_incompletion=end.reason, end_time=deciding.now)
    if task.look_at is None or task.look_at <= deciding.now + RUN_LEASE:
        task = replace(task, look_at=deciding.now + CHILD_CHECK)
        deciding.put(task)
    return task


def let_go(deciding: Deciding, task: Task) -> Iterable[Effect]:
    """End the child of a task that ends without it: canceled, timed out, or ended by somebody outside."""
    if task.sub_workflow_id is None or (task.status.terminal and not _is_open(deciding.run(task.sub_workflow_id))):
        return ()
    return (Send(EndRun(task.sub_workflow_id), deciding.now),)


def ended(child: Workflow) -> Finished:
    """Return what the end of the child means for the task."""
    output = {"subWorkflowId": child.workflow_id, **child.output}
    status = _STATUS[child.status]
    if status is TaskStatus.COMPLETED:
        return Finished(status, output)
    reason = "null" if child.reason_for_incompletion is None else child.reason_for_incompletion
    name = f"{child.workflow_name}.{child.workflow_version}/{child.workflow_id}"
    return Finished(status, output, f"Sub workflow {name} failure reason: {reason}")


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a step that does not say which workflow."""
    param = task.sub_workflow_param
    if param is None:
        message = f"subWorkflowParam field is required for taskType: SUB_WORKFLOW taskName: {task.name}"
        yield Violation(f"{path}.subWorkflowParam", message)
    elif not param.name and param.workflow_definition is None:
        yield Violation(f"{path}.subWorkflowParam.name", f"subWorkflowParam of {task.task_reference_name} names no workflow")
    elif isinstance(param.workflow_definition, str) and "${" not in param.workflow_definition:
        message = "workflowDefinition must be a definition or an expression like ${workflow.input.definition}"
        yield Violation(f"{path}.subWorkflowParam.workflowDefinition", message)
    wrong = wrong_strategy(text_expression(param.idempotency_strategy)) if param else None
    if wrong:
        yield Violation(f"{path}.subWorkflowParam.idempotencyStrategy", wrong)


def _is_open(child: Workflow | None) -> bool:
    return child is not None and not child.status.terminal


def _definition(starting: Starting) -> object:
    """Return an inline definition: as it stands when it is one (its own expressions are the child's), resolved when it is named."""
    param = starting.workflow_task.sub_workflow_param
    given = param.workflow_definition if param else None
    return starting.resolve(given) if isinstance(given, str) else given


SUB_WORKFLOW = TaskType(
    "SUB_WORKFLOW",
    start,
    validate,
    given=childs_input,
    moved=moved,
    deadline=hooks.in_its_own_time,
    let_go=let_go,
    knows_own_id=False,
    delays_start=True,
    has_runner=True,
)
