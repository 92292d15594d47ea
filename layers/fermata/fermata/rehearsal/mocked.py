"""`POST /api/workflow/test`: a run whose tasks end as the request says (Conductor engine reference, 7.11).

Everything that moves inside a decision (switches, scripts, forks, joins, loops, variables) is real. What would need somebody
outside (a vendor, a worker, a person, time) ends by the next mock of its reference name, or is left open.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from fermata.adapters.memory.clock import VirtualClock
from fermata.application import look
from fermata.application.advance import advance
from fermata.application.deliver import deliver
from fermata.application.engine import Engine
from fermata.application.start import StartWorkflow, start
from fermata.application.views import ExecutionView
from fermata.domain.errors import EngineBug, InvalidRequest
from fermata.domain.executions import Task, Workflow
from fermata.domain.flow import unsuffixed
from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.messages import Message, PollDue, RunTask
from fermata.domain.outcomes import Outcome
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks.event import EVENT
from fermata.domain.tasks.registry import type_of
from fermata.domain.tasks.start_workflow import START_WORKFLOW
from fermata.domain.tasks.sub_workflow import SUB_WORKFLOW
from fermata.domain.tasks.wait import WAIT
from fermata.ports import WorkflowQuery
from fermata.rehearsal.borrowed import BorrowedDefinitions
from fermata.rehearsal.stage import Props, Stage
from fermata.wire.requests import TaskMock, WorkflowTestRequest

MAX_STEPS = 2_000  # tasks that one test ends and moments it wakes at; its answer has to come within the time of one request
MAX_TURNS = 5  # decisions of loops over nothing but tasks that are over at once: some seconds, 50 iterations each
MAX_STARTED = 200  # runs that the tested one starts, directly or not
_CARRIED_OUT = (SUB_WORKFLOW, START_WORKFLOW, EVENT)  # a run starts in the same memory, an event comes to nobody


@dataclass(frozen=True)
class Ending:
    """A mock on its way: when its task starts and when it is over."""

    task: Task
    mock: TaskMock
    starts: datetime
    ends: datetime


@dataclass(frozen=True)
class Script:
    """The mocks left for one run, and what was given for its children."""

    mocks: Mapping[str, deque[TaskMock]] = field(default_factory=dict)
    children: Mapping[str, WorkflowTestRequest] = field(default_factory=dict)

    @classmethod
    def of(cls, given: WorkflowTestRequest | None) -> "Script":
        if given is None:
            return cls()
        mocks = {reference: deque(each) for reference, each in given.task_ref_to_mock_output.items()}
        return cls(mocks, given.sub_workflow_test_request)

    def next(self, task: Task) -> TaskMock | None:
        """Take the next mock of a task: its record's own (`ref__2`), else its reference name's."""
        for name in (task.task_reference_name, unsuffixed(task.task_reference_name, task.iteration)):
            if self.mocks.get(name):
                return self.mocks[name].popleft()
        return None


def rehearse(engine: Engine, wanted: StartWorkflow, given: WorkflowTestRequest) -> ExecutionView:
    """Run it in memory until it is over or nothing has a mock any more, and return it. `engine` lends definitions and evaluator.

    Nothing is stored and no request is made. Raises what `start` raises, and `InvalidRequest` when it takes too many steps.
    """
    props = Props(environment=engine.environment, min_poll_interval=engine.min_poll_interval, limits=engine.limits)
    clock = VirtualClock(engine.clock.now())
    stage = Stage(_NoVendor(), engine.evaluator, props, clock=clock, definitions=BorrowedDefinitions(engine.definitions), ids=engine.ids)
    workflow_id = start(stage.engine, wanted)
    _Playing(stage, workflow_id, given).play()
    return look.execution(stage.engine, workflow_id, include_tasks=True)


class _NoVendor:
    def send(self, request: HttpRequest) -> HttpResult:
        raise EngineBug(f"a test run wanted to call {request.method} {request.uri}")


class _Playing:
    """Mutable while one test is played."""

    def __init__(self, stage: Stage, workflow_id: str, given: WorkflowTestRequest) -> None:
        self._stage = stage
        self._scripts = {workflow_id: Script.of(given)}
        self._endings: dict[str, Ending] = {}
        self._turns = 0  # since a mock or a start of a run last moved something

    def play(self) -> None:
        for _ in range(MAX_STEPS):
            self._take_mocks()
            if self._endings:
                self._end(min(self._endings.values(), key=lambda ending: (ending.ends, ending.task.seq)))
            elif not self._turn():
                return
        raise InvalidRequest(f"The test run is not over after {MAX_STEPS} steps.")

    def _turn(self) -> bool:
        """Let what is due now happen where no mock is left: loops go on, children start and report. Return whether anything did."""
        self._turns += 1
        if self._turns > MAX_TURNS:
            raise InvalidRequest(f"The test run is not over after {MAX_TURNS} decisions about nothing but loops; do they end?")
        return self._wake(self._stage.clock.now())

    def _take_mocks(self) -> None:
        """Give each task that waits for somebody outside its next mock."""
        waiting = [task for task in self._open_tasks() if not type_of(task).waits_for_others]
        open_ids = {task.task_id for task in waiting}
        self._endings = {task_id: ending for task_id, ending in self._endings.items() if task_id in open_ids}
        for task in waiting:
            ending = None if task.task_id in self._endings else self._ending_of(task)
            if ending is not None:
                self._endings[task.task_id] = ending

    def _ending_of(self, task: Task) -> Ending | None:
        """Return how a task ends. Mocks that are IN_PROGRESS only take time; after the last one nothing ends it."""
        now = self._stage.clock.now()
        # A WAIT's due moment is its own end; any other task's is its start.
        moment = max(now, task.due) if task.due and type_of(task) is not WAIT else now
        while mock := self._scripts[task.workflow_id].next(task):
            starts = moment + timedelta(milliseconds=mock.queue_wait_time)
            moment = starts + timedelta(milliseconds=mock.execution_time)
            if mock.status is not TaskStatus.IN_PROGRESS:
                return Ending(task, mock, starts, moment)
        return None

    def _end(self, ending: Ending) -> None:
        """End the task at its moment, unless something happens before: then look again."""
        if self._wake(ending.ends):
            return
        self._stage.clock.move_to(ending.ends)
        self._turns = 0
        task, mock, engine = ending.task, ending.mock, self._stage.engine
        reason = None if mock.status.successful else f"mocked as {mock.status}"
        self._endings.pop(task.task_id)
        engine.executions.record(
            Outcome(task.task_id, task.workflow_id, mock.status, ending.ends, mock.output, reason, started_at=ending.starts)
        )
        advance(engine, task.workflow_id, task.task_id)

    def _wake(self, until: datetime) -> bool:
        """Deliver the messages of the next moment by `until`. Return whether there were any."""
        while due := self._stage.next_due(until):
            wanted = [message for message in due if self._is_wanted(message)]
            for message in wanted:
                deliver(self._stage.engine, message)
            if wanted:
                return True
        return False

    def _is_wanted(self, message: Message) -> bool:
        """Tell whether a message is delivered: those to a vendor's door are not, nor those of a task that a mock stands for."""
        match message:
            case PollDue():
                return False
            case RunTask(workflow_id, task_id):
                task = self._stage.executions.load_tasks(workflow_id, (task_id,)).get(task_id)
                starts = task is not None and type_of(task) in _CARRIED_OUT and task_id not in self._endings
                self._turns = 0 if starts else self._turns
                return starts
            case _:
                return True

    def _open_tasks(self) -> list[Task]:
        """Return the open tasks of all running runs, finding the script of each run that is new."""
        page = self._stage.executions.search(WorkflowQuery(statuses={WorkflowStatus.RUNNING}, size=MAX_STARTED + 1))
        if page.total_hits > MAX_STARTED:
            raise InvalidRequest(f"The test run has started more than {MAX_STARTED} others.")
        found: list[Task] = []
        for run in page.workflows:
            if run.workflow_id not in self._scripts:
                self._scripts[run.workflow_id] = self._script_of_child(run)
            found += self._stage.executions.all_tasks(run.workflow_id)
        return [task for task in found if not task.status.terminal]

    def _script_of_child(self, run: Workflow) -> Script:
        parent, task_id = run.parent_workflow_id, run.parent_workflow_task_id
        if parent is None or task_id is None:
            return Script()
        task = self._stage.executions.load_tasks(parent, (task_id,)).get(task_id)
        name = unsuffixed(task.task_reference_name, task.iteration) if task else ""
        return Script.of(self._scripts[parent].children.get(name))
