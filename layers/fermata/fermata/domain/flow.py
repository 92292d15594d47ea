"""Where each task stands in its definition, and what follows it (Conductor engine reference, 3.3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fermata.domain.definitions import WorkflowDefinition, WorkflowTask


@dataclass(frozen=True)
class Place:
    """A task, the list that directly contains it, and the task that contains that list (None: the top level)."""

    task: WorkflowTask
    siblings: tuple[WorkflowTask, ...]
    index: int
    container: WorkflowTask | None


Flow = Mapping[str, Place]


def flow_of(definition: WorkflowDefinition) -> Flow:
    """Return the place of every task by its reference name. Costs one walk over the definition."""
    return {place.task.task_reference_name: place for place in _places(definition.tasks, None)}


def successor(flow: Flow, reference_name: str) -> WorkflowTask | None:
    """Return the task to schedule after `reference_name` ended, or None at the end of the run.

    At the end of a branch it is whatever follows the branching task; tasks that are not in the definition have none.
    """
    place = flow.get(reference_name)
    while place is not None:
        if place.task.type == "TERMINATE":
            return None
        if place.index + 1 < len(place.siblings):
            return place.siblings[place.index + 1]
        place = flow[place.container.task_reference_name] if place.container is not None else None
    return None


def _places(tasks: tuple[WorkflowTask, ...], container: WorkflowTask | None) -> Iterator[Place]:
    for index, task in enumerate(tasks):
        yield Place(task, tasks, index, container)
        for children in task.child_lists():
            yield from _places(children, task)
