"""What a poll that says "not yet" asks of AWS, early and late, and what a million of them come to."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.figures import Figure
from benchmarks.measured_job import main_job_steps, polled

# Dollars a million, us-east-1, on demand, free tiers not counted (AWS price pages; DynamoDB's since November 2024).
READ_UNITS = 0.125
WRITE_UNITS = 0.625
SCHEDULE_FIRINGS = 1.00
LAMBDA_REQUESTS = 0.20
# Dollars for a GB-second on arm64, the size of the wakeup function, and how long a poll holds it: most of that is the vendor's time.
LAMBDA_GB_SECOND = 0.0000133334
LAMBDA_GB = 1.0
POLL_SECONDS = 0.15

POLLS = (3, 3_000)
CYCLES = 48  # four times the ledger's pack
A_MILLION = 1_000_000


@dataclass(frozen=True)
class Bill:
    """Dollars for a million polls."""

    reads: float
    writes: float
    schedules: float
    requests: float
    compute: float

    @property
    def total(self) -> float:
        return self.reads + self.writes + self.schedules + self.requests + self.compute


def bill(read_units: float, write_units: float) -> Bill:
    """Return what a million polls cost at so many units each: one schedule fires one invocation for each."""
    compute = A_MILLION * POLL_SECONDS * LAMBDA_GB * LAMBDA_GB_SECOND
    return Bill(read_units * READ_UNITS, write_units * WRITE_UNITS, SCHEDULE_FIRINGS, LAMBDA_REQUESTS, compute)


def measure() -> Sequence[Figure]:
    return [*(figure for poll in POLLS for figure in _poll(poll)), *_million(), *_whole_run()]


def _poll(poll: int) -> Sequence[Figure]:
    with polled(poll - 1) as (run, task_id):
        cost = run.next_poll()
        hot, spec = run.poll_rows_bytes(task_id)
    return (
        Figure("poll_cost", f"poll {poll:,}: read units", cost.read_units, "", 1),
        Figure("poll_cost", f"poll {poll:,}: write units", cost.write_units, "", 2),
        Figure("poll_cost", f"poll {poll:,}: AWS calls", len(cost.calls), "", 3, ", ".join(cost.calls)),
        Figure("poll_cost", f"poll {poll:,}: hot row", hot, "bytes", 1024),
        Figure("poll_cost", f"poll {poll:,}: both rows", hot + spec, "bytes", 4096, "read together"),
    )


def _million() -> Sequence[Figure]:
    with polled(POLLS[1]) as (run, _):
        costs = [run.next_poll() for _ in range(CYCLES)]
    reads = sum(cost.read_units for cost in costs) / CYCLES
    writes = sum(cost.write_units for cost in costs) / CYCLES
    price = bill(reads, writes)
    parts = f"reads {price.reads:.2f}, writes {price.writes:.2f}, schedules {price.schedules:.2f}"
    lambda_parts = f"Lambda requests {price.requests:.2f}, {POLL_SECONDS:g} s at {LAMBDA_GB:g} GB {price.compute:.2f}"
    return (
        Figure("poll_cost", f"write units, over {CYCLES} polls", writes, "", 1.25, "the ledger's packs counted"),
        Figure("poll_cost", "a million polls", price.total, "dollars", None, f"{parts}, {lambda_parts}"),
    )


def _whole_run() -> Sequence[Figure]:
    return [
        Figure("poll_cost", f"main job, {label}: AWS calls", len(cost.calls), "", None, f"{cost.write_units} write units")
        for label, cost in main_job_steps()
    ]
