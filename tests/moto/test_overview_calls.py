"""What looking at runs asks of AWS, counted at the clients: it does not grow with the runs of a list."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from fermata.application.overviews import overviews
from fermata.application.start import StartWorkflow, start

from tests.support.moto_world import MotoWorld, fresh_aws, watch
from tests.support.world import answer, step, workflow

MANY = "dynamodb.BatchGetItem"
POLLED = step("HTTP_POLL", "poll", {"http_request": {"uri": "https://exports.example/1", "terminationCondition": "false"}})
BIG = "x" * 20_000


@pytest.fixture
def world() -> Iterator[MotoWorld]:
    with fresh_aws():
        yield MotoWorld(lambda _request: answer({"state": "RUNNING", "page": BIG}))


def test_twenty_five_runs_are_three_reads(world: MotoWorld) -> None:
    """The rows of the runs, of their open tasks and of the polls; the definition is remembered from the start."""
    world.register(workflow(POLLED))
    ids = [start(world.engine, StartWorkflow("flow", input={"big": BIG})) for _ in range(25)]
    world.run_until(timedelta(seconds=70))
    calls = watch(world.clients.values())
    found = overviews(world.engine, ids)
    assert calls.take_names() == [MANY] * 3
    assert {(line.of_shown.remote_state, line.shown.poll.polls_made) for line in found.values() if line.of_shown and line.shown} == {
        ("RUNNING", 2)
    }
    assert len(found) == 25


def test_runs_of_every_kind_are_six_reads(world: MotoWorld) -> None:
    """One more each for definitions not seen before, for rows of workers and for who polled their queues."""
    fork = {**step("FORK_JOIN", "fork"), "forkTasks": [[{**step("SIMPLE", "s"), "name": "pack"}], [POLLED]]}
    join = {**step("JOIN", "join"), "joinOn": ["s", "poll"]}
    ids = [world.start({**workflow(fork, join), "name": f"flow-{number}"}) for number in range(10)]
    world.run_until(timedelta(seconds=10))
    calls = watch(world.clients.values())
    world.engine.definitions._snapshots._entries.clear()
    assert len(overviews(world.engine, ids)) == 10
    assert calls.take_names() == [MANY] * 6
