"""Orders at any moment between deliveries that an adversary picks: no run is corrupted, and each ends or says what it waits for.

That the counters in the row equal a recount from all tasks is checked at every decision (`tests/support/recount.py`).
"""

import contextlib
from typing import Any

from fermata.application import look, operate
from fermata.application.deliver import deliver
from fermata.application.remove import remove
from fermata.domain.commands import Rerun, Skip
from fermata.domain.errors import Conflict, InvalidRequest, NotFound
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from tests.engine.test_crash_safety import BOUNDARIES, AnyInterleaving
from tests.support.random_interfaces import interfaces
from tests.support.random_workflows import workflows

_REFUSALS = (Conflict, NotFound, InvalidRequest)


class AnyOrders(AnyInterleaving):
    """The adversary gives orders as well, and may die while it does."""

    def heard(self, saying: Any) -> None:
        """Let a worker speak; an order may have made the run forget what it speaks about."""
        with contextlib.suppress(NotFound):
            saying()

    @initialize(definition=workflows() | interfaces())
    def begin(self, definition: dict[str, Any]) -> None:
        self.workflow_id = self.world.start(definition, self.given)

    @rule(
        kind=st.sampled_from(["terminate", "pause", "resume", "retry", "resume the children", "restart", "look"]),
        boundary=st.none() | st.integers(0, BOUNDARIES),
    )
    def order(self, kind: str, boundary: int | None) -> None:
        orders: dict[str, Any] = {
            "terminate": lambda: operate.terminate(self.engine, self.workflow_id, "on purpose"),
            "pause": lambda: operate.pause(self.engine, self.workflow_id),
            "resume": lambda: operate.resume(self.engine, self.workflow_id),
            "retry": lambda: operate.retry(self.engine, self.workflow_id),
            "resume the children": lambda: operate.retry(self.engine, self.workflow_id, resume_subworkflows=True),
            "restart": lambda: operate.restart(self.engine, self.workflow_id, use_latest_definitions=False),
            "look": lambda: operate.look_at_all(self.engine, self.workflow_id),
        }
        self._order(orders[kind], boundary)

    @rule(pick=st.integers(0, 30), boundary=st.none() | st.integers(0, BOUNDARIES))
    def rerun(self, pick: int, boundary: int | None) -> None:
        """Terminate the run and run it again from any of its tasks."""
        tasks = look.execution(self.sound, self.workflow_id, include_tasks=True).tasks
        chosen = tasks[pick % len(tasks)].task.task_id if tasks and pick < 25 else None
        self._order(lambda: operate.terminate(self.sound, self.workflow_id, None), None)
        self._order(lambda: operate.rerun(self.engine, self.workflow_id, Rerun(chosen)), boundary)

    @rule(kind=st.sampled_from(["terminate", "retry", "restart"]), pick=st.integers(0, 7), boundary=st.none() | st.integers(0, BOUNDARIES))
    def order_a_child(self, kind: str, pick: int, boundary: int | None) -> None:
        """Give an order to a child of the run, if it has one."""
        tasks = look.execution(self.sound, self.workflow_id, include_tasks=True).tasks
        children = [view.task.sub_workflow_id for view in tasks if view.task.sub_workflow_id]
        if not children:
            return
        child = children[pick % len(children)]
        orders: dict[str, Any] = {
            "terminate": lambda: operate.terminate(self.engine, child, "on purpose"),
            "retry": lambda: operate.retry(self.engine, child),
            "restart": lambda: operate.restart(self.engine, child, use_latest_definitions=False),
        }
        self._order(orders[kind], boundary)

    @rule(pick=st.integers(0, 30), boundary=st.none() | st.integers(0, BOUNDARIES))
    def skip(self, pick: int, boundary: int | None) -> None:
        names = list(look.execution(self.sound, self.workflow_id, include_tasks=False).definition.flow.places)
        command = Skip(names[pick % len(names)], output={"skipped": True})
        self._order(lambda: operate.skip(self.engine, self.workflow_id, command), boundary)

    def _order(self, action: Any, boundary: int | None) -> None:
        def refusable() -> None:
            with contextlib.suppress(*_REFUSALS):
                action()

        self._act(refusable, boundary)

    # --- what must hold in the end ---

    def teardown(self) -> None:
        if not hasattr(self, "workflow_id"):
            return
        self._order(lambda: operate.resume(self.sound, self.workflow_id), None)
        self._drain()
        self._check_ledgers()
        self._check_loops()
        remove(self.sound, self.workflow_id, finished_only=True)
        self._check_nothing_is_left()

    def _check_loops(self) -> None:
        """A loop's iterations are those that its output tells of: none is lost, none is kept twice."""
        view = look.execution(self.sound, self.workflow_id, include_tasks=True)
        records = [task.task for task in view.tasks if not task.task.retried]
        for loop in (task for task in records if task.task_type == "DO_WHILE" and task.status.value == "COMPLETED"):
            told = {int(key) for key in loop.output if key.isdigit()}
            assert told == {task.iteration for task in records if task.loop == loop.task_reference_name}
            assert loop.output["iteration"] == max(told)

    def _check_nothing_is_left(self) -> None:
        for message, at in list(self.mailbox.waiting):
            self.world.clock.move_to(at)
            deliver(self.sound, message)
        assert self.sound.executions.load(self.workflow_id) is None
        assert not self.sound.executions.all_tasks(self.workflow_id)


TestAnyOrders = AnyOrders.TestCase
TestAnyOrders.settings = settings(
    max_examples=150, stateful_step_count=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
