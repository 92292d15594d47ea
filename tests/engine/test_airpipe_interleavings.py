"""Air Pipe runs as their doors begin them, with a door that dies, and runs that share a key: the end is that of the undisturbed run."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from fermata.application.airpipe.serving import Place, respond
from fermata.application.deliver import deliver
from fermata.application.engine import Engine
from fermata.application.sweep import sweep
from fermata.domain.airpipe.caller import CallerRequest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize

from tests.engine.test_crash_safety import AnyInterleaving, end_state, undisturbed
from tests.support.chaos import Crash, CrashPlan, Mailbox, breaking
from tests.support.random_interfaces import NAMESPACE, REQUEST, interface, interfaces, state_action
from tests.support.world import World

RUN = "00000000-0000-0000-0000-000000000001"  # the first id that a world counts, so that ids made in a run are the same in both
ASKED = CallerRequest(
    REQUEST["method"], REQUEST["path"], REQUEST["params"], {"content-type": "application/json"}, json.dumps(REQUEST["body"]).encode()
)
DOOR_BOUNDARIES = 120  # a door carries out what is due at once: many deliveries in one invocation


class AnyRequest(AnyInterleaving):
    """A run that a caller's request begins. Its door may die anywhere in it; what it had in hand is lost then."""

    @initialize(definition=interfaces(), dies_at=st.none() | st.integers(0, DOOR_BOUNDARIES))
    def begin(self, definition: dict[str, Any], dies_at: int | None) -> None:
        self.expected = undisturbed(definition)
        self.workflow_id = RUN
        self.world.register(definition)
        self._act(lambda: respond(self.engine, ASKED, Place(), run_id=RUN), dies_at)
        if self.sound.executions.load(RUN) is None:  # the caller got no answer, and asks again
            respond(self.sound, ASKED, Place(), run_id=RUN)


TestAnyRequest = AnyRequest.TestCase
TestAnyRequest.settings = settings(
    max_examples=30, stateful_step_count=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


class TwoRuns:
    """Two runs of an interface; the first dies at a boundary, and its messages come again when the second is over."""

    def __init__(self, definition: dict[str, Any]) -> None:
        self.world, self.plan, self.mailbox = World(), CrashPlan(), Mailbox()
        self.sound = replace(self.world.engine, alarms=self.mailbox)
        self.world.engine = self.sound
        self.name = self.world.register(definition)

    def play(self, delivery: int, boundary: int) -> bool:
        """Return whether there was such a boundary."""
        first = self.world.start(name=self.name, given={"request": REQUEST})
        for _ in range(delivery):
            self._deliver(self.sound)
        kept = list(self.mailbox.waiting)
        self.plan.boundary = boundary
        try:
            self._deliver(breaking(self.sound, self.plan))
        except Crash:
            self.mailbox.waiting = []
            second = self.world.start(name=self.name, given={"request": REQUEST})
            self._finish(second)
            self.mailbox.waiting = kept
            self._finish(first)
            self.said = [self._data(each) for each in (first, second)]
            return True
        return False

    def _deliver(self, engine: Engine) -> bool:
        if not self.mailbox.waiting:
            return False
        message, at = self.mailbox.waiting.pop(0)
        self.world.clock.move_to(at)
        deliver(engine, message)
        return True

    def _finish(self, workflow_id: str) -> None:
        for _ in range(50):
            while self._deliver(self.sound):
                pass
            if end_state(self.sound, workflow_id)[0].terminal:
                return
            due = self.sound.due_index.overdue(self.world.clock.now().replace(year=2100), 1)
            self.world.clock.move_to(next(iter(due)).look_at)
            sweep(self.sound)
        raise AssertionError("the run never ended")

    def _data(self, workflow_id: str) -> dict[str, Any]:
        body = self.world.view(workflow_id).workflow.output["body"]
        return {name: entry["data"] for name, entry in json.loads(body)["data"].items()}


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ("set", [{"version": 1}, {"version": 2}]),
        ("advance", [{"version": 1, "value": "Do"}, {"version": 2, "value": "Do"}]),
        ("seen", [{"was_new": False}, {"was_new": True}]),
    ],
)
def test_an_operation_counts_once_though_another_run_came_in_between(operation, said):
    definition = interface(state_action("Do", operation, "k0"))
    cases = Counter()
    for delivery in range(2):
        for boundary in range(100):
            runs = TwoRuns(definition)
            if not runs.play(delivery, boundary):
                break
            assert sorted((each["Do"] for each in runs.said), key=str) == said
            cases[delivery] += 1
    assert sum(cases.values()) > 8, "the operation has more boundaries than that"


def test_what_one_run_deleted_is_not_deleted_again_from_under_another():
    definition = interface(
        state_action("Set", "set", "k0"),
        {**state_action("Forget", "delete", "k0"), "depends_on": ["Set"]},
        {**state_action("Anew", "set", "k0"), "depends_on": ["Forget"]},
    )
    cases = 0
    for delivery in range(4):
        for boundary in range(0, 100, 2):
            runs = TwoRuns(definition)
            if not runs.play(delivery, boundary):
                break
            cases += 1
            stored = runs.sound.state.load(NAMESPACE, '"k0"')
            versions = [each["Anew"]["version"] for each in runs.said]
            deleted = [each["Forget"]["deleted"] for each in runs.said]
            assert stored is not None
            assert stored.operation == "set", "the last word is a write, and nothing deleted it afterwards"
            assert stored.version == max(versions)
            assert deleted == [True, True]
    assert cases > 15, "the runs have more boundaries than that"
