"""One run of one definition, on virtual time."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.adapters.memory.clock import START, VirtualClock
from fermata.application import check, operate
from fermata.application.event_registry import add_handlers
from fermata.application.handle_event import handle_event
from fermata.application.poll_now import poll_now
from fermata.application.register import register_tasks, register_workflow
from fermata.application.start import StartWorkflow, start
from fermata.domain.checks import DefinitionWarning
from fermata.domain.event_handlers import EventMessage
from fermata.domain.executions import Task
from fermata.domain.limits import Limits
from fermata.domain.status import TaskStatus
from fermata.ports import WorkflowQuery
from fermata.rehearsal.stage import MIN_POLL_INTERVAL, Props, Stage, StillBusy
from fermata.wire.definitions import task_definitions_from_json, workflow_definition_from_json
from fermata.wire.event_handlers import event_handlers_from_json

from fermata_testing import workers as played
from fermata_testing.results import RunResult, result_of
from fermata_testing.vendor import PlayedHttp, Vendor

MAX_MOMENTS = 100_000  # far above any test's; a run that needs more never ends
_EVALUATOR = ChildEvaluator()  # one child process for all rehearsals: it holds nothing between two calls


@dataclass(frozen=True)
class Setting:
    """What surrounds the run. `workers`: by task name, a function from input to output that may raise `TaskFailed`.

    `secrets` answer `${workflow.secrets.NAME}`; `min_poll_interval` is the server's floor, `limits` its ceilings.
    `others`: definitions the run may name; `event_handlers`: what is done about events, such as those that the run publishes.
    """

    secrets: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    min_poll_interval: timedelta = MIN_POLL_INTERVAL
    workers: Mapping[str, played.Worker] = field(default_factory=dict)
    task_definitions: Sequence[Mapping[str, Any]] = ()
    others: Sequence[Mapping[str, Any] | str | Path] = ()
    begins: datetime = START
    limits: Limits = field(default_factory=Limits)
    event_handlers: Sequence[Mapping[str, Any]] = ()


class Rehearsal:
    """Runs a definition. `definition`: Conductor's JSON as a dict, or a path to it. Every option of `Setting` is a keyword.

    Raises `InvalidRequest` with every mistake of the definition, as registration does.
    """

    def __init__(self, definition: Mapping[str, Any] | str | Path, vendor: Vendor | None = None, **setting: Any) -> None:
        given = Setting(**setting)
        self.vendor = vendor or Vendor()
        self._workers = given.workers
        clock = VirtualClock(given.begins)
        props = Props(given.secrets, given.environment, given.min_poll_interval, given.limits)
        self.stage = Stage(PlayedHttp(self.vendor.reply, clock), _EVALUATOR, props, clock=clock)
        register_tasks(self.stage.engine, task_definitions_from_json([dict(each) for each in given.task_definitions]))
        for each in (*given.others, definition):
            self._definition = workflow_definition_from_json(_loaded(each))
            register_workflow(self.stage.engine, self._definition, overwrite=True)
        add_handlers(self.stage.engine, event_handlers_from_json([dict(each) for each in given.event_handlers]))
        self._workflow_id: str | None = None

    # --- playing ---

    def start(self, given: Mapping[str, Any] | None = None, **fields: Any) -> str:
        """Start the run and return its id. A rehearsal has one run. `fields`: further ones of `StartWorkflow`, such as `task_to_domain`."""
        if self._workflow_id is not None:
            raise RuntimeError("this rehearsal has its run already; make another Rehearsal for a second one")
        definition = self._definition
        wanted = StartWorkflow(definition.name, definition.version, input=dict(given or {}), **fields)
        self._workflow_id = start(self.stage.engine, wanted)
        self._let_workers_play()
        return self._workflow_id

    def run(self, given: Mapping[str, Any] | None = None) -> RunResult:
        """Start, unless that is done, and go on until the run is over or waits for somebody outside."""
        if self._workflow_id is None:
            self.start(given)
        return self._play(None)

    def run_until(self, moment: timedelta | datetime) -> RunResult:
        """Go on until `moment` (a duration counts from now). The clock then stands there, unless the run was over earlier."""
        end = moment if isinstance(moment, datetime) else self.now + moment
        self._play(end)
        if not self._over():
            self.stage.clock.move_to(end)
        return self.result

    def complete(self, ref: str, output: Mapping[str, Any] | None = None) -> None:
        """Complete an open task from outside: a WAIT, a HUMAN task, or any other. Raises `LookupError` when it is not open."""
        played.finish(self.stage.engine, self._open(ref), TaskStatus.COMPLETED, output or {})
        self._let_workers_play()

    def fail(self, ref: str, reason: str = "failed by the test", output: Mapping[str, Any] | None = None) -> None:
        """Fail an open task from outside. Raises `LookupError` when it is not open."""
        played.finish(self.stage.engine, self._open(ref), TaskStatus.FAILED, output or {}, reason)
        self._let_workers_play()

    def happens(self, event: str, payload: Any, message_id: str = "message-1") -> None:
        """Let an event come from outside, `sqs:orders` for example. The same `message_id` again is the same message again."""
        handle_event(self.stage.engine, EventMessage(event, message_id, payload))
        self._let_workers_play()

    def terminate(self, reason: str | None = None) -> None:
        operate.terminate(self.stage.engine, self.workflow_id, reason)

    def pause(self) -> None:
        operate.pause(self.stage.engine, self.workflow_id)

    def resume(self) -> None:
        operate.resume(self.stage.engine, self.workflow_id)

    def poll_now(self, ref: str) -> None:
        """Let the next poll of an open task be due now. Raises `LookupError` when it is not open, `Conflict` when it polls nothing."""
        poll_now(self.stage.engine, self._open(ref).task_id)

    def retry(self) -> None:
        operate.retry(self.stage.engine, self.workflow_id)

    def restart(self) -> None:
        operate.restart(self.stage.engine, self.workflow_id, use_latest_definitions=False)

    # --- what came of it ---

    @property
    def workflow_id(self) -> str:
        if self._workflow_id is None:
            raise RuntimeError("start the run first: start() or run()")
        return self._workflow_id

    @property
    def warnings(self) -> Sequence[DefinitionWarning]:
        """Return what registration warns about: `path`, `message` and `code` each. Needs no run."""
        return check.warnings(self.stage.engine, self._definition)

    @property
    def now(self) -> datetime:
        return self.stage.clock.now()

    @property
    def result(self) -> RunResult:
        """Return the run as it stands."""
        return result_of(self.stage, self.workflow_id, self.vendor.requests)

    @property
    def others(self) -> list[RunResult]:
        """Return the runs that this one started: sub-workflows, failure workflows, those of events. Oldest first."""
        page = self.stage.executions.search(WorkflowQuery(size=played.MAX_RUNS))
        return [
            result_of(self.stage, run.workflow_id, self.vendor.requests)
            for run in reversed(page.workflows)
            if run.workflow_id != self.workflow_id
        ]

    # --- inside ---

    def _play(self, end: datetime | None) -> RunResult:
        for _ in range(MAX_MOMENTS):
            # When the run is over, what it started may still act, but no time passes for it.
            limit = self.now if self._over() else end
            if not self._come_to_workers(limit):
                due = self.stage.next_due(limit)
                if not due:
                    return self.result
                self.stage.deliver(due)
            self._let_workers_play()
        raise StillBusy(f"the run is still busy after {MAX_MOMENTS} moments, at {self.now:%Y-%m-%d %H:%M}")

    def _come_to_workers(self, limit: datetime | None) -> bool:
        """Move the clock to the next task that a worker plays, when that is before everything else. Return whether it is."""
        at = played.next_due(self.stage.engine, self._workers) if self._workers else None
        alarm = self.stage.alarms.next_at()
        if at is None or (alarm is not None and alarm <= at) or (limit is not None and at > limit):
            return False
        self.stage.clock.move_to(at)
        return True

    def _over(self) -> bool:
        stored = self.stage.executions.load(self.workflow_id)
        return stored is not None and stored.workflow.status.terminal

    def _let_workers_play(self) -> None:
        while self._workers and played.play(self.stage.engine, self._workers):
            pass

    def _open(self, ref: str) -> Task:
        tasks = played.open_tasks(self.stage.engine)
        for task in tasks:
            if task.task_reference_name == ref:
                return task
        raise LookupError(f"{ref} is not open; open are: {', '.join(task.task_reference_name for task in tasks) or 'none'}")


def _loaded(definition: Mapping[str, Any] | str | Path) -> Any:
    return dict(definition) if isinstance(definition, Mapping) else json.loads(Path(definition).read_text(encoding="utf-8"))
