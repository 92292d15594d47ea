"""What a check looks at, and what it says."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from fermata.domain.definitions import WorkflowDefinition, WorkflowTask
from fermata.domain.flow import Flow, Place
from fermata.domain.places import located_tasks


@dataclass(frozen=True)
class DefinitionWarning:
    """One thing to think about: where (`tasks[0].joinOn`), what, and a word for programs that never changes."""

    path: str
    message: str
    code: str


@dataclass(frozen=True)
class Subject:
    """A definition that registration accepts, each step's task definition embedded as a run would have it.

    `min_poll_interval` is the server's floor of every `pollingInterval`.
    """

    definition: WorkflowDefinition
    min_poll_interval: timedelta

    @property
    def flow(self) -> Flow:
        return self.definition.flow

    @cached_property
    def located(self) -> tuple[tuple[WorkflowTask, str], ...]:
        """Return every task with its path, in the order of the text."""
        return tuple(located_tasks(self.definition.tasks))

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """Return the path of every task by its reference name."""
        return {task.task_reference_name: path for task, path in self.located}

    def chain(self, reference_name: str) -> tuple[Place, ...]:
        """Return the places from the top level down to a task."""
        place: Place | None = self.flow.places[reference_name]
        found: list[Place] = []
        while place is not None:
            found.append(place)
            place = self.flow.places[place.container.task_reference_name] if place.container else None
        return tuple(reversed(found))
