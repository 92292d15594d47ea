"""The functions a path may end with: `.length()`, `.sum()`, ... Each maps a value to a value, None when it doesn't apply."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from fermata.domain.json_value import Json


def _length(value: Json) -> int | None:
    return len(value) if isinstance(value, Mapping | list | tuple) else None


def _keys(value: Json) -> list[str] | None:
    return list(value) if isinstance(value, Mapping) else None


def _first(value: Json) -> Json:
    return value[0] if isinstance(value, list | tuple) and value else None


def _last(value: Json) -> Json:
    return value[-1] if isinstance(value, list | tuple) and value else None


def _average(numbers: Iterable[float]) -> float:
    values = list(numbers)
    return sum(values) / len(values)


def _over_numbers(aggregate: Callable[[Iterable[float]], float]) -> Callable[[Json], float | None]:
    """Make a function over the numbers of a list, others left out. The result is a double, as in Conductor (6 becomes 6.0)."""

    def apply(value: Json) -> float | None:
        numbers = (
            [item for item in value if isinstance(item, int | float) and not isinstance(item, bool)] if isinstance(value, list) else []
        )
        try:
            return float(aggregate([float(number) for number in numbers])) if numbers else None
        except OverflowError:  # an integer beyond a double
            return None

    return apply


FUNCTIONS: Mapping[str, Callable[[Json], Json]] = MappingProxyType(
    {
        "length": _length,
        "size": _length,
        "keys": _keys,
        "first": _first,
        "last": _last,
        "sum": _over_numbers(sum),
        "min": _over_numbers(min),
        "max": _over_numbers(max),
        "avg": _over_numbers(_average),
    }
)
