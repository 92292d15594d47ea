"""What an unfinished run waits for, read off what is stored: for each open task a party with a name, a moment, or both."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from fermata.domain.definitions import WorkflowDefinition, WorkflowTask
from fermata.domain.executions import Task, Workflow
from fermata.domain.polling import PollState
from fermata.domain.status import WorkflowStatus
from fermata.domain.tasks import hooks
from fermata.domain.tasks.registry import type_of
from fermata.domain.timeouts import task_deadline, workflow_deadline
from fermata.domain.vendors import host_of
from fermata.domain.working import WorkItem, deadline

MAX_NAMES = 10  # of the tasks that a JOIN or a loop still waits for; the rest is in the list itself


class Party(StrEnum):
    """Who or what moves the run on."""

    WORKER = "WORKER"  # whoever polls the queue that `name` names
    PERSON = "PERSON"  # somebody who ends a HUMAN task
    SIGNAL = "SIGNAL"  # whoever signals or ends a WAIT that has no end of its own
    UPDATE = "UPDATE"  # whoever ends a task whose request was made already (asyncComplete); `name` is the host it went to
    VENDOR = "VENDOR"  # an HTTP request or the next poll, to the host that `name` names
    TIME = "TIME"  # a moment
    CHILD = "CHILD"  # the run whose id is `name`
    TASKS = "TASKS"  # other tasks of the run: `names`
    OPERATOR = "OPERATOR"  # somebody who resumes a paused run
    ENGINE = "ENGINE"  # the engine itself, in a moment


@dataclass(frozen=True)
class Waiting:
    """One thing that a run waits for. `due`: when the run moves, or gives up, by itself; None: only the party moves it."""

    party: Party
    task_reference_name: str | None = None
    task_id: str | None = None
    name: str | None = None
    names: tuple[str, ...] = ()
    due: datetime | None = None
    # Of a WORKER: who holds the task, and who asked its queue last.
    worker_id: str | None = None
    last_poll: datetime | None = None
    # Of a VENDOR that is polled: what it said last its job's state was, and since when it says so.
    remote_state: str | None = None
    remote_since: datetime | None = None


@dataclass(frozen=True)
class Standing:
    """A task attempt with what its type keeps beside it."""

    task: Task
    step: WorkflowTask | None
    poll: PollState | None = None
    work: WorkItem | None = None


def waiting_for(definition: WorkflowDefinition, workflow: Workflow, standing: Sequence[Standing], now: datetime) -> tuple[Waiting, ...]:
    """Return everything that the run waits for, in the order of its tasks; nothing for a run that is over.

    The run itself stands first when it is paused or has a timeout of its own.
    """
    if workflow.status.terminal:
        return ()
    own = _of_the_run(definition, workflow)
    tasks = [each.task for each in standing]
    found = [_of_a_task(each, tasks, now) for each in standing if _moves_on(each.task)]
    return (*own, *found)


def _of_the_run(definition: WorkflowDefinition, workflow: Workflow) -> tuple[Waiting, ...]:
    due = workflow_deadline(definition, workflow)
    if workflow.status is WorkflowStatus.PAUSED:
        return (Waiting(Party.OPERATOR, due=due),)
    return (Waiting(Party.TIME, due=due),) if due else ()


def _moves_on(task: Task) -> bool:
    """Tell whether a task is open, or over and what follows from it was left to the next decision."""
    return not task.status.terminal or (not task.executed and not task.retried and task.look_at is not None)


def _of_a_task(standing: Standing, tasks: Sequence[Task], now: datetime) -> Waiting:
    task = standing.task
    party, name, names = _party(standing, tasks)
    work, poll = standing.work, standing.poll
    return Waiting(
        party=party,
        task_reference_name=task.task_reference_name,
        task_id=task.task_id,
        name=name,
        names=names,
        due=_work_due(work, now) if work else _due(standing, party),
        worker_id=work.worker_id if work and work.claimed else None,
        remote_state=poll.remote_state if poll else None,
        remote_since=poll.remote_since if poll else None,
    )


def _party(standing: Standing, tasks: Sequence[Task]) -> tuple[Party, str | None, tuple[str, ...]]:
    task = standing.task
    if task.status.terminal:
        return Party.ENGINE, None, ()
    if task.queue is not None:
        return Party.WORKER, task.queue, ()
    match task.task_type:
        case "HUMAN":
            return Party.PERSON, None, ()
        case "WAIT":
            return (Party.TIME if task.due else Party.SIGNAL), None, ()
        case "JOIN" | "EXCLUSIVE_JOIN":
            return Party.TASKS, None, _joined(task, tasks)
        case "DO_WHILE":
            return Party.TASKS, None, _of_the_loop(task, tasks)
        case "SUB_WORKFLOW" if task.sub_workflow_id:
            return Party.CHILD, task.sub_workflow_id, ()
        case "AIRPIPE_DELAY":
            return Party.TIME, None, ()
        case "HTTP" | "HTTP_POLL" | "AIRPIPE_HTTP":
            return (Party.UPDATE if _is_asked(standing) else Party.VENDOR), host_of(task.input), ()
        case _:
            return (Party.UPDATE if _is_asked(standing) else Party.ENGINE), None, ()


def _is_asked(standing: Standing) -> bool:
    """Tell whether the task's own part is done and an outside party ends it (`asyncComplete`)."""
    by_step = standing.step is not None and standing.step.async_complete
    return standing.task.start_time is not None and standing.poll is None and (by_step or standing.task.input.get("asyncComplete") is True)


def _joined(join: Task, tasks: Sequence[Task]) -> tuple[str, ...]:
    """Return the names of `joinOn` that the flow has not passed, some of which may not have been scheduled yet."""
    passed = {task.task_reference_name for task in tasks if task.status.terminal and task.executed and not task.retried}
    wanted = join.input.get("joinOn")
    names = wanted if isinstance(wanted, list) else []
    return tuple(str(name) for name in names if name not in passed)[:MAX_NAMES]


def _of_the_loop(loop: Task, tasks: Sequence[Task]) -> tuple[str, ...]:
    return tuple(task.task_reference_name for task in tasks if task.loop == loop.task_reference_name and _moves_on(task))[:MAX_NAMES]


def _due(standing: Standing, party: Party) -> datetime | None:
    """Return the next moment at which something stored moves the task, or gives it up.

    Without a deadline or a moment of its own it is when somebody looks whether what was handed to a door, or to a child, got lost.
    """
    task, step, poll = standing.task, standing.step, standing.poll
    responds = type_of(task).deadline is not hooks.in_its_own_time and party is not Party.UPDATE
    limit = task_deadline(step.task_definition if step else None, task, responds=responds)
    moments = [limit.at if limit else None]
    if party in (Party.VENDOR, Party.TIME, Party.ENGINE):
        moments.append(poll.due if poll else task.due)
    return min((moment for moment in moments if moment), default=None if party is Party.UPDATE else task.look_at)


def _work_due(work: WorkItem, now: datetime) -> datetime | None:
    limit = deadline(work)
    hidden = work.visible_at if not work.claimed and work.visible_at > now else None
    return min((moment for moment in (limit.at if limit else None, hidden) if moment), default=None)
