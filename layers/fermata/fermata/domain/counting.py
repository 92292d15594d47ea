"""Counting the tasks that are not over: of the run, of a loop's iteration, of a JOIN. The counts stand in the run's row, not the tasks."""

from dataclasses import replace

from fermata.domain.deciding import Deciding
from fermata.domain.executions import Task
from fermata.domain.flow import suffixed, unsuffixed
from fermata.domain.json_value import JsonObject
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import type_of

MAX_WAITS = 3  # 39 bytes each in a row that every decision writes


def open_up(deciding: Deciding, task: Task) -> None:
    """Count a task among those that are not over."""
    _count(deciding, task, 1)


def close(deciding: Deciding, task: Task) -> None:
    """Count a task out of those that are not over."""
    _count(deciding, task, -1)
    name, run = task.task_reference_name, deciding.workflow
    if name in run.joins:
        deciding.change(joins={join: left for join, left in run.joins.items() if join != name})
    if task.loop:
        deciding.touched_loops.append(task.loop)


def finish_now(deciding: Deciding, task: Task, output: JsonObject) -> None:
    """Complete a task whose successors the caller starts itself."""
    now = deciding.now
    done = replace(task, status=TaskStatus.COMPLETED, output=output, executed=True, start_time=now, end_time=now, due=None, look_at=None)
    deciding.put(done)
    close(deciding, done)
    tell_joins(deciding, done)


def tell_joins(deciding: Deciding, task: Task) -> None:
    """Tell the open JOINs that await this task that it is over; those that await nothing more are looked at in this pass."""
    for name in joins_of(deciding, task):
        left = deciding.workflow.joins.get(name)
        if left is None:
            continue
        deciding.change(joins={**deciding.workflow.joins, name: max(0, left - 1)})
        join = deciding.record(name) if left <= 1 else None
        if join is not None:
            deciding.pending.append(join.task_id)


def joins_of(deciding: Deciding, task: Task) -> list[str]:
    """Return the names of the JOIN records that await a task."""
    forked_by = join_of(deciding, task)
    awaiting = deciding.flow.joins_on.get(unsuffixed(task.task_reference_name, task.iteration), ())
    return [*(suffixed(name, task.iteration) for name in awaiting), *([forked_by] if forked_by else [])]


def join_of(deciding: Deciding, task: Task) -> str | None:
    """Return the JOIN record of the dynamic fork that added a task. Of a loop that was added it awaits the loop, not what is in it."""
    return None if in_forked_loop(deciding, task) else task.joined_by


def in_forked_loop(deciding: Deciding, task: Task) -> bool:
    """Tell whether a task stands in a loop that a dynamic fork added. The run's row counts nothing of those: there may be thousands."""
    return task.loop is not None and task.loop not in deciding.flow.places


def _count(deciding: Deciding, task: Task, by: int) -> None:
    run = deciding.workflow
    counts = task.loop is not None and not in_forked_loop(deciding, task)
    loops = {**run.loop_tasks, task.loop: run.loop_tasks.get(task.loop, 0) + by} if task.loop and counts else run.loop_tasks
    contains = type_of(task).waits_for_others
    containers = run.open_containers + (by if contains else 0)
    waits = tuple(each for each in run.waits if each != task.task_id)
    if by > 0 and not contains and len(waits) < MAX_WAITS:
        waits = (*waits, task.task_id)
    deciding.change(open_tasks=run.open_tasks + by, open_containers=containers, loop_tasks=loops, waits=waits)
