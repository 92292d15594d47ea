"""Retry: everything that was unsuccessful is tried again (Conductor engine reference, 7.4)."""

from fermata.domain.commands import Retry
from fermata.domain.deciding import Deciding
from fermata.domain.effects import ClosePoll
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.orders.reviving import count_awaited, go_on, is_unsuccessful, revive, waits_for_others
from fermata.domain.scheduling import schedule_retry
from fermata.domain.status import WorkflowStatus


def retry(deciding: Deciding, command: Retry) -> None:  # noqa: ARG001 - `resume_subworkflows` is for children, which are not there yet
    """Open what waits for others again in place, and give everything else that was unsuccessful a new attempt."""
    run = deciding.workflow
    if not run.status.terminal:
        raise NotFound(f"Workflow {run.workflow_id} is {run.status}; only a finished workflow can be retried")
    unsuccessful = [task for task in deciding.all_tasks() if is_unsuccessful(task)]
    if not unsuccessful and run.status is not WorkflowStatus.TIMED_OUT:
        raise Conflict(f"Workflow {run.workflow_id} has no failed task to retry; restart it to run it again")
    go_on(deciding)
    waiting = [task for task in unsuccessful if waits_for_others(task)]
    for task in waiting:
        revive(deciding, task)
    for task in unsuccessful:
        if deciding.workflow.status.terminal:
            return  # one of them ends the run when it starts: the others stay as they were
        if waits_for_others(task):
            continue
        if task.task_type == "HTTP_POLL":
            deciding.emit(ClosePoll(task.task_id))
        schedule_retry(deciding, deciding.step(task), task, delayed=False)
    if not deciding.workflow.status.terminal:
        count_awaited(deciding, waiting)
