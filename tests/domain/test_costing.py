"""What a run costs: arithmetic over what it holds."""

from datetime import timedelta
from typing import Any

import pytest
from fermata.api.costs import cost_of
from fermata.domain.costing import PRICES_AS_OF, CostEstimate

from tests.support.world import Vendor, World, answer, step, workflow

RUNNING, DONE = answer({"state": "RUNNING"}), answer({"state": "DONE"})


def polled(polls: int, **fields: Any) -> CostEstimate:
    world = World(Vendor(*[RUNNING] * (polls - 1), DONE), min_poll_interval=timedelta(seconds=1))
    request = {"uri": "http://v/1", "terminationCondition": "$.output.response.body.state === 'DONE'", **fields}
    return cost(world, workflow(step("HTTP_POLL", "await", {"http_request": request})))


def cost(world: World, definition: dict[str, Any]) -> CostEstimate:
    return cost_of(world.engine, world.outcome(definition))


def test_polls_are_counted_and_a_million_of_them_cost_what_the_readme_says() -> None:
    few, many = polled(2), polled(902)
    assert (few.polls, few.requests, many.polls, many.prices_as_of) == (2, 2, 902, PRICES_AS_OF)
    assert (many.usd - few.usd) / 900 * 1e6 == pytest.approx(4.00, abs=0.01)
    assert (many.write_units - few.write_units) / 900 == pytest.approx(13 / 12)
    assert (many.read_units - few.read_units, many.invocations - few.invocations) == (900, 900)


def test_quick_polls_go_by_queue_which_costs_a_little_more() -> None:
    def one(**fields: Any) -> float:
        return (polled(102, **fields).usd - polled(2, **fields).usd) / 100 * 1e6

    assert one(pollingInterval=10) - one(pollingInterval=60) == pytest.approx(0.20, abs=0.01)


def test_a_run_that_asks_nobody_still_costs_its_decisions() -> None:
    found = cost(World(), workflow(step("NOOP", "a"), step("NOOP", "b")))
    assert (found.polls, found.requests, found.invocations) == (0, 0, 1)
    assert found.write_units == 4 + 8 + 2 * 3


def test_each_attempt_of_a_request_is_one() -> None:
    failing = step("HTTP", "ask", {"http_request": {"uri": "http://v", "method": "POST"}}, retryCount=2)
    assert cost(World(lambda _: answer({}, 500)), workflow(failing)).requests == 3


@pytest.mark.parametrize("kind", ["WAIT", "HUMAN", "SIMPLE"])
def test_a_run_that_waits_has_an_estimate_too(kind: str) -> None:
    found = cost(World(), workflow(step(kind, "open")))
    assert 0 < found.usd < 0.0001
