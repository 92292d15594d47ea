"""In which order an interface's actions run: what each waits for first, otherwise as they are listed (air pipe reference, 2.1)."""

from collections.abc import Mapping, Sequence


class Circular(ValueError):
    """Actions that wait for each other. `names`: those that can never run."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"{', '.join(names)} wait for each other")
        self.names = tuple(names)


def in_order(awaited: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the names so that each comes after those it awaits. Raises `Circular`."""
    order: list[str] = []
    left = list(awaited)
    while left:
        ready = next((name for name in left if awaited[name] <= set(order)), None)
        if ready is None:
            raise Circular(left)
        order.append(ready)
        left.remove(ready)
    return tuple(order)
