"""A process that dies at each boundary of each delivery, one at a time: exhaustive where the random suite samples."""

import json
from functools import cache
from typing import Any

import pytest
from fermata.application.deliver import deliver
from fermata.application.start import StartWorkflow, start

from tests.engine.test_crash_safety import AnyInterleaving, Undisturbed, finish, undisturbed
from tests.support.chaos import Crash
from tests.support.random_interfaces import http_action, interface, state_action
from tests.support.random_workflows import http_step, late_child_step, plain_step, poll_step, worker_step
from tests.support.world import step, workflow

SWITCHED = {"evaluatorType": "value-param", "expression": "case", "decisionCases": {"a": [plain_step("end", "terminate")]}}
SELDOM = {"attempts": 100, "delay": 150_000}
RUNS = {
    "submit, poll, compute": workflow(http_step("submit", "http"), poll_step("await", "job"), plain_step("jq", "jq")),
    "retries, then optional": workflow(http_step("flaky", "http-optional"), plain_step("wait", "wait"), plain_step("set", "set")),
    "event, then compute": workflow(plain_step("tell", "event"), plain_step("jq", "jq")),
    "exhausted poll ends the run": workflow(poll_step("await", "never"), plain_step("never", "inline")),
    "children that time out": workflow(late_child_step("late"), plain_step("jq", "jq")),
    "branch that terminates": workflow(http_step("submit", "http"), step("SWITCH", "route", {"case": "a"}, **SWITCHED)),
    "an interface that notifies": interface(
        http_action("Submit", "submit"),
        {**http_action("Await", "job"), "retry": SELDOM, "run_when_succeeded": ["Submit"]},
        {**http_action("Notify", "webhook"), "retry": SELDOM, "run_when_succeeded": ["Await"]},
    ),
    "an interface that keeps state": interface(
        state_action("Set", "set", "k0"),
        {**state_action("Forget", "delete", "k0"), "depends_on": ["previous"]},
        {**state_action("Most", "advance", "k0"), "depends_on": ["previous"]},
        {**state_action("Seen", "seen", "k0"), "depends_on": ["previous"]},
    ),
    "an interface that answers of a failure": interface(
        {**http_action("Late", "exhausted"), "response_on_error": {"http_code": 409, "body": "a|Late::body.state|"}},
        {**http_action("Never", "submit"), "run_when_succeeded": ["Late"]},
    ),
}


@cache
def _undisturbed(definition: str) -> Undisturbed:
    return undisturbed(json.loads(definition))


class OneCrash(AnyInterleaving):
    """One run in which delivery number `delivery` (0: the start) dies at `boundary`; its message comes again, or is lost."""

    def play(self, definition: dict[str, Any], delivery: int, boundary: int, *, lost: bool) -> bool:
        """Return whether there was such a boundary."""
        self.expected = _undisturbed(json.dumps(definition))
        name = self.world.register(definition)
        self.workflow_id = self.world.start(name=name, given=self.given)
        for _ in range(delivery):
            if not self.mailbox.waiting:
                return False
            self._take_next(None, lost=False)
        if not self.mailbox.waiting:
            return False
        crashed = self._take_next(boundary, lost=lost)
        self.teardown()
        return crashed

    def _take_next(self, boundary: int | None, *, lost: bool) -> bool:
        message, at = min(self.mailbox.waiting, key=lambda pair: pair[1])
        self.world.clock.move_to(at)
        self.plan.boundary = boundary
        self.mailbox.waiting.remove((message, at))
        try:
            deliver(self.engine, message)
        except Crash:
            if not lost:
                self.mailbox.waiting.append((message, at))
            return True
        finally:
            self.plan.boundary = None
        return False


def crash_everywhere(machine: type[OneCrash], definition: dict[str, Any], *, lost: bool) -> int:
    """Play the run once for each boundary of each delivery; return how many there were."""
    crashes = 0
    for delivery in range(100):
        for boundary in range(100):
            if not machine().play(definition, delivery, boundary, lost=lost):
                break
            crashes += 1
        if boundary == 0:
            break
    return crashes


@pytest.mark.parametrize("lost", [False, True], ids=["redelivered", "lost"])
@pytest.mark.parametrize("name", RUNS)
def test_a_crash_at_any_boundary_of_any_delivery_changes_no_end(name: str, *, lost: bool) -> None:
    assert crash_everywhere(OneCrash, RUNS[name], lost=lost) > 20, "the run has more boundaries than that"


@pytest.mark.parametrize("dies_in", ["hand-out", "report"])
def test_a_crash_at_any_boundary_of_a_workers_call_changes_no_end(dies_in: str) -> None:
    definition = workflow(worker_step("work"), plain_step("jq", "jq"))
    for boundary in range(100):
        machine = AnyInterleaving()
        machine.expected = undisturbed(definition)
        machine.workflow_id = machine.world.start(definition, machine.given)
        machine.worker_takes(boundary if dies_in == "hand-out" else None)
        machine.plan.boundary = boundary if dies_in == "report" else None
        died = dies_in == "hand-out" and not machine.taken
        try:
            finish(machine.engine, machine.taken)
        except Crash:
            died = True
        machine.teardown()
        if not died:
            assert boundary > 6, "a worker's call has more boundaries than that"
            return
    raise AssertionError("a worker's call has fewer boundaries than that")


def test_a_start_that_dies_is_either_not_there_or_runs_to_its_end() -> None:
    definition = RUNS["submit, poll, compute"]
    for boundary in range(100):
        machine = AnyInterleaving()
        machine.expected = undisturbed(definition)
        request = StartWorkflow(machine.world.register(definition), input={"n": 3})
        machine.plan.boundary = boundary
        try:
            machine.workflow_id = start(machine.engine, request)
        except Crash:
            machine.plan.boundary = None
            machine.workflow_id = "00000000-0000-0000-0000-000000000001"
            if machine.sound.executions.load(machine.workflow_id) is None:
                continue
        machine.teardown()
        if machine.plan.boundary is not None:
            return
    raise AssertionError("a start has fewer boundaries than that")
