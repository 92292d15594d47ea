"""What workers write about their tasks, in the partition of the run."""

from collections.abc import Iterator, Sequence

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.content import INLINE_BYTES, Content
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.domain.ids import content_hash
from fermata.domain.working import LogEntry, WorkKey
from fermata.ports import Payloads
from fermata.wire.records import epoch_ms, moment


class DynamoTaskLogs:
    """A `TaskLogs`. A row's key is the entry's moment and content: writing it twice writes the same."""

    def __init__(self, table: Table, payloads: Payloads) -> None:
        self._table = table
        self._content = Content(payloads)

    def append(self, key: WorkKey, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            content = entry.log.encode(errors="replace")
            row = keys.log(key.workflow_id, key.task_id, epoch_ms(entry.at), content_hash(content))
            self._table.put({**row, "b": self._content.whole(key.workflow_id, content, INLINE_BYTES), "at": number(epoch_ms(entry.at))})

    def read(self, key: WorkKey) -> Sequence[LogEntry]:
        return [LogEntry(self._content.bytes_of(row["b"]).decode(), moment(int(row["at"]["N"]))) for row in self._rows(key)]

    def remove(self, key: WorkKey) -> None:
        for row in list(self._rows(key, ProjectionExpression="pk, sk")):
            self._table.delete(keys.key(*keys.identity(row)))

    def _rows(self, key: WorkKey, **options: str) -> Iterator[Item]:
        values = {":run": text(keys.run_partition(key.workflow_id)), ":logs": text(keys.logs(key.task_id))}
        return self._table.query("pk = :run AND begins_with(sk, :logs)", values, **options)
