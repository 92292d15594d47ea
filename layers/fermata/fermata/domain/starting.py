"""How a new attempt starts: what its type says, carried out. Most are over at once; the others stay open (`opening`)."""

from dataclasses import replace
from typing import assert_never

from fermata.domain import choosing, forking
from fermata.domain.counting import close, open_up
from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.executions import Task
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.nesting import MAX_LEVELS, deeper_than
from fermata.domain.opening import leave_open
from fermata.domain.outcomes import MAX_REASON_CHARACTERS
from fermata.domain.planning import PlannedEnd
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks.not_run import refusal_of
from fermata.domain.tasks.registry import TASK_TYPES, type_shown_as
from fermata.domain.tasks.task_type import (
    Become,
    Branch,
    EndWorkflow,
    Finished,
    Fork,
    ForkSteps,
    Over,
    SetVariables,
    Start,
    Starting,
)


def begin(deciding: Deciding, step: WorkflowTask, task: Task) -> None:
    """Start a new attempt as its type says. An input that is nested too deep fails it for good."""
    start: Start
    if deeper_than(task.input, MAX_LEVELS):
        reason = f"The input is nested deeper than {MAX_LEVELS} levels"
        task, start = replace(task, input={}), Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason=reason)
    else:
        start = TASK_TYPES[step.type].start(_starting(deciding, step, task))
    deciding.change(last_task_id=task.task_id)
    open_up(deciding, task)
    _carry_out(deciding, step, task, start)
    deciding.pending.append(task.task_id)


def _starting(deciding: Deciding, step: WorkflowTask, task: Task) -> Starting:
    return Starting(
        workflow_task=step,
        task=task,
        workflow=deciding.workflow,
        now=deciding.now,
        evaluate=deciding.evaluate,
        output_of=deciding.output_of,
        resolve=lambda template: deciding.resolve(template, task.task_id),
        read_step=deciding.knowledge.read_step,
        forked_before=deciding.workflow.forked,
        known_references=frozenset(deciding.flow.places),
        limits=deciding.knowledge.limits,
    )


def _carry_out(deciding: Deciding, step: WorkflowTask, task: Task, start: Start) -> None:
    if isinstance(start, Become):
        _become(deciding, step, task, start.type_name)
    elif isinstance(start, Over):
        _end_at_once(deciding, step, task, start)
    else:
        leave_open(deciding, step, task, start)


def _end_at_once(deciding: Deciding, step: WorkflowTask, task: Task, start: Over) -> None:
    match start:
        case Finished(status, output, reason):
            _finish(deciding, task, status, output, reason)
        case Branch(chosen, additions, output):
            _branch(deciding, replace(task, input={**task.input, **additions}), chosen, output)
        case Fork() | ForkSteps():
            deciding.change(forked=deciding.workflow.forked or isinstance(start, ForkSteps))
            forking.fork(deciding, step, task, start)
        case SetVariables(values):
            deciding.change(variables={**deciding.workflow.variables, **values})
            _finish(deciding, task, TaskStatus.COMPLETED, {})
        case EndWorkflow():
            _end(deciding, task, start)
        case _ as never:
            assert_never(never)


def _become(deciding: Deciding, step: WorkflowTask, task: Task, name: str) -> None:
    """Carry a DYNAMIC task out as the type of this name; a name that is no type's is a worker's task."""
    kind = TASK_TYPES.get(name) or type_shown_as(name)
    wrong = f"DYNAMIC task {task.task_reference_name} cannot be a {name}" if kind.waits_for_others else None
    wrong = refusal_of(name, task.task_reference_name) or wrong
    if wrong:
        _finish(deciding, task, TaskStatus.FAILED_WITH_TERMINAL_ERROR, {}, wrong)
        return
    named = replace(task, task_type=name, task_def_name=name)
    _carry_out(deciding, step, named, kind.start(_starting(deciding, replace(step, name=name), named)))


def _end(deciding: Deciding, task: Task, start: EndWorkflow) -> None:
    """Finish a task that ends the run. Where it is a branch's first, the other branches and the JOIN start as well (reference 6.4)."""
    reason = start.reason if start.task_status is TaskStatus.FAILED else None
    _finish(deciding, replace(task, executed=True), start.task_status, start.output or {}, reason)
    close(deciding, task)
    if deciding.planned_end is None:  # the first of several wins
        failed = None if start.status is WorkflowStatus.COMPLETED else task.task_id
        deciding.planned_end = PlannedEnd(start.status, start.reason, start.output, failed)


def _branch(deciding: Deciding, task: Task, chosen: tuple[WorkflowTask, ...], output: JsonObject) -> None:
    """Complete a SWITCH: its branch's first task starts, or where the branch is empty its successor."""
    taken = choosing.taken(deciding, task, chosen)
    if taken:
        _finish(deciding, task, TaskStatus.FAILED_WITH_TERMINAL_ERROR, {}, taken)
    elif chosen:
        choosing.go_on(deciding, task, chosen, output)
    else:
        _finish(deciding, task, TaskStatus.COMPLETED, output)


def _finish(deciding: Deciding, task: Task, status: TaskStatus, output: Json, reason: str | None = None) -> None:
    now = deciding.now
    cut = reason[:MAX_REASON_CHARACTERS] if reason else None
    deciding.put(
        replace(task, status=status, output=output, reason_for_incompletion=cut, start_time=now, end_time=now, due=None, look_at=None)
    )
