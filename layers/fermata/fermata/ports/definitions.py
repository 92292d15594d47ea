"""Where definitions are registered and pinned."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from fermata.domain.definitions import TaskDefinition, WorkflowDefinition


class Definitions(Protocol):
    """Registered metadata, and the snapshots that runs pin."""

    def put_workflow(self, definition: WorkflowDefinition, *, overwrite: bool) -> bool:
        """Store name+version. Return False, storing nothing, when it exists and `overwrite` is false."""

    def get_workflow(self, name: str, version: int | None = None) -> WorkflowDefinition | None:
        """Return that version, or the highest one."""

    def list_workflows(self, prefix: str = "") -> Sequence[WorkflowDefinition]:
        """Return every version of every definition whose name begins so, by name then version. Others are not read."""

    def delete_workflow(self, name: str, version: int) -> bool:
        """Return False when there was none."""

    def put_task(self, definition: TaskDefinition) -> None: ...

    def get_task(self, name: str) -> TaskDefinition | None: ...

    def list_tasks(self) -> Sequence[TaskDefinition]: ...

    def delete_task(self, name: str) -> bool:
        """Return False when there was none."""

    def pin(self, definition: WorkflowDefinition) -> str:
        """Store a snapshot and return its key: equal definitions have an equal key and are stored once. Safe to repeat."""

    def pinned(self, key: str) -> WorkflowDefinition:
        """Return a snapshot. Raises `EngineBug` when there is none."""

    def pinned_all(self, wanted: Collection[str]) -> Mapping[str, WorkflowDefinition]:
        """Return several snapshots by key, at once. Raises `EngineBug` when one is missing."""
