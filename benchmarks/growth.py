"""What a completed task makes the engine read and write: early and late, among few and among many."""

from collections.abc import Sequence

from fermata.application.deliver import deliver

from benchmarks.figures import Figure
from benchmarks.measured_job import Cost, MeasuredRun, measured
from benchmarks.sequences import ANSWER, LENGTH, fork, loop, sequence

EARLY, LATE = 10, LENGTH - 1  # the last one ends the run instead of scheduling another
NARROW, WIDE = 10, 1000  # branches
ITERATIONS = 300
MOST_GROWTH = 2


def measure() -> Sequence[Figure]:
    return (*_sequence(), *_fork(), *_loop())


def _sequence() -> Sequence[Figure]:
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


def _fork() -> Sequence[Figure]:
    narrow, wide = branch_cost(NARROW), branch_cost(WIDE)
    before, after = narrow.sent_bytes + narrow.received_bytes, wide.sent_bytes + wide.received_bytes
    return (
        Figure("growth", f"a branch of {NARROW}: bytes read and written", before, "bytes", note=_units(narrow)),
        Figure("growth", f"a branch of {WIDE}: bytes read and written", after, "bytes", note=_units(wide)),
        Figure("growth", "a branch's bytes, wide over narrow", after / before, "times", MOST_GROWTH),
        Figure("growth", "a branch's write units, wide over narrow", wide.write_units / narrow.write_units, "times", MOST_GROWTH),
    )


def _loop() -> Sequence[Figure]:
    early, late = iteration_costs(ITERATIONS, EARLY, ITERATIONS - 1)
    before, after = early.sent_bytes + early.received_bytes, late.sent_bytes + late.received_bytes
    return (
        Figure("growth", f"iteration {EARLY}, keepLastN 2: bytes", before, "bytes", note=_units(early)),
        Figure("growth", f"iteration {ITERATIONS - 1}, keepLastN 2: bytes", after, "bytes", note=_units(late)),
        Figure("growth", "an iteration's bytes, late over early", after / before, "times", MOST_GROWTH),
    )


def branch_cost(branches: int) -> Cost:
    """Return what completing one branch in the middle of a fork this wide cost."""
    with measured(lambda _: ANSWER) as run:
        run.world.start(fork(branches), {"first": "a"})
        messages = run.world.alarms.take_due(run.world.clock.now())
        for message in messages[:2]:
            deliver(run.world.engine, message)
        run.cost()
        deliver(run.world.engine, messages[2])
        return run.cost()


def iteration_costs(iterations: int, *numbers: int) -> list[Cost]:
    """Return what each of these iterations (from 1) of a loop that keeps its last two cost."""
    with measured(lambda _: ANSWER) as run:
        run.world.start(loop(iterations), {"first": "a"})
        return [cost for number in range(1, max(numbers) + 1) for cost in [_complete(run)] if number in numbers]


def _complete(run: MeasuredRun) -> Cost:
    step = run.next_step()
    assert step is not None
    return step[1]


def _units(cost: Cost) -> str:
    return f"{len(cost.calls)} calls, {cost.write_units} write units, {cost.sent_bytes:,} sent, {cost.received_bytes:,} received"
