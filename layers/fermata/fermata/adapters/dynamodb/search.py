"""Finding runs: index entries in order, rows only where an entry does not tell, and never more than one search may look at."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.content import Content
from fermata.adapters.dynamodb.search_index import Entry, entries_of, merged, partitions, read_entry
from fermata.adapters.dynamodb.search_rows import SearchLimits
from fermata.adapters.dynamodb.table import Item, Table
from fermata.domain.errors import SearchTooBroad
from fermata.domain.executions import Workflow
from fermata.domain.searching.conditions import UNKNOWN, Kind
from fermata.domain.searching.fields import WORKFLOW_ID
from fermata.domain.searching.judging import judge
from fermata.domain.searching.narrowing import boxes, fields_in
from fermata.domain.searching.ordering import newest_first, ordered
from fermata.ports import WorkflowPage, WorkflowQuery
from fermata.ports.queries import Place

CHUNK = 100  # entries judged together: as many as one BatchGetItem reads


@dataclass(frozen=True)
class _Found:
    hits: Sequence[Entry]
    complete: bool


class Search:
    def __init__(self, table: Table, content: Content, limits: SearchLimits) -> None:
        self._table = table
        self._content = content
        self._limits = limits

    def find(self, query: WorkflowQuery) -> WorkflowPage:
        newest, needed = newest_first(query.order), query.start + query.size
        entries = merged(self._streams(query, newest=newest is not False), newest=newest is not False)
        found = self._found(query, _behind(entries, query, newest=newest is not False))
        if not found.complete and (newest is None or len(found.hits) < needed):
            raise _too_broad(f"looks at more than {self._limits.entries} runs, or reads more than {self._limits.rows} whole")
        ranked = ordered(found.hits, query.order, lambda entry: entry.facts) if newest is None else found.hits
        page = self._page(ranked[query.start : needed])
        left_out = {entry.workflow_id: entry.left_out for entry in page if entry.left_out}
        more = newest is not None and query.size and (len(ranked) > needed or (len(ranked) == needed and not found.complete))
        last = keys.search_start(ranked[needed - 1].place) if more else None
        return WorkflowPage(len(ranked), [entry.run for entry in page if entry.run], found.complete, left_out, last and Place(*last))

    def _streams(self, query: WorkflowQuery, *, newest: bool) -> Sequence[Iterator[Entry]]:
        looked_in = boxes(query.wanted)
        ids = {each for box in looked_in for each in box.texts.get(WORKFLOW_ID.name, ()) if keys.can_be_in_key(each)}
        wanted = [(partition, box) for box in looked_in if WORKFLOW_ID.name not in box.texts for partition in partitions(box)]
        if len(wanted) > self._limits.partitions or len(ids) > self._limits.rows:
            raise _too_broad(f"combines {len(wanted) + len(ids)} types, statuses and ids")
        known = sorted(self._rows(ids, query).values(), key=lambda entry: entry.place, reverse=newest)
        after = keys.search_place(query.after.start, query.after.workflow_id) if query.after else None
        return [iter(known), *(entries_of(self._table, partition, box, after, newest=newest) for partition, box in wanted)]

    def _found(self, query: WorkflowQuery, entries: Iterator[Entry]) -> _Found:
        """Take entries until the page is full and enough are counted, or as many have been looked at as may be."""
        hits: list[Entry] = []
        examined = rows = 0
        while chunk := list(islice(entries, CHUNK)):
            read = self._read(query, chunk)
            hits += [entry for entry in read if judge(query.wanted, entry.facts)]
            examined, rows = examined + len(chunk), rows + sum(entry.run is not None for entry in read)
            full = newest_first(query.order) is not None and len(hits) >= query.start + query.size
            counted = 0 if query.after else self._limits.counted  # who goes on from a place was told how many there are
            if rows >= self._limits.rows or examined >= (counted if full else self._limits.entries):
                return _Found(hits, complete=next(entries, None) is None)
        return _Found(hits, complete=True)

    def _read(self, query: WorkflowQuery, chunk: Sequence[Entry]) -> Sequence[Entry]:
        """Return the entries that may match, each with its row where the entry alone cannot tell. Rows that are gone are left out."""
        judged = [(entry, judge(query.wanted, entry.facts)) for entry in chunk]
        possible = [(entry, verdict is None or _unranked(query, entry)) for entry, verdict in judged if verdict is not False]
        rows = self._rows([entry.workflow_id for entry, unsure in possible if unsure], query)
        found = [(entry, rows.get(entry.workflow_id), unsure) for entry, unsure in possible]
        return [replace(row, place=entry.place) if row else entry for entry, row, unsure in found if row or not unsure]

    def _page(self, page: Sequence[Entry]) -> Sequence[Entry]:
        """Return the entries of a page, each with its row. Rows that are gone are left out."""
        rows = self._rows([entry.workflow_id for entry in page if entry.run is None])
        known = [entry if entry.run else rows.get(entry.workflow_id) for entry in page]
        return [entry for entry in known if entry]

    def _rows(self, workflow_ids: Collection[str], judged_by: WorkflowQuery | None = None) -> dict[str, Entry]:
        """Read rows. Payloads kept apart are read only where a condition looks into them."""
        whole = judged_by is not None and any(field.kind is Kind.CONTENT for field in fields_in(judged_by.wanted))
        found = self._table.batch_get([keys.run(each) for each in workflow_ids], only="pk, sk, b, o")
        entries = [self._entry(item, whole=whole) for item in found]
        return {entry.workflow_id: entry for entry in entries}

    def _entry(self, item: Item, *, whole: bool) -> Entry:
        return read_entry(self._content.value(Workflow, item), {}) if whole else read_entry(*self._content.inline(Workflow, item))


def _behind(entries: Iterator[Entry], query: WorkflowQuery, *, newest: bool) -> Iterator[Entry]:
    if query.after is None:
        return entries
    place = keys.search_place(query.after.start, query.after.workflow_id)
    return (entry for entry in entries if (entry.place < place if newest else entry.place > place))


def _unranked(query: WorkflowQuery, entry: Entry) -> bool:
    return any(entry.facts(order.field.name) is UNKNOWN for order in query.order)


def _too_broad(what: str) -> SearchTooBroad:
    return SearchTooBroad(
        f"This search {what}, more than one search may. Narrow it by workflowId, correlationId, parentWorkflowId, "
        "workflowType, status or a startTime range, which have indexes; sorting by startTime needs the least."
    )
