"""What can be measured, by name."""

from collections.abc import Callable, Mapping, Sequence

from benchmarks import cold_start, decider, evaluator, expressions, growth, poll_cost, sdk_load, virtual_clock, waiting
from benchmarks.figures import Figure

AREAS: Mapping[str, Callable[[], Sequence[Figure]]] = {
    "cold_start": cold_start.measure,
    "poll_cost": poll_cost.measure,
    "virtual_clock": virtual_clock.measure,
    "decider": decider.measure,
    "growth": growth.measure,
    "evaluator": evaluator.measure,
    "expressions": expressions.measure,
    "waiting": waiting.measure,
    "sdk_load": sdk_load.measure,
}
