"""Crash safety, proven: whatever is delivered twice, late, early, out of order or never, and wherever a process dies,
every run ends in the state of the undisturbed run.
"""

import contextlib
import json
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar

from fermata.application import look
from fermata.application.deliver import deliver
from fermata.application.engine import Engine
from fermata.application.hand_out import hand_out
from fermata.application.poll_now import poll_now
from fermata.application.report import TaskResult, report
from fermata.application.sweep import sweep
from fermata.domain.errors import Conflict
from fermata.domain.executions import Task
from fermata.domain.http_exchange import HttpRequest, HttpResult
from fermata.domain.messages import Message, PollDue
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.working import WorkerQueue
from fermata.ports import WorkflowQuery
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.support.chaos import Crash, CrashPlan, Mailbox, breaking
from tests.support.random_interfaces import KEYS, NAMESPACE, REQUEST, interfaces
from tests.support.random_workflows import vendor, workflows
from tests.support.world import World

BOUNDARIES = 14  # more than the outside calls of one delivery, so that every boundary is tried
GIVEN = {"n": 3, "request": REQUEST}


def end_state(engine: Engine, workflow_id: str) -> tuple[Any, ...]:
    """Return what of a finished run must not depend on how its messages travelled."""
    view = look.execution(engine, workflow_id, include_tasks=True)
    # How often a worker's task was tried depends on how many workers died; that one of them did it in the end does not.
    kept = [task.task for task in view.tasks if not (task.task.queue and task.task.retried)]
    tasks = sorted((task.task_reference_name, 0 if task.queue else task.retry_count, task.status) for task in kept)
    return view.workflow.status, _comparable(view.workflow.output), tasks, view.workflow.variables


def _comparable(output: Any) -> Any:
    """Leave out what vendors said and how long it took: a suite over real adapters has its vendors say more."""
    if isinstance(output, dict):
        return {key: _comparable(_read(value)) for key, value in output.items() if key not in _TOLD_BY_CHANCE}
    return [_comparable(each) for each in output] if isinstance(output, list) else output


_TOLD_BY_CHANCE = ("response", "padding", "time.ms", "timeMs")


def _read(value: Any) -> Any:
    """Return the value of a text that is a JSON document: an interface answers in one."""
    return json.loads(value) if isinstance(value, str) and value[:1] == "{" else value


@dataclass(frozen=True)
class Undisturbed:
    """What a run comes to when every message arrives once: its end, where it posted to, and what it left under Air Pipe's keys."""

    end: tuple[Any, ...]
    posted: frozenset[str]
    left: tuple[Any, ...]


def undisturbed(definition: dict[str, Any]) -> Undisturbed:
    world = World()
    client = _Client(vendor(world.clock.now, {}))
    world.engine = replace(world.engine, http=client)
    workflow_id = world.start(definition, GIVEN)
    world.run()
    while finish(world.engine, take(world.engine)):
        world.run()
    return Undisturbed(end_state(world.engine, workflow_id), frozenset(client.keys), left_behind(world.engine))


def left_behind(engine: Engine) -> tuple[Any, ...]:
    """Return what stands under the keys that random interfaces write."""
    records = [engine.state.load(NAMESPACE, json.dumps(key)) for key in KEYS]
    return tuple(record and (record.value, record.version, record.operation) for record in records)


def take(engine: Engine) -> list[Task]:
    """Play a worker that asks for work."""
    return [view.task for view in hand_out(engine, WorkerQueue("work", None, "worker"), 3)]


def finish(engine: Engine, tasks: list[Task]) -> bool:
    """Play a worker that says what it has done. Return False when there was nothing to say."""
    for task in tasks:
        output = {"by": task.task_reference_name}
        report(engine, TaskResult(task.workflow_id, task.task_id, TaskStatus.COMPLETED, output))
    return bool(tasks)


class _Client:
    """An `HttpClient` that keeps every unsafe request's idempotency key by its address."""

    def __init__(self, script: Any) -> None:
        self._script = script
        self.keys: dict[str, set[str]] = defaultdict(set)

    def send(self, request: HttpRequest) -> HttpResult:
        if request.method == "POST":
            self.keys[request.uri].add(request.headers["Idempotency-Key"])
        result: HttpResult = self._script(request)
        return result


class AnyInterleaving(RuleBasedStateMachine):
    """The messages of one run, delivered by an adversary."""

    given: ClassVar[dict[str, Any]] = GIVEN

    def __init__(self) -> None:
        super().__init__()
        self.world = self.make_world()
        self.mailbox = Mailbox()
        self.plan = CrashPlan()
        self.taken: list[Task] = []
        self.client = _Client(self.make_vendor())
        self.sound = replace(self.world.engine, alarms=self.mailbox, http=self.client)
        self.world.engine = self.sound
        self.engine = breaking(self.sound, self.plan)

    def make_world(self) -> World:
        return World()

    def make_vendor(self) -> Any:
        return vendor(self.world.clock.now, {})

    @initialize(definition=workflows() | interfaces())
    def begin(self, definition: dict[str, Any]) -> None:
        self.expected = undisturbed(definition)
        self.workflow_id = self.world.start(definition, self.given)

    # --- what the adversary may do ---

    @precondition(lambda self: self.mailbox.waiting)
    @rule(pick=st.integers(0, 7), keep=st.booleans(), boundary=st.none() | st.integers(0, BOUNDARIES))
    def deliver_due(self, pick: int, *, keep: bool, boundary: int | None) -> None:
        """Deliver one message at or after its moment. A crash keeps it (the queue gives it back); `keep` repeats it later."""
        message, at = self.mailbox.waiting[pick % len(self.mailbox.waiting)]
        self.world.clock.move_to(at)
        self._act(lambda: deliver(self.engine, message), boundary)
        if not keep and boundary is None:
            self.mailbox.waiting.remove((message, at))

    @precondition(lambda self: self.mailbox.waiting)
    @rule(pick=st.integers(0, 7))
    def deliver_early(self, pick: int) -> None:
        """Deliver a message now, whatever its moment, and once more when it is due."""
        deliver(self.sound, self.mailbox.waiting[pick % len(self.mailbox.waiting)][0])

    @precondition(lambda self: self.mailbox.waiting)
    @rule(pick=st.integers(0, 7))
    def lose(self, pick: int) -> None:
        """Lose a message for ever."""
        self._forget(self.mailbox.waiting[pick % len(self.mailbox.waiting)])

    @precondition(lambda self: self.mailbox.waiting)
    @rule(pick=st.integers(0, 7), boundary=st.integers(0, BOUNDARIES))
    def crash_and_lose(self, pick: int, boundary: int) -> None:
        """Die inside a delivery whose message never comes again."""
        message, at = self._forget(self.mailbox.waiting[pick % len(self.mailbox.waiting)])
        self.world.clock.move_to(at)
        self._act(lambda: deliver(self.engine, message), boundary)

    @rule(boundary=st.none() | st.integers(0, BOUNDARIES))
    def worker_takes(self, boundary: int | None) -> None:
        """Hand work out; when that dies halfway, no worker knows what it was given."""
        self._act(lambda: self.taken.extend(take(self.engine)), boundary)

    @precondition(lambda self: self.taken)
    @rule(pick=st.integers(0, 7), boundary=st.none() | st.integers(0, BOUNDARIES))
    def worker_finishes(self, pick: int, boundary: int | None) -> None:
        """Say that a task is done, perhaps again, perhaps long after it was given to another worker."""
        task = self.taken[pick % len(self.taken)]
        self._act(lambda: self.heard(lambda: finish(self.engine, [task])), boundary)

    @precondition(lambda self: self.taken)
    @rule(pick=st.integers(0, 7), extend=st.booleans(), boundary=st.none() | st.integers(0, BOUNDARIES))
    def worker_goes_on(self, pick: int, *, extend: bool, boundary: int | None) -> None:
        """Say that a task is not done: it is kept, or given back for a while."""
        task = self.taken[pick % len(self.taken)]
        said = TaskResult(task.workflow_id, task.task_id, TaskStatus.IN_PROGRESS, callback_after_seconds=30, extend_lease=extend)
        self._act(lambda: self.heard(lambda: report(self.engine, said)), boundary)

    def heard(self, saying: Any) -> None:
        """Let a worker speak."""
        saying()

    @rule(pick=st.integers(0, 7), twice=st.booleans(), boundary=st.none() | st.integers(0, BOUNDARIES))
    def poll_now(self, pick: int, *, twice: bool, boundary: int | None) -> None:
        """Have an operator ask for a poll, whether there is one to make or not."""
        polling = [task.task_id for task in self.sound.executions.all_tasks(self.workflow_id) if task.task_type == "HTTP_POLL"]
        for _ in range(1 + twice if polling else 0):
            with contextlib.suppress(Conflict):
                self._act(lambda: poll_now(self.engine, polling[pick % len(polling)]), boundary)

    @rule(seconds=st.integers(0, 4000))
    def time_passes(self, seconds: int) -> None:
        self.world.clock.advance(timedelta(seconds=seconds))

    @rule(boundary=st.none() | st.integers(0, BOUNDARIES))
    def sweep(self, boundary: int | None) -> None:
        self._act(lambda: sweep(self.engine), boundary)

    def _forget(self, sent: tuple[Message, datetime]) -> tuple[Message, datetime]:
        self.mailbox.waiting.remove(sent)
        return sent

    def _act(self, action: Any, boundary: int | None) -> None:
        self.plan.boundary = boundary
        try:
            action()
        except Crash:
            pass
        finally:
            self.plan.boundary = None

    # --- what must hold in the end ---

    def teardown(self) -> None:
        if not hasattr(self, "workflow_id"):
            return
        self._drain()
        assert end_state(self.sound, self.workflow_id) == self.expected.end
        assert left_behind(self.sound) == self.expected.left, "a state operation was applied twice, or not at all"
        assert self.client.keys.keys() >= self.expected.posted, "a submit or a webhook was never sent"
        assert all(len(keys) == 1 for keys in self.client.keys.values()), "a submit carried two idempotency keys"
        self._check_ledgers()
        assert not sweep_to_the_end(self), "something is left in the due index of a finished run"
        assert not self.orphans(), "a child goes on and nobody waits for it"

    def orphans(self) -> list[str]:
        runs = self.sound.executions.search(WorkflowQuery(size=1000)).workflows
        return [run.workflow_id for run in runs if run.parent_workflow_id and not run.status.terminal]

    def _drain(self) -> None:
        for _ in range(3000):
            finish(self.sound, take(self.sound))
            if look.execution(self.sound, self.workflow_id, include_tasks=False).workflow.status.terminal:
                return
            moments = [at for _, at in self.mailbox.waiting] + _look_ats(self.sound)
            assert moments, "the run waits for nothing that is stored"
            self.world.clock.move_to(min(moments))
            now = self.world.clock.now()
            for message, at in [pair for pair in self.mailbox.waiting if pair[1] <= now]:
                self.mailbox.waiting.remove((message, at))
                deliver(self.sound, message)
            sweep(self.sound)
        raise AssertionError("the run hangs")

    def _check_ledgers(self) -> None:
        for view in look.execution(self.sound, self.workflow_id, include_tasks=True).tasks:
            if type_of(view.task).keeps_polls and view.task.poll_count:
                polls = [entry.poll for entry in self.sound.polls.ledger(view.task.task_id)]
                assert polls == list(range(1, view.task.poll_count + 1)), "a poll was counted twice or not at all"


def _look_ats(engine: Engine) -> list[datetime]:
    far = engine.clock.now() + timedelta(days=400)
    return [entry.look_at for entry in engine.due_index.overdue(far, 50)]


def sweep_to_the_end(machine: AnyInterleaving) -> list[datetime]:
    """Deliver and sweep what a finished run left behind; return what the due index still holds afterwards."""
    for _ in range(20):
        for message, at in list(machine.mailbox.waiting):
            machine.mailbox.waiting.remove((message, at))
            machine.world.clock.move_to(at)
            deliver(machine.sound, message)
        left = _look_ats(machine.sound)
        if not left and not machine.mailbox.waiting:
            return []
        machine.world.clock.move_to(min(left, default=machine.world.clock.now()))
        sweep(machine.sound)
    return _look_ats(machine.sound)


TestAnyInterleaving = AnyInterleaving.TestCase
TestAnyInterleaving.settings = settings(
    max_examples=150, stateful_step_count=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def test_the_same_poll_delivered_to_two_doors_at_once_is_counted_once() -> None:
    world = World()
    world.engine = replace(world.engine, http=_Client(vendor(world.clock.now, {})))
    definition = {"name": "p", "version": 1, "schemaVersion": 2, "tasks": [_never()]}
    workflow_id = world.start(definition, {})
    task_id = world.view(workflow_id).tasks[0].task.task_id
    message = PollDue(workflow_id, task_id, 1)
    inner = world.engine.http

    class Reentrant:
        def send(self, request: HttpRequest) -> HttpResult:
            deliver(replace(world.engine, http=inner), message)
            return inner.send(request)

    deliver(replace(world.engine, http=Reentrant()), message)
    assert [entry.poll for entry in world.engine.polls.ledger(task_id)] == [1]


def _never() -> dict[str, Any]:
    request = {"uri": "http://v/never", "terminationCondition": "false"}
    return {"name": "n", "taskReferenceName": "n", "type": "HTTP_POLL", "inputParameters": {"http_request": request}}
