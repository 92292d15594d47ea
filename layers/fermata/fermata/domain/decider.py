"""The decider: the one place where the state of a run moves.

Theory of operation. The tasks that something may have happened to (the focus) are looked at one after the other. A task whose
outcome is recorded, whose time has come or whose deadline has passed becomes terminal; a terminal task is concluded: tried
again, or its successor is scheduled, or it ends the run. A task that is over at once when it starts (SWITCH, INLINE, ...) is
looked at in the same pass. The pass ends when nothing is left to look at; a run with no open task is complete.

A decision that needs something unknown (another task's output, the value of a script) is not made: `decide` returns the
question, and is called again with the answer. Nothing is kept in between, so the same input always leads to the same decision,
and a decision over unchanged input changes nothing.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from fermata.domain import moving, ordering
from fermata.domain.commands import Command
from fermata.domain.concluding import conclude
from fermata.domain.deciding import Ask, Deciding
from fermata.domain.effects import Decision, Send
from fermata.domain.ending import complete, fail_workflow
from fermata.domain.executions import Execution
from fermata.domain.farewell import look_back, look_back_at_run
from fermata.domain.knowledge import Knowledge
from fermata.domain.messages import WakeTask, WakeWorkflow
from fermata.domain.outcomes import Outcome
from fermata.domain.planning import PlannedEnd
from fermata.domain.questions import Question
from fermata.domain.scheduling import schedule
from fermata.domain.status import WorkflowStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.timeouts import SWEEP_GRACE, workflow_deadline

TASKS_A_DECISION = 50  # a decision is made anew for each script it needs: a long row of scripts is many decisions, or it would be slow


def decide(
    execution: Execution,
    outcomes: Mapping[str, Outcome],
    knowledge: Knowledge,
    now: datetime,
    command: Command | None = None,
) -> Decision | Question:
    """Return the decision, or the question that must be answered first.

    `outcomes` are recorded outcomes by task id; those of tasks that are over change nothing. A command that does
    not fit the run's status raises `Conflict` or `NotFound`.
    """
    deciding = Deciding(execution, outcomes, knowledge, now)
    try:
        if command is not None:
            ordering.obey(deciding, command)
        _advance(deciding)
    except Ask as ask:
        return ask.question
    return deciding.decision()


def _advance(deciding: Deciding) -> None:
    if deciding.workflow.status.terminal:
        _look_back(deciding)
        return
    if _workflow_timed_out(deciding):
        return
    if deciding.workflow.status is WorkflowStatus.PAUSED:
        return
    if deciding.workflow.tasks_scheduled == 0:
        deciding.plan(deciding.definition.tasks[0])
    _arm_workflow_timeout(deciding)
    _settle_pending(deciding)
    if not deciding.workflow.status.terminal and deciding.workflow.open_tasks == 0:
        complete(deciding)


def _settle_pending(deciding: Deciding) -> None:
    """Start what is planned, end the run if that is, look at what is pending, then at loops whose iteration may be over."""
    while not deciding.workflow.status.terminal:
        if deciding.planned:
            schedule(deciding, deciding.planned.pop(0))
        elif deciding.planned_end is not None:
            _end(deciding, deciding.planned_end)
        elif deciding.pending:
            _look_at(deciding, deciding.pending.pop(0))
        elif deciding.touched_loops:
            _look_at_loop(deciding, deciding.touched_loops.pop(0))
        elif not _free_the_waiting(deciding):
            return


def _end(deciding: Deciding, end: PlannedEnd) -> None:
    deciding.change(failed_task_id=end.failed_task_id)
    fail_workflow(deciding, end.status, end.reason, output=end.output)


def _look_at(deciding: Deciding, task_id: str) -> None:
    task = deciding.task(task_id)
    if task is None or not deciding.workflow.shows(task):
        return  # a stale message: that task is forgotten
    if task.status.terminal and (task.executed or task.retried):
        look_back(deciding, task)  # most often a stale message: that task is concluded
        return
    if task.status.terminal and task.look_at is None and not deciding.has_changed(task_id):
        return  # it ended the run, or was canceled with it, or was skipped ahead of time: nothing follows from it any more
    moved = moving.moved(deciding, task)
    if moved.status.terminal and deciding.has_changed(task_id) and _is_full(deciding):
        # The rest is left to the next decision. Until then the task is over and not concluded, and the sweeper knows of it.
        deciding.put(replace(moved, look_at=deciding.now + SWEEP_GRACE))
        deciding.emit(Send(WakeTask(moved.workflow_id, moved.task_id), deciding.now))
    elif moved.status.terminal:
        conclude(deciding, moved)


def _is_full(deciding: Deciding) -> bool:
    return deciding.workflow.tasks_scheduled - deciding.before.tasks_scheduled >= TASKS_A_DECISION


def _look_at_loop(deciding: Deciding, loop: str) -> None:
    if deciding.workflow.loop_tasks.get(loop, 0) == 0:
        record = deciding.newest(loop)
        if record is not None:
            deciding.pending.append(record.task_id)


def _free_the_waiting(deciding: Deciding) -> bool:
    """Return whether something moves where only tasks that wait for each other are left: a JOIN then waits for ever."""
    run = deciding.workflow
    if not run.open_tasks or run.open_tasks > run.open_containers:
        return False
    for task in deciding.open_tasks():
        ended = type_of(task).stuck(deciding, task)
        if ended is not None:
            conclude(deciding, ended)
            return True
    return False


def _workflow_timed_out(deciding: Deciding) -> bool:
    deadline = workflow_deadline(deciding.definition, deciding.workflow)
    if deadline is None or deciding.now < deadline:
        return False
    seconds = deciding.definition.timeout_seconds
    reason = f"Workflow timed out: it was not finished after {seconds} seconds (timeoutSeconds)"
    fail_workflow(deciding, WorkflowStatus.TIMED_OUT, reason)
    return True


def _look_back(deciding: Deciding) -> None:
    """Look, for a run that is over, at the children that were told to end."""
    look_back_at_run(deciding)
    for task_id in deciding.pending:
        task = deciding.task(task_id)
        if task is not None:
            look_back(deciding, task)


def _arm_workflow_timeout(deciding: Deciding) -> None:
    """Set the alarm of the run's own timeout, once for each deadline."""
    deadline = workflow_deadline(deciding.definition, deciding.workflow)
    look_at = deadline + SWEEP_GRACE if deadline else None
    if look_at == deciding.workflow.look_at:
        return
    deciding.change(look_at=look_at)
    if deadline:
        deciding.emit(Send(WakeWorkflow(deciding.workflow.workflow_id), deadline))
