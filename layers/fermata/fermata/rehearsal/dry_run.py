"""A definition tried on a virtual clock with a scripted vendor: what would happen, when, how many requests, and what it would cost.

Nothing is stored and nothing leaves: definitions are read from the real store, everything else is in memory.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum

from fermata.adapters.memory.clock import VirtualClock
from fermata.application import awaited, look
from fermata.application.deliver import deliver
from fermata.application.engine import Engine
from fermata.application.start import StartWorkflow, start
from fermata.application.views import ExecutionView
from fermata.domain.awaited import Party, Waiting
from fermata.domain.costing import CostEstimate, estimate, together
from fermata.domain.executions import Task
from fermata.domain.messages import Message, PollDue, RunTask
from fermata.domain.polling import LedgerEntry
from fermata.domain.tasks.registry import type_of
from fermata.ports import WorkflowQuery
from fermata.rehearsal.borrowed import BorrowedDefinitions
from fermata.rehearsal.scripted import ScriptedVendor
from fermata.rehearsal.stage import Props, Stage
from fermata.rehearsal.telling import Happened, Telling, ToldExecutions, ToldPolls, What
from fermata.wire.dry_run import ScriptedAnswers

MAX_REQUESTS = 2_000
MAX_EVENTS = 10_000
MAX_CHANGES = 5_000  # task rows written
MAX_STEPS = 20_000  # messages delivered
MAX_TIME = timedelta(days=366)
MAX_RUNS = 200  # shown in the ledgers and the cost
MAX_SECONDS = 8.0  # of the door's 29; the longest single decision takes 12 more (its scripts are stopped then)


class Ending(StrEnum):
    """What ended the dry run. The words are shown."""

    OVER = "OVER"  # the run is over
    WAITING = "WAITING"  # only somebody outside can move it on
    TOO_LONG = "TOO_LONG"  # the next thing happens after `MAX_TIME`
    TOO_MUCH = "TOO_MUCH"  # it took all that one request may take


@dataclass(frozen=True)
class DryRun:
    """What came of it. `polls` by reference name, a child's with the name of its workflow before it."""

    view: ExecutionView
    waiting: Sequence[Waiting]
    events: Sequence[Happened]
    requests: int
    polls: Mapping[str, Sequence[LedgerEntry]]
    elapsed: timedelta
    cost: CostEstimate
    ending: Ending
    why: str


class _AnySecret:
    """A `Secrets` that knows every name and no secret."""

    def get(self, name: str) -> str | None:
        return f"<secret {name}>"


class _DryStage(Stage):
    executions_of = ToldExecutions


def dry_run(engine: Engine, wanted: StartWorkflow, answers: Sequence[ScriptedAnswers], spent: Callable[[], float]) -> DryRun:
    """Run it until it is over, or waits for somebody outside, or has taken all it may. `engine` lends definitions and evaluator.

    `spent` reads a stopwatch, in seconds. Raises what `start` raises.
    """
    clock = VirtualClock(engine.clock.now())
    telling = Telling(clock)
    vendor = ScriptedVendor(answers, clock, telling)
    props = Props(environment=engine.environment, min_poll_interval=engine.min_poll_interval, limits=engine.limits)
    stage = _DryStage(vendor, engine.evaluator, props, clock=clock, definitions=BorrowedDefinitions(engine.definitions), ids=engine.ids)
    stage.polls = ToldPolls(telling)
    stage.engine = replace(stage.engine, polls=stage.polls, secrets=_AnySecret())
    if isinstance(stage.executions, ToldExecutions):
        stage.executions.telling = telling
    return _Playing(stage, vendor, telling, spent).play(wanted)


class _Playing:
    """Mutable while one dry run is played."""

    def __init__(self, stage: Stage, vendor: ScriptedVendor, telling: Telling, spent: Callable[[], float]) -> None:
        self._stage, self._vendor, self._telling = stage, vendor, telling
        self._spent, self._began = spent, spent()
        self._steps = 0

    def play(self, wanted: StartWorkflow) -> DryRun:
        began = self._stage.clock.now()
        workflow_id = start(self._stage.engine, wanted)
        until = began + MAX_TIME
        too_much = None
        while too_much is None:
            # When the run is over, what it started may still act, but no time passes for it.
            over = self._over(workflow_id)
            due = self._stage.next_due(self._stage.clock.now() if over else until)
            if not due:
                break
            for message in due:
                self._deliver(message)
            too_much = self._too_much()
        return self._told(workflow_id, too_much)

    def _over(self, workflow_id: str) -> bool:
        stored = self._stage.executions.load(workflow_id)
        return stored is not None and stored.workflow.status.terminal

    def _deliver(self, message: Message) -> None:
        self._steps += 1
        task = self._task_of(message)
        if task is not None:
            self._vendor.asked_by(task.task_reference_name, task.iteration)
        deliver(self._stage.engine, message)
        self._stage.sinks.take()  # events come to nobody

    def _task_of(self, message: Message) -> Task | None:
        if not isinstance(message, PollDue | RunTask):
            return None
        return self._stage.executions.load_tasks(message.workflow_id, (message.task_id,)).get(message.task_id)

    def _too_much(self) -> str | None:
        if self._vendor.requests >= MAX_REQUESTS:
            return f"It made {MAX_REQUESTS} requests, the most of one dry run."
        if len(self._telling.events) >= MAX_EVENTS or self._telling.tasks >= MAX_CHANGES or self._steps >= MAX_STEPS:
            return "It came further than one dry run goes; does a loop in it end?"
        if self._spent() - self._began >= MAX_SECONDS:
            return f"It took {MAX_SECONDS:g} seconds of computing, the most of one dry run."
        return None

    def _told(self, workflow_id: str, too_much: str | None) -> DryRun:
        engine = self._stage.engine
        view = look.execution(engine, workflow_id, include_tasks=True)
        waiting = awaited.waiting_for(engine, view)
        ending, why = self._ending(view, waiting, too_much)
        if ending is not Ending.OVER:
            self._telling.tell(What.STOPPED, why, None, workflow_id)
        page = self._stage.executions.search(WorkflowQuery(size=MAX_RUNS))
        views = [look.execution(engine, run.workflow_id, include_tasks=True) for run in reversed(page.workflows)]
        costs = [estimate(each.workflow, [found.task for found in each.tasks], engine.min_poll_interval) for each in views]
        elapsed = (view.workflow.end_time or self._stage.clock.now()) - view.workflow.create_time
        polls = self._ledgers(views, workflow_id)
        return DryRun(view, waiting, self._telling.events, self._vendor.requests, polls, elapsed, together(costs), ending, why)

    def _ending(self, view: ExecutionView, waiting: Sequence[Waiting], too_much: str | None) -> tuple[Ending, str]:
        run = view.workflow
        if run.status.terminal:
            return Ending.OVER, f"The run is {run.status}."
        if too_much is not None:
            return Ending.TOO_MUCH, too_much
        if self._stage.alarms.next_at() is not None:
            return Ending.TOO_LONG, f"Nothing happens within {MAX_TIME.days} days of its start."
        parties = [
            f"{each.task_reference_name} ({each.party})" for each in waiting if each.party is not Party.TASKS and each.task_reference_name
        ]
        return Ending.WAITING, f"Only somebody outside moves it on: {', '.join(parties) or 'nobody is known'}."

    def _ledgers(self, views: Sequence[ExecutionView], workflow_id: str) -> dict[str, Sequence[LedgerEntry]]:
        found: dict[str, Sequence[LedgerEntry]] = {}
        for view in views:
            prefix = "" if view.workflow.workflow_id == workflow_id else f"{view.workflow.workflow_name}."
            for each in view.tasks:
                if type_of(each.task).keeps_polls:
                    name = prefix + each.task.task_reference_name
                    found[name] = (*found.get(name, ()), *self._stage.polls.ledger(each.task.task_id))
        return found
