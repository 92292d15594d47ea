"""An engine in memory whose messages are delivered at their moments: the clock jumps from one to the next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from fermata.adapters.memory.alarms import MemoryAlarms
from fermata.adapters.memory.clock import CountingIds, VirtualClock
from fermata.adapters.memory.definitions import MemoryDefinitions
from fermata.adapters.memory.due_index import MemoryDueIndex
from fermata.adapters.memory.events import MemoryEventExecutions, MemoryEventHandlers
from fermata.adapters.memory.executions import MemoryExecutions
from fermata.adapters.memory.external_payloads import MemoryExternalPayloads
from fermata.adapters.memory.operations import MemoryOperations
from fermata.adapters.memory.polls import MemoryPolls
from fermata.adapters.memory.recurring import MemoryRecurringAlarms
from fermata.adapters.memory.schedules import MemorySchedules
from fermata.adapters.memory.secrets import MemorySecrets
from fermata.adapters.memory.sinks import MemorySinks
from fermata.adapters.memory.state import MemoryStateRecords
from fermata.adapters.memory.work import MemoryTaskLogs, MemoryWorkQueue
from fermata.application.deliver import deliver
from fermata.application.engine import Engine
from fermata.application.handle_event import handle_event
from fermata.domain.limits import Limits
from fermata.domain.messages import Message
from fermata.ports import Definitions, Evaluator, HttpClient, Ids

MIN_POLL_INTERVAL = timedelta(seconds=60)


class StillBusy(Exception):
    """Messages keep coming: something in the run never ends."""


@dataclass(frozen=True)
class Props:
    """What a stage is given besides its vendor. Nothing of it is written to."""

    secrets: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    min_poll_interval: timedelta = MIN_POLL_INTERVAL
    limits: Limits = field(default_factory=Limits)


class _Passing:
    """`Pauses` in which the stage goes on."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage

    def pause(self, length: timedelta) -> None:
        self._stage.run_until(length)


class Stage:
    """Real decider, real evaluator; stores, queues, clock and vendor are played. Not for several threads.

    `executions_of` makes the store of runs; a test may want one that checks what it is told.
    """

    executions_of: Callable[[MemoryDueIndex], MemoryExecutions] = MemoryExecutions

    def __init__(
        self,
        http: HttpClient,
        evaluator: Evaluator,
        props: Props | None = None,
        *,
        clock: VirtualClock | None = None,
        definitions: Definitions | None = None,
        ids: Ids | None = None,
    ) -> None:
        props, due = props or Props(), MemoryDueIndex()
        self.clock = clock or VirtualClock()
        self.alarms = MemoryAlarms()
        self.recurring = MemoryRecurringAlarms()
        self.executions = type(self).executions_of(due)
        self.polls = MemoryPolls(due)
        self.sinks = MemorySinks()
        self.engine = Engine(
            clock=self.clock,
            ids=ids or CountingIds(),
            definitions=definitions or MemoryDefinitions(),
            executions=self.executions,
            polls=self.polls,
            work=MemoryWorkQueue(due),
            task_logs=MemoryTaskLogs(),
            operations=MemoryOperations(),
            state=MemoryStateRecords(),
            schedules=MemorySchedules(due),
            due_index=due,
            alarms=self.alarms,
            recurring=self.recurring,
            http=http,
            evaluator=evaluator,
            secrets=MemorySecrets(props.secrets),
            pauses=_Passing(self),
            sinks=self.sinks,
            event_handlers=MemoryEventHandlers(),
            event_executions=MemoryEventExecutions(),
            external=MemoryExternalPayloads(),
            min_poll_interval=props.min_poll_interval,
            environment=props.environment,
            limits=props.limits,
        )

    def next_due(self, until: datetime | None = None) -> Sequence[Message]:
        """Move the clock to the next moment that something waits for and take its messages; none when nothing is due by `until`.

        A recurring alarm never ends: without `until` it fires only as long as something else waits, too.
        """
        waits, recurs = self.alarms.next_at(), self.recurring.next_at()
        if waits is None and until is None:
            return ()
        at = min((moment for moment in (waits, recurs) if moment is not None), default=None)
        if at is None or (until is not None and at > until):
            return ()
        self.clock.move_to(at)
        return (*self.recurring.take_due(self.clock.now()), *self.alarms.take_due(self.clock.now()))

    def deliver(self, due: Sequence[Message]) -> None:
        """Deliver messages, and the events that follow from them to their handlers."""
        for message in due:
            deliver(self.engine, message)
        for event in self.sinks.take():
            handle_event(self.engine, event)

    def run(self, limit: int = 10_000) -> None:
        """Deliver until nothing waits. Raises `StillBusy` after `limit` moments."""
        for _ in range(limit):
            due = self.next_due()
            if not due:
                return
            self.deliver(due)
        raise StillBusy(f"still busy after {limit} moments, at {self.clock.now():%Y-%m-%d %H:%M}")

    def run_until(self, moment: timedelta) -> None:
        """Deliver what is due within `moment` from now, then let the clock stand there."""
        end = self.clock.now() + moment
        while due := self.next_due(end):
            self.deliver(due)
        self.clock.move_to(end)
