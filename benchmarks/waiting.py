"""What a caller that waits costs: a held second, a look, and a worker that has nothing to do for a month."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from fermata.application.hand_out import wait_for_work
from fermata.application.standstill import wait_until_still
from fermata.domain.working import WorkerQueue

from benchmarks.figures import Figure
from benchmarks.measured_job import Cost, MeasuredRun, measured
from benchmarks.poll_cost import A_MILLION, LAMBDA_GB, LAMBDA_GB_SECOND, LAMBDA_REQUESTS, READ_UNITS, WRITE_UNITS
from benchmarks.sequences import ANSWER
from tests.support.meanwhile import with_pauses
from tests.support.world import step, workflow

HTTP_API_REQUESTS = 1.00  # dollars a million, the first 300 million of a month
MONTH_SECONDS = 730 * 3600
SDK_TIMEOUT_SECONDS = 0.1  # what the official SDKs ask for in each poll; they pause as long again, as a default
OWN_SECONDS = 0.02  # our work in a poll that finds nothing, and what the network adds: assumed, not measured on AWS
A_SECOND = timedelta(seconds=1)
HOLD = 20 * A_SECOND
MOST_CALLS_A_WORKERS_LOOK = 4  # one for each shard of the queue's index


@dataclass(frozen=True)
class Worker:
    """A worker that finds nothing: how long each poll is held and how long it pauses between two, in seconds; units that a poll takes."""

    held: float
    paused: float
    read_units: float
    write_units: float = 0

    @property
    def polls_a_month(self) -> float:
        return MONTH_SECONDS / (self.held + OWN_SECONDS + self.paused)

    @property
    def dollars_a_month(self) -> float:
        seconds = self.held + OWN_SECONDS
        compute = A_MILLION * seconds * LAMBDA_GB * LAMBDA_GB_SECOND
        units = self.read_units * READ_UNITS + self.write_units * WRITE_UNITS
        return self.polls_a_month / A_MILLION * (HTTP_API_REQUESTS + LAMBDA_REQUESTS + compute + units)


def measure() -> Sequence[Figure]:
    held_second = A_MILLION * LAMBDA_GB * LAMBDA_GB_SECOND
    return (
        Figure("waiting", "a million held seconds", held_second, "dollars", None, f"Lambda, {LAMBDA_GB:g} GB, arm64"),
        *_worker_looks(),
        *_run_looks(),
        *idle_workers(),
    )


def poll_cost(seconds: float) -> tuple[Cost, int]:
    """Return what a worker's poll that finds nothing asks of AWS, held so long, and how many looks it took."""
    with measured(lambda _: ANSWER) as run:
        engine, pauses = with_pauses(run.world, longest_hold=HOLD)
        run.cost()
        assert wait_for_work(engine, WorkerQueue("idle", None, "worker-1"), 1, seconds * A_SECOND) == []
        return run.cost(), len(pauses.lengths) + 1


def _worker_looks() -> Sequence[Figure]:
    cost, looks = poll_cost(HOLD.total_seconds())
    queries = cost.calls.count("dynamodb.Query")
    return (
        Figure("waiting", f"a worker held for {HOLD.seconds} s: looks", looks, ""),
        Figure(
            "waiting", "a worker's look: calls", queries / looks, "", MOST_CALLS_A_WORKERS_LOOK, f"{cost.read_units / looks:g} read units"
        ),
        Figure(
            "waiting", f"a worker held for {HOLD.seconds} s: write units", cost.write_units, "", HOLD.seconds + 1, "its last poll, noted"
        ),
    )


def _run_looks() -> Sequence[Figure]:
    with measured(lambda _: ANSWER) as run:
        workflow_id = run.world.start(workflow(step("HUMAN", "ask")))
        first, _ = _watched(run, workflow_id, timedelta(0))
        whole, looks = _watched(run, workflow_id, HOLD)
    later = len(whole.calls) - len(first.calls)
    return (
        Figure("waiting", f"a caller of execute held for {HOLD.seconds} s: looks", looks, ""),
        Figure(
            "waiting", "a look at a run without news: calls", later / (looks - 1), "", 1, "BatchGetItem, a read unit for each 4 KB of rows"
        ),
    )


def _watched(run: MeasuredRun, workflow_id: str, length: timedelta) -> tuple[Cost, int]:
    engine, pauses = with_pauses(run.world, longest_hold=HOLD)
    run.cost()
    wait_until_still(engine, workflow_id, length)
    return run.cost(), len(pauses.lengths) + 1


def idle_workers() -> Sequence[Figure]:
    asked, held = (Worker(seconds, 0.1, *_units(seconds)) for seconds in (SDK_TIMEOUT_SECONDS, HOLD.total_seconds()))
    ways = {
        "as the SDK asks: 100 ms, and 100 ms pause": asked,
        "the same with poll_interval=1000": replace(asked, paused=1),
        "the same with poll_interval=10000": replace(asked, paused=10),
        f"WorkerHoldMilliseconds={HOLD.seconds}000": held,
        "LongestHoldSeconds=0": Worker(0, 0.1, *_units(0)),
        "LongestHoldSeconds=0, poll_interval=1000": Worker(0, 1, *_units(0)),
    }
    return [
        Figure("waiting", f"idle worker, a month: {name}", worker.dollars_a_month, "dollars", None, f"{worker.polls_a_month:,.0f} polls")
        for name, worker in ways.items()
    ]


def _units(seconds: float) -> tuple[float, float]:
    """Return read and write units of a poll. Its note is written once a second at most, so it counts for a share of the short ones."""
    cost, _ = poll_cost(seconds)
    return cost.read_units, cost.write_units * min(1.0, seconds + SDK_TIMEOUT_SECONDS + OWN_SECONDS)
