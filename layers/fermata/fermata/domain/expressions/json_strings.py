"""Walking JSON values by their strings. Nothing here recurses: templates and outputs come from others and may be nested deeply."""

from collections.abc import Callable, Iterator, Mapping

from fermata.domain.json_value import Json


def map_strings(value: Json, change: Callable[[str], Json]) -> Json:
    """Return a copy of `value` with every string replaced by `change(string)`; keys stay. What `change` returns is not walked again."""
    top: list[Json] = [None]
    waiting: list[tuple[Json, Json, Json]] = [(value, top, 0)]  # what to copy, and the place in the copy where it goes
    while waiting:
        current, parent, key = waiting.pop()
        if isinstance(current, str):
            parent[key] = change(current)
        elif isinstance(current, Mapping):
            parent[key] = members = dict.fromkeys(current)
            waiting.extend((item, members, name) for name, item in reversed(list(current.items())))
        elif isinstance(current, list | tuple):
            parent[key] = items = [None] * len(current)
            waiting.extend((item, items, index) for index, item in reversed(list(enumerate(current))))
        else:
            parent[key] = current
    return top[0]


def scalars(value: Json) -> Iterator[Json]:
    """Yield every value in `value` that is neither an object nor a list, in no stated order."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Mapping):
            waiting.extend(current.values())
        elif isinstance(current, list | tuple):
            waiting.extend(current)
        else:
            yield current


def strings(value: Json) -> Iterator[str]:
    """Yield every string in `value`, keys left out, in no stated order."""
    return (scalar for scalar in scalars(value) if isinstance(scalar, str))
