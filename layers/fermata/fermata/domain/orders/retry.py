"""Retry: everything that was unsuccessful is tried again (Conductor engine reference, 7.4)."""

from dataclasses import replace

from fermata.domain.commands import Retry
from fermata.domain.deciding import Deciding
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.executions import Task
from fermata.domain.farewell import let_go
from fermata.domain.orders.reviving import count_awaited, go_on, is_unsuccessful, revive, waits_for_others
from fermata.domain.scheduling import schedule_retry
from fermata.domain.status import WorkflowStatus

_CHOOSING = frozenset({"SWITCH", "DECISION"})  # their successor may come after a branch


def retry(deciding: Deciding, command: Retry) -> None:
    """Open what waits for others again in place, and give everything else that was unsuccessful a new attempt."""
    run = deciding.workflow
    if not run.status.terminal:
        raise NotFound(f"Workflow {run.workflow_id} is {run.status}; only a finished workflow can be retried")
    passed = [task for task in deciding.all_tasks() if task.executed and not task.retried and task.status.successful]
    unsuccessful = [task for task in deciding.all_tasks() if is_unsuccessful(task)]
    if not unsuccessful and run.status is not WorkflowStatus.TIMED_OUT:
        raise Conflict(f"Workflow {run.workflow_id} has no failed task to retry; restart it to run it again")
    go_on(deciding)
    waiting = [task for task in unsuccessful if waits_for_others(task) or (command.resume_subworkflows and _has_child(deciding, task))]
    for task in waiting:
        revive(deciding, task)
    for task in unsuccessful:
        if deciding.workflow.status.terminal:
            return  # one of them ends the run when it starts: the others stay as they were
        if task in waiting:
            continue
        schedule_retry(deciding, deciding.step(task), replace(task, look_at=let_go(deciding, task)), delayed=False)
    if not deciding.workflow.status.terminal:
        count_awaited(deciding, waiting)
        _plan_what_was_lost(deciding, passed)


def _has_child(deciding: Deciding, task: Task) -> bool:
    """Tell whether there is a child to wait for: one that could not be started is tried again like any other task."""
    return task.sub_workflow_id is not None and deciding.run(task.sub_workflow_id) is not None


def _plan_what_was_lost(deciding: Deciding, passed: list[Task]) -> None:
    """Plan what follows the tasks that the flow has passed. What is there already is not started again.

    A run may end in the decision in which something was planned (a branch of a fork is a TERMINATE), and before it was started.
    """
    for task in passed:
        if task.step is not None or (task.loop and task.iteration != deciding.workflow.iterations.get(task.loop)):
            continue
        step = deciding.step(task)
        following = deciding.flow.successor(step.task_reference_name)
        if step.type == "FORK_JOIN":
            for branch in step.fork_tasks:
                deciding.plan(branch[0])
        if following is not None and step.type not in _CHOOSING:
            deciding.plan(following)
