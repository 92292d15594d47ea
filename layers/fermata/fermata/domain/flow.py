"""Where each task stands in its definition, and what follows it (Conductor engine reference, 3.3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from fermata.domain.steps import WorkflowTask

LOOP = "DO_WHILE"
FORKS = frozenset({"FORK_JOIN", "FORK_JOIN_DYNAMIC"})
JOINS = frozenset({"JOIN", "EXCLUSIVE_JOIN"})
_SUFFIX = "__"


@dataclass(frozen=True)
class Place:
    """A task, the list that directly contains it, the task that contains that list (None: the top level), and the loop around it."""

    task: WorkflowTask
    siblings: tuple[WorkflowTask, ...]
    index: int
    container: WorkflowTask | None
    loop: str | None


class Flow:
    """The places of a definition's tasks by reference name. Costs one walk over the definition."""

    def __init__(self, tasks: tuple[WorkflowTask, ...]) -> None:
        self.places: Mapping[str, Place] = {place.task.task_reference_name: place for place in _places(tasks, None, None)}

    def step(self, reference_name: str) -> WorkflowTask:
        return self.places[reference_name].task

    def successor(self, reference_name: str) -> WorkflowTask | None:
        """Return the task to schedule after `reference_name` ended, or None where nothing follows by itself.

        At the end of a SWITCH branch it is whatever follows the SWITCH. At the end of a fork's branch or a loop's body nothing
        follows: the JOIN or the loop goes on when all of it has ended. Tasks that are not in the definition have no successor.
        """
        place = self.places.get(reference_name)
        while place is not None:
            if place.task.type == "TERMINATE":
                return None
            if place.index + 1 < len(place.siblings):
                return place.siblings[place.index + 1]
            if place.container is None or place.container.type in FORKS or place.container.type == LOOP:
                return None
            place = self.places[place.container.task_reference_name]
        return None

    def loop_of(self, reference_name: str) -> str | None:
        """Return the reference name of the loop that a task of the definition stands in, or None."""
        place = self.places.get(reference_name)
        return place.loop if place else None

    def body_of(self, loop: str) -> tuple[str, ...]:
        """Return the reference names of everything in a loop's body, in order."""
        return tuple(name for name, place in self.places.items() if place.loop == loop)

    @cached_property
    def joins_on(self) -> Mapping[str, tuple[str, ...]]:
        """Return, by reference name, the JOINs and EXCLUSIVE_JOINs whose definition waits for it."""
        found: dict[str, tuple[str, ...]] = {}
        for name, place in self.places.items():
            if place.task.type in JOINS:
                for awaited in dict.fromkeys((*place.task.join_on, *place.task.default_exclusive_join_task)):
                    found[awaited] = (*found.get(awaited, ()), name)
        return found


def suffixed(reference_name: str, iteration: int) -> str:
    """Return the name of a task record: inside a loop it carries the number of its iteration."""
    return f"{reference_name}{_SUFFIX}{iteration}" if iteration else reference_name


def unsuffixed(reference_name: str, iteration: int) -> str:
    """Return the name a record has in its definition. As in Conductor the suffix is cut at the first `__`."""
    return reference_name.partition(_SUFFIX)[0] if iteration else reference_name


def _places(tasks: tuple[WorkflowTask, ...], container: WorkflowTask | None, loop: str | None) -> Iterator[Place]:
    for index, task in enumerate(tasks):
        yield Place(task, tasks, index, container, loop)
        inside = task.task_reference_name if task.type == LOOP else loop
        for children in task.child_lists():
            yield from _places(children, task, inside)
