"""Definitions by name and version, their catalogue, and the snapshots that runs pin."""

import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.adapters.remembered import Remembered
from fermata.domain.definitions import TaskDefinition, WorkflowDefinition
from fermata.domain.errors import EngineBug, PayloadTooLarge
from fermata.domain.ids import content_hash
from fermata.wire import records

T = TypeVar("T")

MAX_BYTES = 380 * 1024  # an item holds 400 KB
COMPRESSED_FROM = 4 * 1024  # a write unit a KB: from here on the time to compress is well spent
REMEMBERED_SNAPSHOTS = 200

ONLY_NEW = "attribute_not_exists(pk)"


class DynamoDefinitions:
    """A `Definitions`. The catalogue names everything registered in one partition, so a list reads that and no table scan is needed.

    A name enters the catalogue before its definition is stored and leaves it after; one that points nowhere is passed over.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._snapshots: Remembered[str, WorkflowDefinition] = Remembered(REMEMBERED_SNAPSHOTS)

    def put_workflow(self, definition: WorkflowDefinition, *, overwrite: bool) -> bool:
        item = {**keys.definition(definition.name, definition.version), **_body(definition)}
        self._table.put(_workflow_entry(definition.name, definition.version))
        return self._table.put(item, None if overwrite else ONLY_NEW) is None

    def get_workflow(self, name: str, version: int | None = None) -> WorkflowDefinition | None:
        item = self._highest(name) if version is None else self._table.get(keys.definition(name, version))
        return None if item is None else _loaded(WorkflowDefinition, item)

    def _highest(self, name: str) -> Item | None:
        values = {":name": keys.definition(name, 0)["pk"]}
        return next(self._table.query("pk = :name", values, ScanIndexForward=False, Limit=1), None)

    def list_workflows(self, prefix: str = "") -> Sequence[WorkflowDefinition]:
        named = [keys.definition(entry["nm"]["S"], int(entry["vn"]["N"])) for entry in self._catalogue(f"W#{prefix}")]
        found = [_loaded(WorkflowDefinition, item) for item in self._table.batch_get(named)]
        return sorted(found, key=lambda definition: (definition.name, definition.version))

    def delete_workflow(self, name: str, version: int) -> bool:
        existed = self._table.delete(keys.definition(name, version))
        self._table.delete(_key_of(_workflow_entry(name, version)))
        return existed

    def put_task(self, definition: TaskDefinition) -> None:
        self._table.put(_task_entry(definition.name))
        self._table.put({**keys.task_definition(definition.name), **_body(definition)})

    def get_task(self, name: str) -> TaskDefinition | None:
        item = self._table.get(keys.task_definition(name))
        return None if item is None else _loaded(TaskDefinition, item)

    def list_tasks(self) -> Sequence[TaskDefinition]:
        named = [keys.task_definition(entry["nm"]["S"]) for entry in self._catalogue("T#")]
        found = [_loaded(TaskDefinition, item) for item in self._table.batch_get(named)]
        return sorted(found, key=lambda definition: definition.name)

    def delete_task(self, name: str) -> bool:
        existed = self._table.delete(keys.task_definition(name))
        self._table.delete(_key_of(_task_entry(name)))
        return existed

    def pin(self, definition: WorkflowDefinition) -> str:
        key = content_hash(records.dump(definition))
        if self._snapshots.get(key) is None:
            self._table.put({**keys.snapshot(key), **_body(definition)}, ONLY_NEW)
            self._snapshots.put(key, definition)
        return key

    def pinned(self, key: str) -> WorkflowDefinition:
        definition = self._snapshots.get(key)
        if definition is None:
            item = self._table.get(keys.snapshot(key))
            if item is None:
                raise _never_stored(key)
            definition = _loaded(WorkflowDefinition, item)
            self._snapshots.put(key, definition)
        return definition

    def pinned_all(self, wanted: Collection[str]) -> Mapping[str, WorkflowDefinition]:
        known = {key: found for key in wanted if (found := self._snapshots.get(key)) is not None}
        for item in self._table.batch_get([keys.snapshot(key) for key in dict.fromkeys(wanted) if key not in known]):
            key = item["pk"]["S"].removeprefix(keys.snapshot("")["pk"]["S"])
            known[key] = _loaded(WorkflowDefinition, item)
            self._snapshots.put(key, known[key])
        if missing := [key for key in wanted if key not in known]:
            raise _never_stored(missing[0])
        return known

    def _catalogue(self, kind: str) -> Iterator[Item]:
        values = {":catalogue": text(keys.CATALOGUE), ":kind": text(kind)}
        return self._table.query("pk = :catalogue AND begins_with(sk, :kind)", values)


def _never_stored(key: str) -> EngineBug:
    return EngineBug(f"There is no definition snapshot {key}: a run names one that was never stored.")


def _body(definition: WorkflowDefinition | TaskDefinition) -> Item:
    """Return the attribute that holds a definition: `b` as it is, `z` compressed. Long ones repeat themselves and shrink to a tenth."""
    content = records.dump(definition)
    if len(content) <= COMPRESSED_FROM:
        return {"b": {"B": content}}
    packed = zlib.compress(content)
    if len(packed) > MAX_BYTES:
        raise PayloadTooLarge(f"The definition {definition.name} has {len(packed)} bytes compressed; at most {MAX_BYTES} can be stored.")
    return {"z": {"B": packed}}


def _loaded(cls: type[T], item: Item) -> T:
    return records.load(cls, zlib.decompress(item["z"]["B"]) if "z" in item else item["b"]["B"])


def _workflow_entry(name: str, version: int) -> dict[str, Any]:
    return {**keys.key(keys.CATALOGUE, f"W#{name}#{version:010d}"), "nm": text(name), "vn": number(version)}


def _task_entry(name: str) -> dict[str, Any]:
    return {**keys.key(keys.CATALOGUE, f"T#{name}"), "nm": text(name)}


def _key_of(item: Item) -> keys.Key:
    return keys.key(*keys.identity(item))
