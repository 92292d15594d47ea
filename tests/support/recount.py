"""The counters in a run's row against a recount from all its tasks: every decision of every engine test is held to it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fermata.adapters.memory.executions import MemoryExecutions
from fermata.domain.counting import MAX_WAITS
from fermata.domain.effects import Decision
from fermata.domain.executions import Task, Workflow

MOST_TASKS = 200  # a recount costs as much as the run has tasks; longer runs are left out
_CONTAINERS = ("JOIN", "EXCLUSIVE_JOIN", "DO_WHILE")


def counters(run: Workflow) -> dict[str, Any]:
    """Return what the row says."""
    return {
        "open": run.open_tasks,
        "containers": run.open_containers,
        "joins": dict(run.joins),
        "loops": {loop: count for loop, count in run.loop_tasks.items() if count},
    }


def recounted(run: Workflow, stored: Sequence[Task]) -> dict[str, Any]:
    """Return what the tasks say."""
    tasks = [task for task in stored if run.first_generation <= task.generation <= run.generation]
    # A task that is over and has a look-at waits to be concluded by a later decision: it still counts.
    unconcluded = [task for task in tasks if not (task.executed or task.retried)]
    open_tasks = [task for task in unconcluded if not task.status.terminal or task.look_at is not None]
    passed = {task.task_reference_name for task in tasks if task.executed and not task.retried}
    forked_loops = {task.task_reference_name for task in tasks if task.step and task.task_type == "DO_WHILE"}  # counted in their records
    joins = {
        task.task_reference_name: 0
        if task.task_type == "EXCLUSIVE_JOIN"
        else sum(name not in passed for name in task.input.get("joinOn", ()))
        for task in open_tasks
        if task.task_type in ("JOIN", "EXCLUSIVE_JOIN")
    }
    return {
        "open": len(open_tasks),
        "containers": sum(task.task_type in _CONTAINERS for task in open_tasks),
        "joins": joins,
        "loops": dict(Counter(task.loop for task in open_tasks if task.loop and task.loop not in forked_loops)),
    }


def check(run: Workflow, stored: Sequence[Task]) -> None:
    """Raise `AssertionError` when a counter differs, a name has two newest attempts, or a finished run has an open task."""
    assert counters(run) == recounted(run, stored)
    _check_waits(run, stored)
    newest = Counter(task.task_reference_name for task in stored if run.shows(task) and not task.retried)
    assert max(newest.values(), default=0) <= 1, f"newest attempts: {newest.most_common(3)}"
    if run.status.terminal:
        assert not run.open_tasks


def _check_waits(run: Workflow, stored: Sequence[Task]) -> None:
    """The row names open tasks that wait for no others: some while there are any, all while none had to be left out."""
    tasks = {task.task_id: task for task in stored if run.shows(task)}
    assert len(set(run.waits)) == len(run.waits) <= MAX_WAITS
    for named in (tasks[each] for each in run.waits):
        assert not named.executed
        assert not named.retried
        assert named.task_type not in _CONTAINERS


class CountedExecutions(MemoryExecutions):
    """Checks each decision once its rows are written."""

    def settled(self, decision: Decision) -> None:
        stored = self.load(decision.workflow.workflow_id)
        if stored and stored.workflow.revision == decision.workflow.revision:
            tasks = self.all_tasks(decision.workflow.workflow_id)
            if len(tasks) <= MOST_TASKS:
                check(stored.workflow, tasks)
        super().settled(decision)
