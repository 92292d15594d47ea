"""What a completed task makes the engine read and write, early and late in a long sequence."""

from collections.abc import Sequence

from benchmarks.figures import Figure
from benchmarks.measured_job import Cost, MeasuredRun, measured
from benchmarks.sequences import ANSWER, LENGTH, sequence

EARLY, LATE = 10, LENGTH - 1  # the last one ends the run instead of scheduling another
MOST_GROWTH = 2


def measure() -> Sequence[Figure]:
    early, late = task_costs(LENGTH, EARLY, LATE)
    before, after = early.sent_bytes + early.received_bytes, late.sent_bytes + late.received_bytes
    return (
        Figure("growth", f"task {EARLY}: bytes read and written", before, "bytes", note=_units(early)),
        Figure("growth", f"task {LATE}: bytes read and written", after, "bytes", note=_units(late)),
        Figure("growth", "bytes, late over early", after / before, "times", MOST_GROWTH),
        Figure("growth", "write units, late over early", late.write_units / early.write_units, "times", MOST_GROWTH),
        Figure("growth", "calls, late over early", len(late.calls) / len(early.calls), "times", 1),
    )


def task_costs(length: int, *numbers: int) -> list[Cost]:
    """Return what completing each of these tasks (from 1) of a sequence cost."""
    with measured(lambda _: ANSWER) as run:
        run.world.start(sequence(length), {"first": "a"})
        return [cost for number in range(1, max(numbers) + 1) for cost in [_complete(run)] if number in numbers]


def _complete(run: MeasuredRun) -> Cost:
    step = run.next_step()
    assert step is not None
    return step[1]


def _units(cost: Cost) -> str:
    return f"{len(cost.calls)} calls, {cost.write_units} write units, {cost.sent_bytes:,} sent, {cost.received_bytes:,} received"
