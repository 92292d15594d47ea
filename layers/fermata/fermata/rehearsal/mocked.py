"""`POST /api/workflow/test`: a run whose tasks end as the request says (Conductor engine reference, 7.11).

Everything that moves inside a decision (switches, scripts, forks, joins, loops, variables) is real. What would need somebody
outside (a vendor, a worker, a person, time) ends by the next mock of its reference name, or is left open.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from fermata.adapters.memory.clock import VirtualClock
from fermata.application import look
from fermata.application.advance import advance
from fermata.application.deliver import deliver
from fermata.application.engine import Engine
from fermata.application.start import StartWorkflow, start
from fermata.application.views import ExecutionView
from fermata.domain.counting import CONTAINERS
from fermata.domain.errors import EngineBug, InvalidRequest
from fermata.domain.executions import Task
from fermata.domain.flow import unsuffixed
from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.messages import Message, WakeTask, WakeWorkflow
from fermata.domain.outcomes import Outcome
from fermata.domain.status import TaskStatus
from fermata.rehearsal.borrowed import BorrowedDefinitions
from fermata.rehearsal.stage import Props, Stage
from fermata.wire.requests import TaskMock

MAX_MOCKED = 2_000  # tasks that one test ends; its answer has to come within the time of one request
MAX_TURNS = 10  # decisions of loops over nothing but tasks that are over at once: some seconds, 50 iterations each


@dataclass(frozen=True)
class Ending:
    """A mock on its way: when its task starts and when it is over."""

    task: Task
    mock: TaskMock
    starts: datetime
    ends: datetime


def rehearse(engine: Engine, wanted: StartWorkflow, mocks: Mapping[str, Sequence[TaskMock]]) -> ExecutionView:
    """Run it in memory until it is over or a task has no mock, and return it. `engine` lends definitions and evaluator.

    Nothing is stored and no request is made. Raises what `start` raises, and `InvalidRequest` when it takes too many steps.
    """
    props = Props(environment=engine.environment, min_poll_interval=engine.min_poll_interval)
    clock = VirtualClock(engine.clock.now())
    stage = Stage(_NoVendor(), engine.evaluator, props, clock=clock, definitions=BorrowedDefinitions(engine.definitions), ids=engine.ids)
    workflow_id = start(stage.engine, wanted)
    _Playing(stage, workflow_id, mocks).play()
    return look.execution(stage.engine, workflow_id, include_tasks=True)


class _NoVendor:
    def send(self, request: HttpRequest) -> HttpResult:
        raise EngineBug(f"a test run wanted to call {request.method} {request.uri}")


class _Playing:
    """Mutable while one test is played."""

    def __init__(self, stage: Stage, workflow_id: str, mocks: Mapping[str, Sequence[TaskMock]]) -> None:
        self._stage = stage
        self._workflow_id = workflow_id
        self._mocks = {reference: deque(given) for reference, given in mocks.items()}
        self._endings: dict[str, Ending] = {}
        self._turns = 0

    def play(self) -> None:
        for _ in range(MAX_MOCKED):
            self._take_mocks()
            if not self._endings:
                if not self._turn():
                    return
                continue
            self._end(min(self._endings.values(), key=lambda ending: (ending.ends, ending.task.seq)))
        raise InvalidRequest(f"The test run is not over after {MAX_MOCKED} steps.")

    def _turn(self) -> bool:
        """Let a loop go on that left its next iterations to another decision. Return whether one did."""
        self._turns += 1
        if self._turns > MAX_TURNS:
            raise InvalidRequest(f"The test run is not over after {MAX_TURNS} decisions about nothing but loops; do they end?")
        return self._wake(self._stage.clock.now())

    def _take_mocks(self) -> None:
        """Give each task that waits for somebody outside its next mock."""
        waiting = [task for task in self._tasks() if not task.status.terminal and task.task_type not in CONTAINERS]
        open_ids = {task.task_id for task in waiting}
        self._endings = {task_id: ending for task_id, ending in self._endings.items() if task_id in open_ids}
        for task in waiting:
            ending = None if task.task_id in self._endings else self._ending_of(task)
            if ending is not None:
                self._endings[task.task_id] = ending

    def _ending_of(self, task: Task) -> Ending | None:
        """Return how a task ends. Mocks that are IN_PROGRESS only take time; after the last one nothing ends it."""
        left = self._mocks.get(task.task_reference_name) or self._mocks.get(unsuffixed(task.task_reference_name, task.iteration))
        # A WAIT's due moment is its own end; any other task's is its start.
        moment = max(self._stage.clock.now(), task.due) if task.due and task.task_type != "WAIT" else self._stage.clock.now()
        while left:
            mock = left.popleft()
            starts = moment + timedelta(milliseconds=mock.queue_wait_time)
            moment = starts + timedelta(milliseconds=mock.execution_time)
            if mock.status is not TaskStatus.IN_PROGRESS:
                return Ending(task, mock, starts, moment)
        return None

    def _end(self, ending: Ending) -> None:
        """End the task at its moment, unless a timeout before it did: then look again."""
        if self._wake(ending.ends):
            return
        self._stage.clock.move_to(ending.ends)
        task, mock, engine = ending.task, ending.mock, self._stage.engine
        reason = None if mock.status.successful else f"mocked as {mock.status}"
        self._endings.pop(task.task_id)
        engine.executions.record(
            Outcome(task.task_id, task.workflow_id, mock.status, ending.ends, mock.output, reason, started_at=ending.starts)
        )
        advance(engine, task.workflow_id, task.task_id)

    def _wake(self, until: datetime) -> bool:
        """Deliver the wake-ups of the next moment by `until`. Return whether there were any."""
        while due := self._stage.next_due(until):
            wakes: list[Message] = [message for message in due if isinstance(message, WakeTask | WakeWorkflow)]
            if not wakes:
                continue  # messages to a vendor's door: nobody goes through it here
            for message in wakes:
                deliver(self._stage.engine, message)
            return True
        return False

    def _tasks(self) -> Sequence[Task]:
        stored = self._stage.executions.load(self._workflow_id)
        if stored is None or stored.workflow.status.terminal:
            return ()
        return self._stage.executions.all_tasks(self._workflow_id)
