"""Registered metadata and pinned snapshots, in memory."""

import threading
from collections.abc import Collection, Mapping, Sequence

from fermata.domain.definitions import TaskDefinition, WorkflowDefinition
from fermata.domain.errors import EngineBug
from fermata.domain.ids import content_hash


class MemoryDefinitions:
    """A `Definitions`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._workflows: dict[tuple[str, int], WorkflowDefinition] = {}
        self._tasks: dict[str, TaskDefinition] = {}
        self._pinned: dict[str, WorkflowDefinition] = {}

    def put_workflow(self, definition: WorkflowDefinition, *, overwrite: bool) -> bool:
        key = (definition.name, definition.version)
        with self._lock:
            if key in self._workflows and not overwrite:
                return False
            self._workflows[key] = definition
            return True

    def get_workflow(self, name: str, version: int | None = None) -> WorkflowDefinition | None:
        with self._lock:
            if version is not None:
                return self._workflows.get((name, version))
            versions = [key for key in self._workflows if key[0] == name]
            return self._workflows[max(versions)] if versions else None

    def list_workflows(self, prefix: str = "") -> Sequence[WorkflowDefinition]:
        with self._lock:
            return [self._workflows[key] for key in sorted(self._workflows) if key[0].startswith(prefix)]

    def delete_workflow(self, name: str, version: int) -> bool:
        with self._lock:
            return self._workflows.pop((name, version), None) is not None

    def put_task(self, definition: TaskDefinition) -> None:
        with self._lock:
            self._tasks[definition.name] = definition

    def get_task(self, name: str) -> TaskDefinition | None:
        with self._lock:
            return self._tasks.get(name)

    def list_tasks(self) -> Sequence[TaskDefinition]:
        with self._lock:
            return [self._tasks[name] for name in sorted(self._tasks)]

    def delete_task(self, name: str) -> bool:
        with self._lock:
            return self._tasks.pop(name, None) is not None

    def pin(self, definition: WorkflowDefinition) -> str:
        key = content_hash(repr(definition).encode())
        with self._lock:
            self._pinned.setdefault(key, definition)
        return key

    def pinned(self, key: str) -> WorkflowDefinition:
        with self._lock:
            definition = self._pinned.get(key)
        if definition is None:
            raise EngineBug(f"There is no definition snapshot {key}: a run names one that was never stored.")
        return definition

    def pinned_all(self, wanted: Collection[str]) -> Mapping[str, WorkflowDefinition]:
        return {key: self.pinned(key) for key in wanted}
