"""FORK_JOIN and FORK_JOIN_DYNAMIC: all branches and their JOIN start together (Conductor engine reference, 6.4 and 6.6)."""

from collections import Counter
from dataclasses import replace

from fermata.domain.counting import close, finish_now
from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.ending import fail_workflow
from fermata.domain.executions import Task
from fermata.domain.flow import FORKS, JOINS, LOOP, suffixed
from fermata.domain.outcomes import MAX_REASON_CHARACTERS
from fermata.domain.planning import PlannedEnd, Spot
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.steps import changed, walk
from fermata.domain.tasks.join import JOIN
from fermata.domain.tasks.not_run import refusal_of
from fermata.domain.tasks.registry import TASK_TYPES
from fermata.domain.tasks.simple import SIMPLE
from fermata.domain.tasks.task_type import Fork, ForkSteps

_UNFIT = FORKS | JOINS
_LOOP_ADVICE = "there a loop has a body of one task and stands in no other loop; put it into a SUB_WORKFLOW"


def fork(deciding: Deciding, step: WorkflowTask, task: Task, start: Fork | ForkSteps) -> None:
    """Complete the fork and plan its branches, then its JOIN. A fork that no JOIN follows ends the run."""
    join = deciding.flow.successor(step.task_reference_name)
    if join is None or join.type != JOIN.name:
        finish_now(deciding, task, {})
        fail_workflow(deciding, WorkflowStatus.FAILED, f"The task after {step.type} {step.task_reference_name} must be a JOIN")
        return
    if isinstance(start, Fork):
        finish_now(deciding, task, {})
        for branch in start.branches:
            deciding.plan(branch[0])
        deciding.plan(join)
        return
    _fork_steps(deciding, replace(task, input={**task.input, **start.input_additions}), start.steps, join)


def _fork_steps(deciding: Deciding, task: Task, steps: tuple[WorkflowTask, ...], join: WorkflowTask) -> None:
    wrong = _wrong(deciding, task, steps)
    if wrong:
        _refuse(deciding, task, wrong)
        return
    finish_now(deciding, task, {})
    spot = Spot(task.loop, task.iteration, suffixed(join.task_reference_name, task.iteration), own_step=True)
    for step in _with_definitions(deciding, steps):
        deciding.plan(step, spot)
    # Only here does a JOIN show its own input parameters, and as they stand (6.6).
    deciding.plan(join, given={**join.input_parameters, "joinOn": [step.task_reference_name for step in steps]})


def _refuse(deciding: Deciding, task: Task, reason: str) -> None:
    """Fail the fork, which ends the run. A retry reads it anew; it must not find a fork that is passed and a JOIN that awaits nothing."""
    now, cut = deciding.now, reason[:MAX_REASON_CHARACTERS]
    failed = replace(task, status=TaskStatus.FAILED, reason_for_incompletion=cut, executed=True, start_time=now, end_time=now)
    deciding.put(replace(failed, due=None, look_at=None))
    close(deciding, failed)
    if deciding.planned_end is None:  # the first of several wins
        deciding.planned_end = PlannedEnd(WorkflowStatus.FAILED, reason, None, task.task_id)


def _with_definitions(deciding: Deciding, steps: tuple[WorkflowTask, ...]) -> list[WorkflowTask]:
    """Give workers' steps their registered policies; a step whose name is not registered has none (reference 5.1)."""
    bare = frozenset(step.name for step in walk(steps) if step.type == SIMPLE.name and step.task_definition is None)
    known = deciding.task_definitions(bare) if bare else {}

    def embed(step: WorkflowTask) -> WorkflowTask:
        return step if step.type != SIMPLE.name or step.task_definition else replace(step, task_definition=known[step.name])

    return [changed(step, embed) for step in steps]


def _wrong(deciding: Deciding, task: Task, steps: tuple[WorkflowTask, ...]) -> str | None:
    everything = tuple(walk(steps))
    not_run = next((refusal for step in everything if (refusal := refusal_of(step.type, step.task_reference_name))), None)
    if not_run:
        return not_run
    unknown = sorted({step.type for step in everything if step.type not in TASK_TYPES})
    if unknown:
        return f"{task.task_reference_name} forks tasks of the type {', '.join(unknown)}, which is not known"
    unfit = sorted({step.type for step in everything if step.type in _UNFIT})
    if unfit:
        return f"{task.task_reference_name} forks {', '.join(unfit)}, which other tasks have to follow or await; put it into a SUB_WORKFLOW"
    stuck = sorted(step.task_reference_name for step in everything if step.type == LOOP and (task.loop or not _is_a_loop_of_one(step)))
    if stuck:
        return f"{task.task_reference_name} forks the DO_WHILE {', '.join(stuck[:5])}; {_LOOP_ADVICE}"
    taken = _taken(deciding, task, steps)
    if taken:
        return f"{task.task_reference_name} forks {', '.join(taken[:5])}, which is in the run already; reference names must be unique"
    return None


def _is_a_loop_of_one(step: WorkflowTask) -> bool:
    """Tell whether a loop can go on: nothing follows the first task of its body, and a loop in a loop would share its numbers."""
    return len(step.loop_over) == 1 and not any(inner.type == LOOP for inner in walk(step.loop_over))


def _taken(deciding: Deciding, task: Task, steps: tuple[WorkflowTask, ...]) -> list[str]:
    names = [suffixed(step.task_reference_name, task.iteration) for step in steps]
    inside = [suffixed(each.task_reference_name, task.iteration) for step in steps for tasks in step.child_lists() for each in walk(tasks)]
    counted = Counter([*names, *set(inside)])
    twice = sorted(name for name in set(names) if counted[name] > 1)
    found = deciding.records([*names, *inside])  # those inside are asked for together with the others: one of them may be chosen
    return twice or [name for name, record in zip(names, found, strict=False) if record is not None]
