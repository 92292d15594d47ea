"""Workers' queues: a row for each SIMPLE attempt, in the partition of its run, found by workers through the sparse index `queue`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.content import Content, present
from fermata.adapters.dynamodb.due_index import due_attributes
from fermata.adapters.dynamodb.schema import QUEUE_INDEX
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.adapters.remembered import Remembered
from fermata.domain.timeouts import SWEEP_GRACE
from fermata.domain.work_limiting import Limiter
from fermata.domain.working import WorkerQueue, WorkItem, WorkKey, domain_of, may_be_taken, next_look
from fermata.ports import Payloads
from fermata.wire import records
from fermata.wire.records import epoch_ms, moment

NOTE_EVERY = timedelta(seconds=1)  # a worker that asks ten times a second is not noted ten times a second
KNOWN_QUEUES = 1000


class DynamoWorkQueue:
    """A `WorkQueue`. A hand-out is one conditional write of a small row.

    `dk` and `dt` stay as they are while the row moves, as with polls: the sweeper itself moves them on.
    """

    def __init__(self, table: Table, payloads: Payloads) -> None:
        self._table = table
        self._content = Content(payloads)
        self._known: Remembered[str, bool] = Remembered(KNOWN_QUEUES)
        self._noted: dict[str, datetime] = {}

    def open(self, item: WorkItem) -> None:
        self._know(WorkerQueue(item.task_name, domain_of(item.queue, item.task_name)))
        due = due_attributes(item.workflow_id, next_look(item, item.visible_at, SWEEP_GRACE))
        row = {**keys.work(item.workflow_id, item.task_id), **self._attributes(item), **due}
        self._table.put(present(row), "attribute_not_exists(pk)")

    def load(self, wanted: Collection[WorkKey]) -> Mapping[str, WorkItem]:
        rows = self._table.batch_get([keys.work(key.workflow_id, key.task_id) for key in dict.fromkeys(wanted)])
        return {item.task_id: item for item in map(self._item, rows)}

    def move(self, after: WorkItem) -> bool:
        condition, values = "n = :before AND attribute_not_exists(c)", {":before": number(after.version - 1)}
        key = keys.work(after.workflow_id, after.task_id)
        return self._table.update(key, self._attributes(after), condition, values) is not None

    def close(self, key: WorkKey) -> None:
        closed = {"c": number(1), "qk": None, "qt": None, "dk": None, "dt": None}
        self._table.update(keys.work(key.workflow_id, key.task_id), closed, "attribute_exists(dk)", {})

    def remove(self, key: WorkKey) -> None:
        self._table.delete(keys.work(key.workflow_id, key.task_id))

    def waiting(self, queue: str, now: datetime, limit: int, at_once: int | None = None) -> Iterator[WorkItem]:
        """Read the index for `limit`, but only `at_once` rows of what it names: each is a read unit, and mostly they are enough."""
        found = sorted(self._waiting(queue, now, limit), key=lambda entry: (int(entry["qt"]["N"]), keys.identity(entry)))
        first = limit if at_once is None else at_once
        for some in (found[:first], found[first:]):
            rows = self._table.batch_get([keys.key(*keys.identity(entry)) for entry in some])
            taken = [item for item in map(self._item, rows) if may_be_taken(item, now)]
            yield from sorted(taken, key=lambda item: (item.visible_at, item.task_id))

    def _waiting(self, queue: str, now: datetime, limit: int) -> Sequence[Item]:
        """Read shard after shard, beginning with one that the moment chooses, until enough is found."""
        found: list[Item] = []
        for turn in range(keys.QUEUE_SHARDS):
            if len(found) < limit:
                shard = keys.queue_shard(queue, (epoch_ms(now) + turn) % keys.QUEUE_SHARDS)
                values = {":shard": text(shard), ":now": number(epoch_ms(now))}
                pages = self._table.pages("qk = :shard AND qt <= :now", values, IndexName=QUEUE_INDEX, Limit=limit - len(found))
                found += next(pages)["Items"]
        return found

    def sizes(self, queues: Collection[str]) -> Mapping[str, int]:
        """Count in the index: half a read unit for about forty attempts that wait."""
        asked = dict.fromkeys(queues)
        return {queue: sum(self._count(keys.queue_shard(queue, shard)) for shard in range(keys.QUEUE_SHARDS)) for queue in asked}

    def queues(self) -> Sequence[WorkerQueue]:
        rows = self._table.query("pk = :queues", {":queues": text(keys.QUEUES)})
        return sorted(map(_queue, rows), key=lambda queue: queue.name)

    def note_poll(self, queue: WorkerQueue) -> None:
        noted = self._noted.get(queue.name)
        if queue.last_poll is None or (noted is not None and queue.last_poll - noted < NOTE_EVERY):
            return
        self._noted[queue.name] = queue.last_poll
        self._table.put(_queue_row(queue))

    def last_polls(self, queues: Collection[str]) -> Mapping[str, datetime | None]:
        rows = self._table.batch_get([keys.worker_queue(queue) for queue in dict.fromkeys(queues)])
        known = {queue.name: queue.last_poll for queue in map(_queue, rows)}
        return {queue: known.get(queue) for queue in queues}

    def limiter(self, name: str) -> Limiter:
        row = self._table.get(keys.limiter(name))
        return Limiter(name) if row is None else records.load(Limiter, row["b"]["B"])

    def limit(self, after: Limiter) -> bool:
        row = {**keys.limiter(after.name), "b": {"B": records.dump(after)}, "n": number(after.version)}
        if after.version == 1:
            return self._table.put(row, "attribute_not_exists(pk)") is None
        return self._table.put(row, "n = :before", {":before": number(after.version - 1)}) is None

    def _attributes(self, item: WorkItem) -> dict[str, Item | None]:
        waits = item.is_open and not item.claimed
        return {
            **self._content.attributes(item.workflow_id, item, ("output",)),
            "n": number(item.version),
            "qk": text(keys.queue_shard_of(item.queue, item.task_id)) if waits else None,
            "qt": number(epoch_ms(item.visible_at)) if waits else None,
        }

    def _item(self, row: Item) -> WorkItem:
        return replace(self._content.value(WorkItem, row), is_open="c" not in row)

    def _count(self, shard: str) -> int:
        pages: Iterator[Mapping[str, int]] = self._table.pages(
            "qk = :shard", {":shard": text(shard)}, IndexName=QUEUE_INDEX, Select="COUNT"
        )
        return sum(page["Count"] for page in pages)

    def _know(self, queue: WorkerQueue) -> None:
        if self._known.get(queue.name) is None:
            self._table.put(_queue_row(queue), "attribute_not_exists(pk)")
            self._known.put(queue.name, value=True)


def _queue_row(queue: WorkerQueue) -> dict[str, Item]:
    row = {
        **keys.worker_queue(queue.name),
        "wt": text(queue.task_type),
        "do": text(queue.domain) if queue.domain else None,
        "wi": text(queue.worker_id) if queue.worker_id else None,
        "at": number(epoch_ms(queue.last_poll)) if queue.last_poll else None,
    }
    return present(row)


def _queue(row: Item) -> WorkerQueue:
    last_poll = moment(int(row["at"]["N"])) if "at" in row else None
    return WorkerQueue(row["wt"]["S"], row.get("do", {}).get("S"), row.get("wi", {}).get("S"), last_poll)
