"""Finding runs, newest first, by an index that is written when a run starts and when its status changes."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.content import Content
from fermata.adapters.dynamodb.schema import SEARCH_INDEX
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.domain.executions import Workflow
from fermata.ports import WorkflowPage, WorkflowQuery
from fermata.wire.records import epoch_ms

# A search looks at no more than about this many index entries a shard, the newest of the time range: about 40 read units a shard.
# `total_hits` counts what matched among them. Older runs are found by narrowing the time range.
EXAMINED_PER_SHARD = 2500

_FIRST = datetime.fromtimestamp(0, UTC)
_LAST = datetime(9999, 1, 1, tzinfo=UTC)


class Search:
    def __init__(self, table: Table, content: Content) -> None:
        self._table = table
        self._content = content

    def find(self, query: WorkflowQuery) -> WorkflowPage:
        if query.workflow_id is not None:
            return self._one(query, query.workflow_id)
        condition, values = _condition(query)
        hits = [hit for shard in range(keys.SEARCH_SHARDS) for hit in self._shard(shard, condition, values)]
        hits.sort(key=lambda hit: (int(hit["st"]["N"]), hit["pk"]["S"]), reverse=True)
        return WorkflowPage(len(hits), self._runs(hits[query.start : query.start + query.size]))

    def _one(self, query: WorkflowQuery, workflow_id: str) -> WorkflowPage:
        item = self._table.get(keys.run(workflow_id), only="b, o")
        run = None if item is None else self._content.value(Workflow, item)
        if run is None or not _matches(query, run):
            return WorkflowPage(0, ())
        return WorkflowPage(1, (run,)[query.start : query.start + query.size])

    def _shard(self, shard: int, filter_by: str | None, values: Item) -> Sequence[Item]:
        options = {"IndexName": SEARCH_INDEX, "ScanIndexForward": False, "Limit": EXAMINED_PER_SHARD}
        if filter_by:
            options["FilterExpression"] = filter_by
        hits: list[Item] = []
        examined = 0
        condition = "sh = :shard AND st BETWEEN :after AND :before"
        for page in self._table.pages(condition, {":shard": text(f"run#{shard}"), **values}, **options):
            hits.extend(page["Items"])
            examined += page["ScannedCount"]
            if examined >= EXAMINED_PER_SHARD:
                break
        return hits

    def _runs(self, hits: Sequence[Item]) -> Sequence[Workflow]:
        """Load the rows of a page, in its order. Only now is more than the index read."""
        wanted = [keys.key(*keys.identity(hit)) for hit in hits]
        rows = {keys.identity(item): self._content.value(Workflow, item) for item in self._table.batch_get(wanted, only="pk, sk, b, o")}
        return [rows[keys.identity(hit)] for hit in hits if keys.identity(hit) in rows]


def _condition(query: WorkflowQuery) -> tuple[str | None, dict[str, Mapping[str, str]]]:
    """Return the filter over index entries, or None for all, and the values it and the time range use."""
    values = {
        ":after": number(epoch_ms(query.started_after or _FIRST)),
        ":before": number(epoch_ms(query.started_before or _LAST)),
    }
    parts = []
    for attribute, wanted in (("wt", query.workflow_type), ("ci", query.correlation_id)):
        if wanted is not None:
            parts.append(f"{attribute} = :{attribute}")
            values[f":{attribute}"] = text(wanted)
    if query.statuses:
        names = {f":ss{index}": text(status) for index, status in enumerate(query.statuses)}
        parts.append(f"ss IN ({', '.join(names)})")
        values |= names
    return " AND ".join(parts) or None, values


def _matches(query: WorkflowQuery, run: Workflow) -> bool:
    return (
        query.workflow_type in (None, run.workflow_name)
        and query.correlation_id in (None, run.correlation_id)
        and (not query.statuses or run.status in query.statuses)
        and (query.started_after or _FIRST) <= run.create_time <= (query.started_before or _LAST)
    )
