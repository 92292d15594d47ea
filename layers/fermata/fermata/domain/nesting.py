"""How deep a JSON value is nested. Values are passed on inside others; what is too deep breaks readers and writers of JSON."""

from collections.abc import Mapping

from fermata.domain.json_value import Json

_NESTING = (Mapping, list, tuple)
MAX_LEVELS = 500  # of what a script answers and a task is given; Python's own limit for JSON is near 1,000


def deeper_than(value: Json, levels: int) -> bool:
    """Tell whether lists and objects stand in each other more than `levels` deep. Needs no recursion itself."""
    layer = [value]
    for _ in range(levels):
        layer = [inner for outer in layer if isinstance(outer, _NESTING) for inner in _inside(outer)]
        if not layer:
            return False
    return any(isinstance(inner, _NESTING) for inner in layer)


def _inside(outer: Json) -> list[Json]:
    return list(outer.values()) if isinstance(outer, Mapping) else list(outer)
