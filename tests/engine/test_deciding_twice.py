"""Same input, same decision, and deciding twice adds nothing: over random workflows, at every decision of their runs."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from fermata.adapters.memory.scripted_http import ScriptedHttpClient
from fermata.application import advance as advancing
from fermata.application.advance import advance
from fermata.application.deliver import deliver
from fermata.domain.decider import decide
from fermata.domain.effects import Decision
from fermata.domain.executions import Execution
from fermata.domain.questions import Question
from hypothesis import given, settings

from tests.support.random_workflows import poll_step, vendor, workflows
from tests.support.world import World, step, workflow

MOST_ROUNDS = 500


class ByHand:
    """One run whose messages are delivered one at a time."""

    def __init__(self, definition: dict[str, Any]) -> None:
        self.world = World()
        self.world.engine = replace(self.world.engine, http=ScriptedHttpClient(vendor(self.world.clock.now, {})))
        self.workflow_id = self.world.start(definition, {"n": 3})

    def run(self) -> None:
        for _ in range(MOST_ROUNDS):
            at = self.world.alarms.next_at()
            if at is None:
                return
            self.world.clock.move_to(at)
            for message in self.world.alarms.take_due(at):
                deliver(self.world.engine, message)
                self.after_a_delivery()
        raise AssertionError(f"still busy after {MOST_ROUNDS} rounds")

    def after_a_delivery(self) -> None:
        """Look at the run. Here: nothing."""


class DecidedAgain(ByHand):
    """Each delivery is followed by two more decisions that no message asked for."""

    def after_a_delivery(self) -> None:
        """The first decision may find what is due now and not delivered yet; the second finds nothing."""
        self.decide_about_all()
        again = self.decide_about_all()
        assert not again.changed, (again.effects, [(task.task_reference_name, task.status) for task in again.tasks])

    def decide_about_all(self) -> Decision:
        everything = [task.task_id for task in self.world.executions.all_tasks(self.workflow_id)]
        return advance(self.world.engine, self.workflow_id, *everything)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(workflows())
def test_a_second_decision_over_the_same_state_adds_nothing(definition: dict[str, Any]) -> None:
    DecidedAgain({**definition, "timeoutSeconds": 7200, "timeoutPolicy": "TIME_OUT_WF"}).run()


def test_a_second_decision_does_not_arm_the_runs_timeout_again() -> None:
    here = DecidedAgain(workflow(step("HUMAN", "somebody"), timeoutSeconds=3600, timeoutPolicy="TIME_OUT_WF"))
    before = here.world.alarms.waiting()
    here.world.clock.move_to(here.world.clock.now().replace(minute=1))
    here.after_a_delivery()
    assert here.world.alarms.waiting() == before


@pytest.fixture
def twice(monkeypatch: pytest.MonkeyPatch) -> list[Decision | Question]:
    """Have every decision made twice from the same input, and return what was decided."""
    decided: list[Decision | Question] = []

    def decide_twice(execution: Execution, outcomes: Mapping[str, Any], knowledge: Any, now: datetime, command: Any = None) -> Any:
        first = decide(execution, outcomes, knowledge, now, command)
        assert decide(replace(execution), dict(outcomes), replace(knowledge), now, command) == first
        decided.append(first)
        return first

    monkeypatch.setattr(advancing, "decide", decide_twice)
    return decided


def test_the_same_input_leads_to_the_same_decision(twice: list[Decision | Question]) -> None:
    definition = {"name": "flaky", "retryCount": 2, "retryDelaySeconds": 5, "backoffJitterMs": 60_000, "responseTimeoutSeconds": 1}
    given_input = {"http_request": {"uri": "http://v/fail/flaky", "method": "POST"}}
    flaky = step("HTTP", "flaky", given_input, taskDefinition=definition, optional=True)
    loop = step("DO_WHILE", "loop", loopCondition="$.loop.iteration < 2", loopOver=[step("INLINE", "n", {"expression": "1"})])
    ByHand(workflow(flaky, loop, poll_step("await", "job"))).run()
    assert len([each for each in twice if isinstance(each, Decision) and each.changed]) >= 5
