"""What a schedule's firing asks of AWS, counted at the clients."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fermata.application import schedules as use
from fermata.application.deliver import deliver_batch
from fermata.domain.schedules import CronEntry, Schedule, StartState

from tests.support.moto_world import RECURRING, MotoWorld, fresh_aws, shared_client, watch
from tests.support.world import step, workflow

HOUR = timedelta(hours=1)
READ, WRITE, QUERY = "dynamodb.GetItem", "dynamodb.PutItem", "dynamodb.Query"


@pytest.fixture
def world() -> Iterator[MotoWorld]:
    with fresh_aws():
        made = MotoWorld()
        made.register(workflow(step("HUMAN", "wait")))
        yield made


def save(world: MotoWorld, cron: str, **fields: Any) -> None:
    now = world.clock.now()
    use.save(world.engine, Schedule("nightly", {"name": "flow"}, now, now, cron=CronEntry(cron), **fields))


def fire(world: MotoWorld, at: datetime) -> list[str]:
    """Hand over what Scheduler sends, and return what was called for it."""
    calls = watch(world.clients.values())
    [stored] = shared_client("scheduler").list_schedules(GroupName=RECURRING)["Schedules"]
    text = shared_client("scheduler").get_schedule(GroupName=RECURRING, Name=stored["Name"])["Target"]["Input"]
    calls.take()
    world.clock.move_to(at)
    deliver_batch(world.engine, json.loads(text.replace("<aws.scheduler.scheduled-time>", f"{at:%Y-%m-%dT%H:%M:%SZ}")))
    return calls.take_names()


def test_a_firing_reads_the_schedule_keeps_a_record_and_starts_the_run(world: MotoWorld) -> None:
    save(world, "0 0 * * * *")
    at = world.clock.now() + HOUR
    calls = fire(world, at)
    [record] = world.engine.schedules.starts("nightly")
    assert (record.state, record.scheduled_time) == (StartState.EXECUTED, at)
    assert (calls[:2], calls[-2:]) == ([READ, WRITE], [WRITE, QUERY])
    assert len(calls) == 10
    assert [call for call in fire(world, at) if not call.startswith("scheduler.")] == [READ, WRITE]  # it came twice


def test_a_firing_that_is_none_of_the_crons_moments_reads_one_row(world: MotoWorld) -> None:
    save(world, "0 0 0 L * *")
    assert fire(world, datetime(2026, 1, 30, tzinfo=UTC)) == [READ]
    assert world.engine.schedules.starts("nightly") == []


def test_setting_a_schedule_up_and_changing_it_costs_a_few_calls(world: MotoWorld) -> None:
    calls = watch(world.clients.values())
    save(world, "0 0 * * * *")
    assert calls.take_names() == [READ, WRITE, READ, "scheduler.CreateSchedule", WRITE]
    use.pause(world.engine, "nightly")
    assert calls.take_names() == [READ, WRITE, READ, "scheduler.CreateSchedule", "scheduler.UpdateSchedule", WRITE]
    use.delete(world.engine, "nightly")
    assert calls.take_names() == [READ, READ, WRITE, READ, "scheduler.DeleteSchedule", QUERY, "dynamodb.DeleteItem"]
