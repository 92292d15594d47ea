"""How a step becomes a task attempt: its input is resolved, its type started, and what must happen next is emitted."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import assert_never

from fermata.domain import forking, joining, looping, queueing, revisiting
from fermata.domain.counting import CONTAINERS, close, finish_now, open_up
from fermata.domain.deciding import Deciding, Planned, Spot
from fermata.domain.definitions import WorkflowTask
from fermata.domain.effects import OpenPoll, Send
from fermata.domain.ending import fail_workflow
from fermata.domain.executions import Task
from fermata.domain.flow import suffixed
from fermata.domain.ids import child_id, task_id
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.messages import PollDue, RunTask, WakeTask
from fermata.domain.nesting import MAX_LEVELS, deeper_than
from fermata.domain.outcomes import MAX_REASON_CHARACTERS
from fermata.domain.polling import PollSpec
from fermata.domain.retries import jitter_of, retry_delay
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks.not_run import refusal_of
from fermata.domain.tasks.registry import TASK_TYPES
from fermata.domain.tasks.sub_workflow import childs_input
from fermata.domain.tasks.task_type import (
    Become,
    Branch,
    EndWorkflow,
    Finished,
    Fork,
    ForkSteps,
    Join,
    JoinFirst,
    Loop,
    Poll,
    Queue,
    RunElsewhere,
    SetVariables,
    Start,
    StartChild,
    Starting,
    TaskType,
    Wait,
)
from fermata.domain.timeouts import SWEEP_GRACE, task_deadline

RUN_LEASE = timedelta(minutes=5)  # longer than a door may run: what it was handed is lost by then


def schedule(deciding: Deciding, planned: Planned) -> None:
    """Start the first attempt of a planned step, unless the run has a record of it already."""
    step, spot = planned.step, planned.spot or spot_of(deciding, planned.step)
    if deciding.workflow.revisited and revisiting.is_there(deciding, suffixed(step.task_reference_name, spot.iteration)):
        return
    delay = timedelta(seconds=step.start_delay) if TASK_TYPES[step.type].delays_start else timedelta(0)
    task = _new_task(deciding, step, spot, attempt=0, delay=delay)
    _begin(deciding, step, replace(task, input={**task.input, **planned.given}))


def schedule_retry(deciding: Deciding, step: WorkflowTask, failed: Task, *, delayed: bool = True) -> None:
    """Replace a failed attempt by a new one."""
    delay = timedelta(0)
    kind = TASK_TYPES[step.type]
    if delayed and step.task_definition and (kind.delays_start or kind.delays_retry):
        delay = retry_delay(step.task_definition, failed.retry_count, jitter_of(failed.task_id))
    attempt = failed.retry_count + 1
    deciding.put(replace(failed, retried=True, executed=True, due=None, look_at=None))
    task = replace(
        _new_task(deciding, step, spot_of_record(failed), attempt=attempt, delay=delay, generation=failed.generation),
        retried_task_id=failed.task_id,
        first_scheduled_time=failed.first_scheduled_time,
        reason_for_incompletion=failed.reason_for_incompletion,
    )
    _begin(deciding, step, replace(task, input={**_given(step, failed.input), **task.input}))


def schedule_again(deciding: Deciding, dropped: Task, given: JsonObject | None = None) -> None:
    """Start the step of a record that was removed from the run, at the record's place. `given` replaces its input."""
    step = deciding.step(dropped)
    task = replace(_new_task(deciding, step, spot_of_record(dropped), attempt=0, delay=timedelta(0)), seq=dropped.seq)
    _begin(deciding, step, task if given is None else replace(task, input=_given(step, given)))


def _given(step: WorkflowTask, shown: JsonObject) -> JsonObject:
    """Return what a step was given, of what its record shows."""
    return childs_input(shown) if step.type == "SUB_WORKFLOW" else shown


def spot_of_record(task: Task) -> Spot:
    """Return where a record stands."""
    return Spot(task.loop, task.iteration, task.joined_by, task.step is not None)


def spot_of(deciding: Deciding, step: WorkflowTask) -> Spot:
    """Return where a step of the definition stands now."""
    loop = deciding.flow.loop_of(step.task_reference_name)
    return Spot(loop, deciding.workflow.iterations.get(loop, 0) if loop else 0)


def resend(deciding: Deciding, task: Task) -> None:
    """Send an open task's message again: it must have been lost."""
    deciding.put(replace(task, look_at=deciding.now + RUN_LEASE))
    deciding.emit(Send(RunTask(task.workflow_id, task.task_id), deciding.now))


def _new_task(deciding: Deciding, step: WorkflowTask, spot: Spot, *, attempt: int, delay: timedelta, generation: int | None = None) -> Task:
    kind, run = TASK_TYPES[step.type], deciding.workflow
    name = suffixed(step.task_reference_name, spot.iteration)
    generation = run.generation if generation is None else generation
    own_id = task_id(run.workflow_id, generation, name, attempt)
    resolved = _input(deciding, kind, step, own_id)
    deciding.change(tasks_scheduled=run.tasks_scheduled + 1)
    if spot.iteration and not spot.own_step:
        deciding.change(newest_iterations={**run.newest_iterations, step.task_reference_name: spot.iteration})
    return Task(
        task_id=own_id,
        workflow_id=run.workflow_id,
        task_reference_name=name,
        task_type=step.name if kind.record_is_step_name else kind.record_name or step.type,
        task_def_name=(kind.record_name or step.type) if kind.names_itself else step.name,
        status=TaskStatus.SCHEDULED,
        seq=run.tasks_scheduled + 1,
        scheduled_time=deciding.now,
        first_scheduled_time=deciding.now,
        input=resolved,
        retry_count=attempt,
        generation=generation,
        callback_after_seconds=int(delay.total_seconds()),
        iteration=spot.iteration,
        loop=spot.loop,
        step=step if spot.own_step else None,
        joined_by=spot.joined_by,
        due=deciding.now + delay,
    )


def _input(deciding: Deciding, kind: TaskType, step: WorkflowTask, own_id: str) -> dict[str, Json]:
    """Resolve the step's input; template keys fill what is absent or resolved to null (reference 4.6)."""
    if not kind.takes_input:
        return {}
    template = step.task_definition.input_template if step.task_definition and kind.merges_template else {}
    resolved = deciding.resolve({**template, **step.input_parameters}, own_id if kind.knows_own_id else None)
    return {key: template[key] if value is None and key in template else value for key, value in resolved.items()}


def _begin(deciding: Deciding, step: WorkflowTask, task: Task) -> None:
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


def _carry_out(deciding: Deciding, step: WorkflowTask, task: Task, start: Start) -> None:  # noqa: C901, PLR0912 - one case a kind of start
    match start:
        case Finished(status, output, reason):
            _finish(deciding, task, status, output, reason)
        case Branch(chosen, additions, output):
            _branch(deciding, replace(task, input={**task.input, **additions}), chosen, output)
        case Fork() | ForkSteps():
            deciding.change(forked=deciding.workflow.forked or isinstance(start, ForkSteps))
            forking.fork(deciding, step, task, start)
        case Join(awaited):
            joining.begin(deciding, task, awaited)
        case JoinFirst(awaited, otherwise):
            joining.begin_first(deciding, task, awaited, otherwise)
        case Loop(items):
            looping.begin(deciding, step, task, items)
        case SetVariables(values):
            deciding.change(variables={**deciding.workflow.variables, **values})
            _finish(deciding, task, TaskStatus.COMPLETED, {})
        case EndWorkflow():
            _end(deciding, task, start)
        case StartChild(given):
            child = replace(task, input=given, sub_workflow_id=child_id(task.task_id), output={"subWorkflowId": child_id(task.task_id)})
            _run_elsewhere(deciding, step, replace(child, status=TaskStatus.IN_PROGRESS, start_time=deciding.now))
        case Become(name):
            _become(deciding, step, task, name)
        case RunElsewhere(additions):
            _run_elsewhere(deciding, step, replace(task, input={**task.input, **additions}))
        case Poll(context):
            _open_poll(deciding, step, task, context)
        case Queue():
            queueing.enqueue(deciding, step, task)
        case Wait(until):
            _wait(deciding, step, task, until)
        case _ as never:
            assert_never(never)


def _become(deciding: Deciding, step: WorkflowTask, task: Task, name: str) -> None:
    """Carry a DYNAMIC task out as the type of this name; a name that is no type's is a worker's task."""
    kind = TASK_TYPES.get(name) or TASK_TYPES["SIMPLE"]
    wrong = f"DYNAMIC task {task.task_reference_name} cannot be a {name}" if kind.name in CONTAINERS else None
    wrong = refusal_of(name, task.task_reference_name) or wrong
    if wrong:
        _finish(deciding, task, TaskStatus.FAILED_WITH_TERMINAL_ERROR, {}, wrong)
        return
    named = replace(task, task_type=name, task_def_name=name)
    _carry_out(deciding, step, named, kind.start(_starting(deciding, replace(step, name=name), named)))


def _end(deciding: Deciding, task: Task, start: EndWorkflow) -> None:
    reason = start.reason if start.task_status is TaskStatus.FAILED else None
    _finish(deciding, replace(task, executed=True), start.task_status, start.output or {}, reason)
    close(deciding, task)
    deciding.change(failed_task_id=None if start.status is WorkflowStatus.COMPLETED else task.task_id)
    fail_workflow(deciding, start.status, start.reason, output=start.output)


def _run_elsewhere(deciding: Deciding, step: WorkflowTask, task: Task) -> None:
    due = task.due or deciding.now
    _leave_open(deciding, step, task, due + RUN_LEASE)
    deciding.emit(Send(RunTask(task.workflow_id, task.task_id), due))


def _branch(deciding: Deciding, task: Task, chosen: tuple[WorkflowTask, ...], output: Json) -> None:
    """Complete a SWITCH: its branch's first task starts, or where the branch is empty its successor."""
    if chosen:
        finish_now(deciding, task, output)
        deciding.plan(chosen[0])
    else:
        _finish(deciding, task, TaskStatus.COMPLETED, output)


def _finish(deciding: Deciding, task: Task, status: TaskStatus, output: Json, reason: str | None = None) -> None:
    now = deciding.now
    cut = reason[:MAX_REASON_CHARACTERS] if reason else None
    deciding.put(
        replace(task, status=status, output=output, reason_for_incompletion=cut, start_time=now, end_time=now, due=None, look_at=None)
    )


def _open_poll(deciding: Deciding, step: WorkflowTask, task: Task, context: Json) -> None:
    due = task.due or deciding.now
    spec = PollSpec(task.task_id, task.workflow_id, task.task_reference_name, task.input, due, context)
    _leave_open(deciding, step, task, None)
    deciding.emit(OpenPoll(spec, due), Send(PollDue(task.workflow_id, task.task_id, 1), due))


def _wait(deciding: Deciding, step: WorkflowTask, task: Task, until: datetime | None) -> None:
    waiting = replace(task, status=TaskStatus.IN_PROGRESS, start_time=deciding.now, due=until)
    _leave_open(deciding, step, waiting, until + SWEEP_GRACE if until else None)
    if until:
        deciding.emit(Send(WakeTask(task.workflow_id, task.task_id), until))


def _leave_open(deciding: Deciding, step: WorkflowTask, task: Task, look_at: datetime | None) -> None:
    """Store the open attempt; arm an alarm for the first deadline that would end it."""
    deadline = task_deadline(step.task_definition, task, responds=TASK_TYPES[step.type].responds)
    if deadline:
        look_at = min(look_at or deadline.at + SWEEP_GRACE, deadline.at + SWEEP_GRACE)
        deciding.emit(Send(WakeTask(task.workflow_id, task.task_id), deadline.at))
    deciding.put(replace(task, look_at=look_at))
