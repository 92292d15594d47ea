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
from datetime import datetime, timedelta

from fermata.domain import joining, looping, ordering, queueing
from fermata.domain.commands import Command
from fermata.domain.counting import close, tell_joins
from fermata.domain.deciding import Ask, Deciding, Knowledge
from fermata.domain.definitions import WorkflowTask
from fermata.domain.effects import ClosePoll, Decision, Dequeue, Send
from fermata.domain.ending import complete, end_by_failure, fail_workflow, is_permissive
from fermata.domain.executions import Execution, Task
from fermata.domain.flow import JOINS, LOOP, unsuffixed
from fermata.domain.messages import WakeTask, WakeWorkflow
from fermata.domain.outcomes import Outcome
from fermata.domain.questions import Question
from fermata.domain.retries import retries_allowed
from fermata.domain.scheduling import RUN_LEASE, resend, schedule, schedule_retry
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks import sub_workflow
from fermata.domain.tasks.registry import TASK_TYPES
from fermata.domain.timeouts import SWEEP_GRACE, Deadline, task_deadline, workflow_deadline

TASKS_A_DECISION = 50  # a decision is made anew for each script it needs: a long row of scripts is many decisions, or it would be slow
ENDED_OUTSIDE = ("HTTP", "EVENT")  # by an outside party, where a step says `asyncComplete`
CHILD_CHECK = timedelta(hours=1)  # how often the sweeper asks whether a child's end got lost on its way


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
    if deciding.workflow.status.terminal or _workflow_timed_out(deciding):
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
    """Start what is planned, look at what is pending, then at loops whose iteration may be over, until nothing is left."""
    while not deciding.workflow.status.terminal:
        if deciding.planned:
            schedule(deciding, deciding.planned.pop(0))
        elif deciding.pending:
            _look_at(deciding, deciding.pending.pop(0))
        elif deciding.touched_loops:
            _look_at_loop(deciding, deciding.touched_loops.pop(0))
        elif not _free_the_waiting(deciding):
            return


def _look_at(deciding: Deciding, task_id: str) -> None:
    task = deciding.task(task_id)
    if task is None or not deciding.workflow.shows(task) or (task.status.terminal and (task.executed or task.retried)):
        return  # a stale message: that task is concluded
    if task.status.terminal and task.look_at is None and not deciding.has_changed(task_id):
        return  # it ended the run, or was canceled with it, or was skipped ahead of time: nothing follows from it any more
    moved = _moved(deciding, task)
    if moved.status.terminal and deciding.has_changed(task_id) and _is_full(deciding):
        # The rest is left to the next decision. Until then the task is over and not concluded, and the sweeper knows of it.
        deciding.put(replace(moved, look_at=deciding.now + SWEEP_GRACE))
        deciding.emit(Send(WakeTask(moved.workflow_id, moved.task_id), deciding.now))
    elif moved.status.terminal:
        _conclude(deciding, moved)


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
        if task.task_type in JOINS:
            _conclude(deciding, joining.fail_for_ever_waiting(deciding, task))
            return True
    return False


def _moved(deciding: Deciding, task: Task) -> Task:
    """Return the task after everything that may have happened to it: an outcome, its time, its deadline, a lost message."""
    if task.status.terminal:
        return task
    if task.task_type in JOINS:
        return joining.moved(deciding, task)
    if task.task_type == LOOP:
        return looping.moved(deciding, task)
    if task.task_id in deciding.outcomes:
        return _with_outcome(task, deciding.outcomes[task.task_id])
    if task.queue is not None:
        return queueing.moved(deciding, task)
    if task.task_type == "WAIT" and task.due and task.due <= deciding.now:
        return replace(task, status=TaskStatus.COMPLETED, end_time=deciding.now)
    if task.task_type == "SUB_WORKFLOW" and task.seq <= deciding.before.tasks_scheduled:  # one that begins here has no child yet
        task = _with_child(deciding, task)
    deadline = _deadline(deciding, task)
    if not task.status.terminal and deadline and deadline.at <= deciding.now:
        reason = f"Task timed out: {deadline.reason}"
        return replace(task, status=TaskStatus.TIMED_OUT, end_time=deciding.now, reason_for_incompletion=reason)
    if not task.status.terminal and task.look_at and task.look_at <= deciding.now and task.task_type != "WAIT":
        resend(deciding, task)
    return task


def _with_child(deciding: Deciding, task: Task) -> Task:
    """Return a SUB_WORKFLOW task as its child has it: over with it, or waiting for it."""
    child = deciding.run(task.sub_workflow_id or "")
    if child is None:
        return task  # not started yet, or its start got lost: the message is sent again when the time has come
    if child.status.terminal:
        end = sub_workflow.ended(child)
        return replace(task, status=end.status, output=end.output, reason_for_incompletion=end.reason, end_time=deciding.now)
    look_at = deciding.now + CHILD_CHECK
    if task.look_at is None or task.look_at <= deciding.now + RUN_LEASE:
        task = replace(task, look_at=look_at)
        deciding.put(task)
    return task


def _with_outcome(task: Task, outcome: Outcome) -> Task:
    return replace(
        task,
        status=outcome.status,
        output=outcome.output,
        output_recorded=True,
        reason_for_incompletion=outcome.reason,
        start_time=outcome.started_at or task.start_time or outcome.at,
        end_time=outcome.at,
        poll_count=outcome.poll_count,
        worker_id=outcome.worker_id,
    )


def _conclude(deciding: Deciding, task: Task) -> None:
    """Draw the consequences of a terminal task: a new attempt, a successor, or the end of the run."""
    step = deciding.step(task)
    if task.task_type == "HTTP_POLL":
        deciding.emit(ClosePoll(task.task_id))
    if task.queue is not None:
        deciding.emit(Dequeue(task.workflow_id, task.task_id))
    _note_failure(deciding, task, step)
    if not task.status.successful:
        if _ends_workflow_at_once(deciding, task) or not _survives(task, step):
            deciding.put(replace(task, due=None, look_at=None))
            close(deciding, task)
            end_by_failure(deciding, task)
            return
        if _may_retry(task, step):
            close(deciding, task)
            schedule_retry(deciding, step, task)
            return
        if step.optional:
            task = replace(task, status=TaskStatus.COMPLETED_WITH_ERRORS)
    task = replace(task, executed=True, due=None, look_at=None)
    deciding.put(task)
    close(deciding, task)
    following = deciding.flow.successor(unsuffixed(task.task_reference_name, task.iteration)) if task.step is None else None
    if following is not None:
        deciding.plan(following)
    tell_joins(deciding, task)


def _survives(task: Task, step: WorkflowTask) -> bool:
    """Tell whether the run goes on after this failure: by a retry, or because the step may fail."""
    return _may_retry(task, step) or step.optional or is_permissive(step)


def _may_retry(task: Task, step: WorkflowTask) -> bool:
    return task.status.retriable and TASK_TYPES[step.type].may_retry and task.retry_count < retries_allowed(step)


def _ends_workflow_at_once(deciding: Deciding, task: Task) -> bool:
    if task.status is not TaskStatus.TIMED_OUT:
        return False
    deadline = _deadline(deciding, task)
    return deadline is not None and deadline.ends_workflow


def _deadline(deciding: Deciding, task: Task) -> Deadline | None:
    if task.queue is not None:
        return queueing.deadline_of(deciding, task)
    step = deciding.step(task)
    # A request or a message that was sent and waits for an outside party (`asyncComplete`) is not asked to respond any more.
    responds = TASK_TYPES[step.type].responds and not (task.task_type in ENDED_OUTSIDE and task.start_time is not None)
    return task_deadline(step.task_definition, task, responds=responds)


def _note_failure(deciding: Deciding, task: Task, step: WorkflowTask) -> None:
    run = deciding.workflow
    if is_permissive(step) and not task.status.successful:
        deciding.change(permissive_failures=_with(run.permissive_failures, task.task_reference_name))
    if task.status not in (TaskStatus.FAILED, TaskStatus.FAILED_WITH_TERMINAL_ERROR):
        return
    deciding.change(
        failed_reference_task_names=_with(run.failed_reference_task_names, task.task_reference_name),
        failed_task_names=_with(run.failed_task_names, step.name),
    )


def _with(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return names if name in names else (*names, name)


def _workflow_timed_out(deciding: Deciding) -> bool:
    deadline = workflow_deadline(deciding.definition, deciding.workflow)
    if deadline is None or deciding.now < deadline:
        return False
    seconds = deciding.definition.timeout_seconds
    reason = f"Workflow timed out: it was not finished after {seconds} seconds (timeoutSeconds)"
    fail_workflow(deciding, WorkflowStatus.TIMED_OUT, reason)
    return True


def _arm_workflow_timeout(deciding: Deciding) -> None:
    """Set the alarm of the run's own timeout, once for each deadline."""
    deadline = workflow_deadline(deciding.definition, deciding.workflow)
    look_at = deadline + SWEEP_GRACE if deadline else None
    if deadline and look_at != deciding.workflow.look_at:
        deciding.change(look_at=look_at)
        deciding.emit(Send(WakeWorkflow(deciding.workflow.workflow_id), deadline))
