"""What the engine asks of AWS, counted at the clients: for each poll that says "not yet", and for a whole run.

A poll that packs the ledger, every twelfth, asks for one PutItem more: two write units in that poll, 1.08 on average.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from fermata import bootstrap
from fermata_local import checkout
from fermata_local.clocks import SkippingClock
from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud

from benchmarks.measured_job import LEDGER_PACK, main_job_steps, polled
from tests.support.moto_world import SERVICES, watch
from tests.support.world import main_job

QUERY, ARM, PACK, UPDATE = "dynamodb.Query", "scheduler.CreateSchedule", "dynamodb.PutItem", "dynamodb.UpdateItem"
NOT_YET = (QUERY, ARM, UPDATE)
EARLY_AND_LATE = pytest.mark.parametrize("poll", [3, 3_000])
ONE_ITEM_BYTES = 1024


@EARLY_AND_LATE
def test_a_poll_that_says_not_yet_reads_once_arms_the_next_and_then_writes_once(poll: int) -> None:
    with polled(poll - 1) as (run, task_id):
        cost = run.next_poll()
        assert [entry.poll for entry in run.world.engine.polls.ledger(task_id)][-1] == poll
    assert cost.calls == NOT_YET
    assert (cost.read_units, cost.write_units) == (1, 1)


@EARLY_AND_LATE
def test_the_rows_of_a_poll_stay_below_the_sizes_its_units_rest_on(poll: int) -> None:
    with polled(poll) as (run, task_id):
        hot, spec = run.poll_rows_bytes(task_id)
    assert hot < ONE_ITEM_BYTES
    assert hot + spec < 4 * ONE_ITEM_BYTES


@pytest.mark.parametrize("polls_made", [0, 3_000])
def test_forty_eight_polls_cost_no_more_than_a_write_unit_and_a_quarter_each(polls_made: int) -> None:
    with polled(polls_made) as (run, _):
        costs = [run.next_poll() for _ in range(48)]
    packing = [cost for cost in costs if cost.calls != NOT_YET]
    assert {cost.calls for cost in packing} == {(QUERY, ARM, PACK, UPDATE)}
    assert len(packing) <= 48 / LEDGER_PACK
    assert max(cost.write_units for cost in costs) == 2
    assert sum(cost.write_units for cost in costs) / len(costs) <= 1.25
    assert {cost.read_units for cost in costs} == {1}


def test_a_late_poll_sends_and_receives_no_more_than_an_early_one() -> None:
    """The row grows and is packed in a cycle of twelve polls, so a whole cycle is compared; numbers have more digits later."""
    sizes = []
    for polls_made in (LEDGER_PACK, 3_000):
        with polled(polls_made) as (run, _):
            costs = [run.next_poll() for _ in range(LEDGER_PACK)]
        sizes.append(sum(cost.sent_bytes + cost.received_bytes for cost in costs))
    early, late = sizes
    assert late <= early * 1.02


@pytest.fixture
def fresh_clients() -> Iterator[None]:
    """Make `bootstrap` forget its clients before and after: counted ones are not for other tests."""
    bootstrap._client.cache_clear()
    yield
    bootstrap._client.cache_clear()
    bootstrap.engine.cache_clear()


@pytest.mark.usefixtures("fresh_clients")
def test_a_poll_through_the_wakeup_door_asks_for_the_same_three_calls() -> None:
    vendor = checkout.load_job_api().serve(behaviour="never")
    clock = SkippingClock(datetime(2026, 1, 1, 12, tzinfo=UTC))
    with vendor, LocalCloud(clock, sweep_every=SKIPPING_SWEEP) as cloud:
        calls = watch(bootstrap._client(service) for service in SERVICES)
        handlers = cloud.doors._handlers
        wakeup, polls = handlers["wakeup"], []

        def counted(event: Any, context: Any) -> Any:
            calls.take()
            answer = wakeup(event, context)
            polls.append(tuple(calls.take_names()))
            return answer

        handlers["wakeup"] = counted
        cloud.api("POST", "/api/metadata/workflow", main_job())
        cloud.api("POST", "/api/workflow/http_poll_external_job", {"jobApiUrl": vendor.url, "dataset": "orders"})
        cloud.run_until(lambda: list(vendor.jobs.polls().values()) == [6])
    assert polls == [NOT_YET] * 5  # the first poll came through the task runner


MOST_CALLS = {"start": 12, "submit": 14, "poll 1": 3, "poll 2": 3, "poll 3": 3, "finish": 14, "stale wake-up": 1}


def test_a_whole_run_of_the_main_job_asks_no_more_of_aws_than_this() -> None:
    steps = {label: len(cost.calls) for label, cost in main_job_steps(polls=4)}
    assert steps.keys() == MOST_CALLS.keys()
    assert {label: calls for label, calls in steps.items() if calls > MOST_CALLS[label]} == {}
