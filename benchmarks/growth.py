"""What a completed task makes the engine read and write: early and late, among few and among many."""

from collections.abc import Sequence

from fermata.application.deliver import deliver

from benchmarks.figures import Figure
from benchmarks.measured_job import Cost, MeasuredRun, measured
from benchmarks.sequences import ANSWER, LENGTH, dynamic_fork, fork, loop, loop_over_items, sequence
from tests.support.world import step

EARLY, LATE = 10, LENGTH - 1  # the last one ends the run instead of scheduling another
NARROW, WIDE = 10, 1000  # branches
ITERATIONS = 300
SHORT_LIST, LONG_LIST = 10, 5000
REQUEST = {"http_request": {"uri": "https://vendor.example/api/v2/stages", "method": "POST", "body": {"previous": "8d1f2c"}}}
MOST_GROWTH = 2


def measure() -> Sequence[Figure]:
    return (*_sequence(), *_fork(), *_dynamic_forks(), *_loop(), *_list_loop(), *_whole_loop())


def _sequence() -> Sequence[Figure]:
    early, late = task_costs(LENGTH, EARLY, LATE)
    before, after = _bytes(early), _bytes(late)
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
    before, after = _bytes(narrow), _bytes(wide)
    return (
        Figure("growth", f"a branch of {NARROW}: bytes read and written", before, "bytes", note=_units(narrow)),
        Figure("growth", f"a branch of {WIDE}: bytes read and written", after, "bytes", note=_units(wide)),
        Figure("growth", "a branch's bytes, wide over narrow", after / before, "times", MOST_GROWTH),
        Figure("growth", "a branch's write units, wide over narrow", wide.write_units / narrow.write_units, "times", MOST_GROWTH),
    )


def _loop() -> Sequence[Figure]:
    early, late = iteration_costs(ITERATIONS, EARLY, ITERATIONS - 1)
    before, after = _bytes(early), _bytes(late)
    return (
        Figure("growth", f"iteration {EARLY}, keepLastN 2: bytes", before, "bytes", note=_units(early)),
        Figure("growth", f"iteration {ITERATIONS - 1}, keepLastN 2: bytes", after, "bytes", note=_units(late)),
        Figure("growth", "an iteration's bytes, late over early", after / before, "times", MOST_GROWTH),
    )


def _dynamic_forks() -> Sequence[Figure]:
    return [figure for kind in ("HTTP", "SIMPLE") for figure in _dynamic_fork(kind)]


def _dynamic_fork(kind: str) -> Sequence[Figure]:
    narrow, wide = (_bytes(fork_start_cost(kind, width)) / width for width in (NARROW, WIDE))
    return (
        Figure("growth", f"{kind} forked by data, {NARROW} of them: bytes to start each", narrow, "bytes"),
        Figure("growth", f"{kind} forked by data, {WIDE} of them: bytes to start each", wide, "bytes"),
        Figure("growth", f"{kind} forked by data: bytes, wide over narrow", wide / narrow, "times", MOST_GROWTH),
    )


def _list_loop() -> Sequence[Figure]:
    short, long = (list_iteration_cost(items) for items in (SHORT_LIST, LONG_LIST))
    return (
        Figure("growth", f"an iteration over {SHORT_LIST} items: bytes", _bytes(short), "bytes", note=_units(short)),
        Figure("growth", f"an iteration over {LONG_LIST} items: bytes", _bytes(long), "bytes", note=_units(long)),
        Figure("growth", "an iteration's bytes, long list over short", _bytes(long) / _bytes(short), "times", MOST_GROWTH),
    )


def _whole_loop() -> Sequence[Figure]:
    short, long = (whole_loop_bytes(items) / items for items in (LONG_LIST // 10, LONG_LIST))
    return (
        Figure("growth", f"{LONG_LIST // 10} instant iterations, keepLastN 2: bytes each", short, "bytes", note="the whole run"),
        Figure("growth", f"{LONG_LIST} instant iterations, keepLastN 2: bytes each", long, "bytes", note="the whole run"),
        Figure("growth", "an instant iteration's bytes, long loop over short", long / short, "times", MOST_GROWTH),
    )


def fork_start_cost(kind: str, width: int) -> Cost:
    """Return what starting a run cost whose first step forks so many tasks of this type by data."""
    with measured(lambda _: ANSWER) as run:
        name = run.world.register(dynamic_fork(kind))
        run.cost()
        run.world.start(name=name, given={"all": [REQUEST] * width})
        return run.cost()


def list_iteration_cost(items: int, iteration: int = 5) -> Cost:
    """Return what this iteration (from 1) of a loop over a list this long cost."""
    with measured(lambda _: ANSWER) as run:
        run.world.start(loop_over_items(), {"all": [f"item-{number}" for number in range(items)]})
        return [_complete(run) for _ in range(iteration)][-1]


def whole_loop_bytes(items: int) -> int:
    """Return the bytes of a whole run that loops over a list this long and only notes each element."""
    with measured(lambda _: ANSWER) as run:
        name = run.world.register(loop_over_items(step("SET_VARIABLE", "note", {"last": "${loop.output.loopItem}"})))
        run.cost()
        run.world.start(name=name, given={"all": list(range(items))})
        run.world.run()
        return _bytes(run.cost())


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


def _bytes(cost: Cost) -> int:
    return cost.sent_bytes + cost.received_bytes


def _units(cost: Cost) -> str:
    return f"{len(cost.calls)} calls, {cost.write_units} write units, {cost.sent_bytes:,} sent, {cost.received_bytes:,} received"
