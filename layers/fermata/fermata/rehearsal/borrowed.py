"""Definitions read from a real store; what a rehearsal pins stays in memory."""

from collections.abc import Collection, Mapping, Sequence

from fermata.adapters.memory.definitions import MemoryDefinitions
from fermata.domain.definitions import TaskDefinition, WorkflowDefinition
from fermata.domain.errors import EngineBug
from fermata.ports import Definitions


class BorrowedDefinitions:
    """A `Definitions` whose metadata belongs to another: it is read and never written."""

    def __init__(self, lender: Definitions) -> None:
        self._lender = lender
        self._pins = MemoryDefinitions()

    def get_workflow(self, name: str, version: int | None = None) -> WorkflowDefinition | None:
        return self._lender.get_workflow(name, version)

    def list_workflows(self, prefix: str = "") -> Sequence[WorkflowDefinition]:
        return self._lender.list_workflows(prefix)

    def get_task(self, name: str) -> TaskDefinition | None:
        return self._lender.get_task(name)

    def list_tasks(self) -> Sequence[TaskDefinition]:
        return self._lender.list_tasks()

    def pin(self, definition: WorkflowDefinition) -> str:
        return self._pins.pin(definition)

    def pinned(self, key: str) -> WorkflowDefinition:
        return self._pins.pinned(key)

    def pinned_all(self, wanted: Collection[str]) -> Mapping[str, WorkflowDefinition]:
        return self._pins.pinned_all(wanted)

    def put_workflow(self, definition: WorkflowDefinition, *, overwrite: bool) -> bool:  # noqa: ARG002 - the port's signature
        raise _only_read(definition.name)

    def delete_workflow(self, name: str, version: int) -> bool:  # noqa: ARG002 - the port's signature
        raise _only_read(name)

    def put_task(self, definition: TaskDefinition) -> None:
        raise _only_read(definition.name)

    def delete_task(self, name: str) -> bool:
        raise _only_read(name)


def _only_read(name: str) -> EngineBug:
    return EngineBug(f"a rehearsal wanted to change the registered definition {name}")
