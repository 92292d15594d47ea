"""What happens in a dry run, in order, each with its virtual moment."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from fermata.adapters.memory.clock import VirtualClock
from fermata.adapters.memory.due_index import MemoryDueIndex
from fermata.adapters.memory.executions import MemoryExecutions
from fermata.adapters.memory.polls import MemoryPolls
from fermata.domain.effects import Decision
from fermata.domain.executions import Task, Workflow
from fermata.domain.polling import LedgerEntry, Poll, PollState


class What(StrEnum):
    """The words are shown."""

    RUN_STARTED = "RUN_STARTED"
    TASK_SCHEDULED = "TASK_SCHEDULED"
    REQUEST = "REQUEST"
    NO_ANSWER_SCRIPTED = "NO_ANSWER_SCRIPTED"
    POLL = "POLL"
    TASK_ENDED = "TASK_ENDED"
    RUN_ENDED = "RUN_ENDED"
    STOPPED = "STOPPED"


@dataclass(frozen=True)
class Happened:
    what: What
    at: datetime
    detail: str
    task_reference_name: str | None = None
    workflow_id: str | None = None


@dataclass
class Telling:
    """Everything told so far."""

    clock: VirtualClock
    events: list[Happened] = field(default_factory=list)
    tasks: int = 0

    def tell(self, what: What, detail: str, reference: str | None = None, workflow_id: str | None = None) -> None:
        self.events.append(Happened(what, self.clock.now(), detail, reference or None, workflow_id))

    def decided(self, decision: Decision) -> None:
        """Tell of a stored decision: which tasks it scheduled and ended, and whether the run began or is over."""
        run = decision.workflow
        if run.revision == 1:
            self.tell(What.RUN_STARTED, f"{run.workflow_name} version {run.workflow_version} begins", None, run.workflow_id)
        for task in decision.tasks:
            self._changed(task)
        if run.status.terminal:
            self.tell(What.RUN_ENDED, _run_ended(run), None, run.workflow_id)

    def polled(self, poll: Poll, entry: LedgerEntry) -> None:
        said = entry.status_code if entry.status_code is not None else "no answer"
        following = f"; the next one after {(entry.next_due - entry.fired).total_seconds():g} s" if entry.next_due else ""
        detail = f"poll {entry.poll}: {said}, {entry.decision}{following}"
        self.tell(What.POLL, detail, poll.spec.task_reference_name, poll.spec.workflow_id)

    def _changed(self, task: Task) -> None:
        if task.status.terminal:
            reason = f": {task.reason_for_incompletion}" if task.reason_for_incompletion else ""
            self.tell(What.TASK_ENDED, f"{task.task_type} is {task.status}{reason}", task.task_reference_name, task.workflow_id)
        else:
            attempt = f", attempt {task.retry_count + 1}" if task.retry_count else ""
            self.tell(What.TASK_SCHEDULED, f"{task.task_type} is {task.status}{attempt}", task.task_reference_name, task.workflow_id)
        self.tasks += 1


class ToldExecutions(MemoryExecutions):
    """An `Executions` in memory that tells each decision that it stores."""

    telling: Telling | None = None

    def __init__(self, due: MemoryDueIndex | None = None) -> None:
        super().__init__(due)

    def commit(self, decision: Decision) -> bool:
        stored = super().commit(decision)
        if stored and self.telling is not None:
            self.telling.decided(decision)
        return stored


class ToldPolls(MemoryPolls):
    """A `Polls` in memory that tells each poll that it counts. Nobody sweeps a dry run: its due index is its own."""

    def __init__(self, telling: Telling) -> None:
        super().__init__()
        self._telling = telling

    def advance(self, after: PollState) -> bool:
        stored, poll = super().advance(after), self.load(after.task_id)
        if stored and poll is not None:
            self._telling.polled(poll, after.recent[-1])
        return stored


def _run_ended(run: Workflow) -> str:
    reason = f": {run.reason_for_incompletion}" if run.reason_for_incompletion else ""
    return f"{run.workflow_name} is {run.status}{reason}"
