"""DO_WHILE: a body that runs once for each item, or while a condition holds (Conductor engine reference, 6.7)."""

import json
from collections.abc import Sequence
from dataclasses import replace

from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.executions import Task
from fermata.domain.flow import suffixed
from fermata.domain.json_value import Json
from fermata.domain.planning import Spot
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language
from fermata.domain.status import TaskStatus
from fermata.domain.steps import walk


def begin(deciding: Deciding, step: WorkflowTask, task: Task, items: tuple[Json, ...] | None) -> None:
    """Open the loop and start its first iteration. A list loop over nothing is over at once."""
    running = replace(task, status=TaskStatus.IN_PROGRESS, start_time=deciding.now, due=None)
    if items is not None:
        running = replace(running, input={**task.input, "_items": list(items)})
    if items is not None and len(items) > deciding.knowledge.limits.max_loop_iterations:
        reason = f"DO_WHILE {step.task_reference_name}: {deciding.knowledge.limits.iterations_reason(len(items))}"
        deciding.put(replace(task, status=TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason_for_incompletion=reason, end_time=deciding.now))
        return
    if items == ():
        deciding.put(replace(running, status=TaskStatus.COMPLETED, end_time=deciding.now, output={"iteration": 0}))
        return
    _iterate(deciding, step, running, 1)


def moved(deciding: Deciding, task: Task) -> Task:
    """Return an open loop as it is now: unchanged while its iteration runs, in its next iteration, or over."""
    step = deciding.step(task)
    iteration = _iteration(deciding, task)
    if _runs(deciding, step, task, iteration):
        return task
    ran = [found for found in deciding.records(_body_records(deciding, step, iteration)) if found is not None]
    task = _with_output(deciding, step, task, iteration, ran)
    failed = [found for found in ran if not found.status.successful]
    if failed:
        reason = " ".join(found.reason_for_incompletion or "" for found in failed).strip()
        return replace(task, status=TaskStatus.FAILED, reason_for_incompletion=reason, end_time=deciding.now)
    return _continued(deciding, step, task, iteration, ran)


def _continued(deciding: Deciding, step: WorkflowTask, task: Task, iteration: int, ran: Sequence[Task]) -> Task:
    match _wants_more(deciding, step, task, iteration, ran):
        case EvaluationFailed(reason):
            message = f"Unable to evaluate condition {step.loop_condition}: {reason}"
            status = TaskStatus.FAILED_WITH_TERMINAL_ERROR
            return replace(task, status=status, reason_for_incompletion=message, end_time=deciding.now)
        case Evaluated(False):
            return replace(task, status=TaskStatus.COMPLETED, end_time=deciding.now)
        case _:
            if iteration >= deciding.knowledge.limits.max_loop_iterations:
                message = f"DO_WHILE {step.task_reference_name}: {deciding.knowledge.limits.iterations_reason()}"
                return replace(task, status=TaskStatus.FAILED, reason_for_incompletion=message, end_time=deciding.now)
            return _iterate(deciding, step, task, iteration + 1)


def _iterate(deciding: Deciding, step: WorkflowTask, task: Task, iteration: int) -> Task:
    """Start an iteration. One of a loop that a dynamic fork added is counted in the loop's own record."""
    name = step.task_reference_name
    output = {**task.output, "iteration": iteration}
    items = task.input.get("_items")
    if isinstance(items, list):
        output.update(loopItem=items[iteration - 1], loopIndex=iteration - 1)
    run, spot = deciding.workflow, None
    if task.step is None:
        deciding.change(iterations={**run.iterations, name: iteration}, loop_tasks={**run.loop_tasks, name: 0})
    else:
        spot = Spot(name, iteration, task.joined_by, own_step=True)
    going_on = replace(task, output=output, look_at=None)
    deciding.put(going_on)
    deciding.plan(step.loop_over[0], spot)
    return going_on


def _iteration(deciding: Deciding, task: Task) -> int:
    number = deciding.workflow.iterations.get(task.task_reference_name, 0) if task.step is None else task.output.get("iteration")
    return number if isinstance(number, int) else 0


def _runs(deciding: Deciding, step: WorkflowTask, task: Task, iteration: int) -> bool:
    """Tell whether an iteration is not over. The run counts the open tasks of its own loops; of a forked one there are few to look at."""
    if task.step is None:
        return deciding.workflow.loop_tasks.get(step.task_reference_name, 0) > 0
    first, *others = deciding.records(_body_records(deciding, step, iteration))
    return first is None or not first.executed or any(found is not None and not found.executed for found in others)


def _body_records(deciding: Deciding, step: WorkflowTask, iteration: int) -> list[str]:
    """Return the names of all records an iteration may have, those that its dynamic forks added included."""
    if step.task_reference_name not in deciding.flow.places:
        return [suffixed(each.task_reference_name, iteration) for each in walk(step.loop_over)]
    names = list(deciding.flow.body_of(step.task_reference_name))
    forks = [name for name in names if deciding.flow.step(name).type == "FORK_JOIN_DYNAMIC"]
    for fork in deciding.records(suffixed(name, iteration) for name in forks):
        names += _forked(deciding, fork, iteration) if fork else ()
    return [suffixed(name, iteration) for name in names]


def _forked(deciding: Deciding, fork: Task, iteration: int) -> list[str]:
    """Return the reference names of what a dynamic fork added, and of what that may have chosen."""
    forked = deciding.records(suffixed(name, iteration) for name in fork.input.get("forkedTasks", ()))
    return [each.task_reference_name for found in forked if found and found.step for each in walk((found.step,))]


def _with_output(deciding: Deciding, step: WorkflowTask, task: Task, iteration: int, ran: Sequence[Task]) -> Task:
    """Add an iteration's outputs by reference name; forget the iterations that `keepLastN` leaves behind."""
    suffix = len(suffixed("", iteration))
    output = {**task.output, str(iteration): {found.task_reference_name[:-suffix]: dict(found.output) for found in ran}}
    keep = task.input.get("keepLastN")
    if isinstance(keep, int) and not isinstance(keep, bool) and iteration > keep > 0:
        forgotten = iteration - keep
        output.pop(str(forgotten), None)
        old = deciding.records(_body_records(deciding, step, forgotten))
        deciding.remove(*(found for found in old if found is not None))
    return replace(task, output=output)


def _wants_more(deciding: Deciding, step: WorkflowTask, task: Task, iteration: int, ran: Sequence[Task]) -> Evaluated | EvaluationFailed:
    """Return whether the loop goes on. A list loop also ends with its items; a blank condition does not end it earlier."""
    items = task.input.get("_items")
    if isinstance(items, list) and iteration >= len(items):
        return Evaluated(value=False)
    condition = step.loop_condition or ""
    if isinstance(items, list) and not condition.strip():
        return Evaluated(value=True)
    result = deciding.evaluate(Evaluate(Language.JAVASCRIPT, condition, json.dumps(_subject(deciding, step, task, iteration, ran))))
    return Evaluated(truth(result.value)) if isinstance(result, Evaluated) else result


def _subject(deciding: Deciding, step: WorkflowTask, task: Task, iteration: int, ran: Sequence[Task]) -> dict[str, Json]:
    suffix = len(suffixed("", iteration))
    given = deciding.resolve(step.input_parameters, task.task_id)
    bodies = {found.task_reference_name[:-suffix]: dict(found.output) for found in ran}
    item = {key: task.output[key] for key in ("loopItem", "loopIndex") if key in task.output}
    return {**given, **bodies, **item, step.task_reference_name: dict(task.output)}


def truth(value: Json) -> bool:
    """Tell whether the value of a condition means yes: true, or a number above zero."""
    if isinstance(value, bool):
        return value
    return isinstance(value, int | float) and value > 0
