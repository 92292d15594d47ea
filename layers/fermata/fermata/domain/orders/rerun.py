"""Rerun: from the start with another input, or from a task on (Conductor engine reference, 7.5).

What follows the chosen task in the flow is forgotten; what stands beside it, in other branches of a fork, is kept. (Conductor forgets
what was scheduled later, and with it branches that nothing would start again.) What runs again is a new record with a new id, so
that nothing which still travels for the old one can reach it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from fermata.domain.commands import Rerun
from fermata.domain.deciding import Deciding
from fermata.domain.definitions import walk
from fermata.domain.errors import Conflict, InvalidRequest
from fermata.domain.executions import Task
from fermata.domain.flow import FORKS, JOINS, Flow, suffixed, unsuffixed
from fermata.domain.orders.restart import forget_every_task
from fermata.domain.orders.reviving import count_awaited, go_on, is_unsuccessful, revive, waits_for_others
from fermata.domain.scheduling import schedule_again
from fermata.domain.status import TaskStatus


def rerun(deciding: Deciding, command: Rerun) -> None:
    """Run a finished run again. Raises `Conflict` while it is not over, `InvalidRequest` for a task that is not one of its own.

    Also `Conflict` for a task that was skipped before the run came to it: nothing before it would run, in a loop not even the loop.
    """
    run = deciding.workflow
    if not run.status.terminal:
        raise Conflict(f"Workflow {run.workflow_id} is {run.status}; only a finished workflow can be rerun")
    chosen = _chosen(deciding, command.from_task) if command.from_task else None
    if command.workflow_input is not None:
        deciding.change(input=command.workflow_input)
    if command.correlation_id is not None:
        deciding.change(correlation_id=command.correlation_id)
    if chosen is None:
        forget_every_task(deciding)
        deciding.change(last_retried_time=deciding.now)
    else:
        _rerun_from(deciding, chosen, command)


@dataclass(frozen=True)
class _Reach:
    """What follows a task, by reference name, and the JOINs of the forks around it, which wait again."""

    after: frozenset[str]
    joins: frozenset[str]


def _chosen(deciding: Deciding, task_id: str) -> Task:
    found = next((task for task in deciding.all_tasks() if task.task_id == task_id), None)
    if found is None:
        raise InvalidRequest(f"Task {task_id} is not a task of workflow {deciding.workflow.workflow_id}")
    chosen = deciding.record(found.task_reference_name) or found
    if chosen.status is TaskStatus.SKIPPED and not chosen.executed:
        raise Conflict(f"Task {task_id} was skipped ahead of time and the run never came to it; rerun from a task before it")
    return chosen


def _rerun_from(deciding: Deciding, chosen: Task, command: Rerun) -> None:
    tasks, reach = deciding.all_tasks(), _reach(deciding.flow, chosen)
    forgotten = [task for task in tasks if _follows(task, chosen, reach)]
    gone = {task.task_id for task in forgotten}
    newest = [task for task in tasks if not task.retried and task.task_id not in gone]
    reopened = [task for task in newest if _is_reopened(task, chosen, reach)]
    anew = [task for task in newest if task is not chosen and is_unsuccessful(task) and not waits_for_others(task)]
    if chosen not in reopened:
        anew.insert(0, chosen)
    names = {task.task_reference_name for task in anew}
    forgotten += [task for task in tasks if task.task_reference_name in names and task.task_id not in gone]
    go_on(deciding)
    _forget(deciding, forgotten, chosen)
    for task in reopened:
        revive(deciding, _awaiting(_at_iteration(task, chosen), chosen))
    for task in anew:
        if deciding.workflow.status.terminal:
            return  # one of them ends the run when it starts
        schedule_again(deciding, task, command.task_input if task is chosen else None)
    if not deciding.workflow.status.terminal:
        count_awaited(deciding, reopened)


def _reach(flow: Flow, chosen: Task) -> _Reach:
    joins: set[str] = set()
    after: set[str] = set()
    name = unsuffixed(chosen.task_reference_name, chosen.iteration)
    if chosen.step is not None and chosen.joined_by:  # it stands in no definition, but its JOIN does
        name = unsuffixed(chosen.joined_by, chosen.iteration)
        joins.add(name)
    place = flow.places[name]
    for children in (chosen.step or place.task).child_lists():
        after.update(step.task_reference_name for step in walk(children))
    while True:
        after.update(step.task_reference_name for step in walk(place.siblings[place.index + 1 :]))
        if place.container is None:
            return _Reach(frozenset(after - joins), frozenset(joins))
        place = flow.places[place.container.task_reference_name]
        join = flow.successor(place.task.task_reference_name) if place.task.type in FORKS else None
        if join is not None:
            joins.add(join.task_reference_name)


def _follows(task: Task, chosen: Task, reach: _Reach) -> bool:
    if chosen.loop is not None and task.loop == chosen.loop and task.iteration != chosen.iteration:
        return task.iteration > chosen.iteration
    names = (task.task_reference_name, task.joined_by if task.step is not None else None)
    return any(name is not None and unsuffixed(name, task.iteration) in reach.after for name in names)


def _is_reopened(task: Task, chosen: Task, reach: _Reach) -> bool:
    """Tell whether a task that waits for others waits again: the chosen JOIN, what is around the chosen task, what was unsuccessful."""
    if not waits_for_others(task):
        return False
    if task is chosen:
        return task.task_type in JOINS
    around = task.iteration in (0, chosen.iteration) and unsuffixed(task.task_reference_name, task.iteration) in reach.joins
    return around or task.task_reference_name == chosen.loop or is_unsuccessful(task)


def _forget(deciding: Deciding, forgotten: Sequence[Task], chosen: Task) -> None:
    deciding.remove(*forgotten)
    kept = deciding.all_tasks()
    run = deciding.workflow
    loops = {name: number for name, number in run.iterations.items() if any(task.task_reference_name == name for task in kept)}
    if chosen.loop is not None and chosen.loop in deciding.flow.places:
        loops[chosen.loop] = chosen.iteration
    deciding.change(
        generation=run.generation + 1,
        iterations=loops,
        newest_iterations=_newest_iterations(kept),
        forked=any(deciding.step(task).type == "FORK_JOIN_DYNAMIC" for task in kept),
    )


def _newest_iterations(tasks: Iterable[Task]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for task in tasks:
        if task.iteration and task.step is None:
            name = unsuffixed(task.task_reference_name, task.iteration)
            found[name] = max(found.get(name, 0), task.iteration)
    return found


def _at_iteration(task: Task, chosen: Task) -> Task:
    """Return the loop around the chosen task as it was in that task's iteration; other tasks as they are."""
    if task.task_reference_name != chosen.loop:
        return task
    at = chosen.iteration
    earlier = {key: value for key, value in task.output.items() if not key.isdigit() or int(key) < at}
    items = task.input.get("_items")
    item = {"loopItem": items[at - 1], "loopIndex": at - 1} if isinstance(items, list) else {}
    return replace(task, output={**earlier, "iteration": at, **item})


def _awaiting(task: Task, chosen: Task) -> Task:
    """Return the JOIN of a chosen SWITCH that a dynamic fork added, awaiting the SWITCH until that has chosen anew; others as they are."""
    if chosen.step is None or task.task_reference_name != chosen.joined_by:
        return task
    inside = {suffixed(step.task_reference_name, chosen.iteration) for step in walk((chosen.step,))}
    names = [chosen.task_reference_name if name in inside else name for name in task.input.get("joinOn", ())]
    return replace(task, input={**task.input, "joinOn": names})
