"""How the search indexes are read: newest or oldest first, as few entries as the reader takes.

An index key names everything it narrows by, so that a query reads entries of matching runs only: by status; by type and status; by host
and status; by correlation id; by parent. Top-level runs and children stand in shards of their own.
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.schema import CORRELATION_INDEX, HOST_INDEX, PARENT_INDEX, SEARCH_INDEX, TYPE_INDEX
from fermata.adapters.dynamodb.table import Item, Table, text
from fermata.domain.executions import Workflow
from fermata.domain.searching.conditions import UNKNOWN, Fact, Facts, Several
from fermata.domain.searching.fields import CORRELATION_ID, PARENT, STATUS, VENDOR_HOST, WORKFLOW_TYPE
from fermata.domain.searching.narrowing import Box
from fermata.domain.status import WorkflowStatus
from fermata.wire.records import epoch_ms
from fermata.wire.search_facts import run_facts
from fermata.wire.summaries import CLASSIFIER

FIRST_PAGE, LARGEST_PAGE = 25, 1000  # entries in one Query; about twenty-five cost half a read unit


@dataclass(frozen=True)
class Entry:
    """`place` orders entries by start, then by id. `run` is set where the row has been read, without the payloads that it left out."""

    place: str
    workflow_id: str
    facts: Facts
    run: Workflow | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Partition:
    index: str
    attribute: str
    value: str


def partitions(box: Box) -> Sequence[Partition]:
    """Return the index partitions that hold every run of a box, by the key that narrows most."""
    correlations, parents = box.texts.get(CORRELATION_ID.name), box.texts.get(PARENT.name)
    if correlations is not None:
        return [Partition(CORRELATION_INDEX, "ck", keys.correlation_partition(each)) for each in sorted(correlations) if each]
    if parents is not None and "" not in parents:
        return [Partition(PARENT_INDEX, "pw", each) for each in sorted(parents) if keys.can_be_in_key(each)]
    hosts = box.texts.get(VENDOR_HOST.name)
    shards = keys.TOP_LEVEL_SHARDS if parents == frozenset({""}) else keys.ALL_SHARDS
    statuses = sorted(box.texts.get(STATUS.name, frozenset(WorkflowStatus)))
    if hosts is not None:
        of_host = product(_names(hosts), [*statuses, keys.ANY_STATUS], shards)
        return [Partition(HOST_INDEX, "vh", keys.host_partition(*each)) for each in of_host]
    types = box.texts.get(WORKFLOW_TYPE.name)
    if types is None:
        return [Partition(SEARCH_INDEX, "sh", keys.status_partition(*each)) for each in product(statuses, shards)]
    return [Partition(TYPE_INDEX, "th", keys.type_partition(*each)) for each in product(_names(types), statuses, shards)]


def _names(types: frozenset[str]) -> Sequence[str]:
    return [each for each in sorted(types) if keys.can_be_in_key(each)]


def merged(streams: Sequence[Iterator[Entry]], *, newest: bool) -> Iterator[Entry]:
    """Yield the entries of several streams in order, each run once."""
    place = ""
    for entry in heapq.merge(*streams, key=lambda entry: entry.place, reverse=newest):
        if entry.place != place:
            yield entry
        place = entry.place


def entries_of(table: Table, partition: Partition, box: Box, after: str | None, *, newest: bool) -> Iterator[Entry]:
    """Yield a partition's entries, from the place `after` on where there is one.

    The first page is small, for most readers take few; each further one is twice as large.
    """
    condition = f"{partition.attribute} = :partition AND st BETWEEN :after AND :before"
    low, high = keys.search_place(box.after, ""), keys.search_place(box.before, keys.LAST_ID)
    if after is not None:
        low, high = (low, min(high, after)) if newest else (max(low, after), high)
    if low > high:  # DynamoDB refuses such bounds
        return
    values = {":partition": text(partition.value), ":after": text(low), ":before": text(high)}
    limit, start = FIRST_PAGE, dict[str, Item]()
    while True:
        options = {"IndexName": partition.index, "ScanIndexForward": not newest, "Limit": limit, **start}
        page = next(table.pages(condition, values, **options))
        yield from map(_entry, page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        limit, start = min(2 * limit, LARGEST_PAGE), {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def read_entry(run: Workflow, left_out: Mapping[str, int]) -> Entry:
    """Return the entry of a run whose row has been read: it knows everything but what is left out."""
    return Entry(keys.search_place(epoch_ms(run.create_time), run.workflow_id), run.workflow_id, run_facts(run), run, left_out)


def _entry(item: Item) -> Entry:
    known = _known(item) if "ss" in item else _known_of_a_further_host(item)
    if "vh" in item:
        known = {**known, VENDOR_HOST.name: Several((item["vh"]["S"].partition("#")[0],), complete=False)}
    workflow_id = item["pk"]["S"].removeprefix(keys.run_partition(""))
    facts = {**known, "workflowId": workflow_id}
    return Entry(item["st"]["S"], workflow_id, lambda name: facts.get(name, UNKNOWN))


def _known_of_a_further_host(item: Item) -> Mapping[str, Fact]:
    """Return what never changes in a run: that is all that such a row tells."""
    top_level = int(item["vh"]["S"].rpartition("#")[2]) in keys.TOP_LEVEL_SHARDS
    return {
        "workflowType": item["wt"]["S"],
        "version": int(item["vn"]["N"]),
        "correlationId": item["ci"]["S"] if "ci" in item else None,
        "startTime": keys.search_moment(item["st"]["S"]),
        "classifier": CLASSIFIER,
        **({"parentWorkflowId": None} if top_level else {}),
    }


def _known(item: Item) -> Mapping[str, Fact]:
    start, end = keys.search_moment(item["st"]["S"]), int(item["et"]["N"]) if "et" in item else None
    return {
        "workflowType": item["wt"]["S"],
        "version": int(item["vn"]["N"]),
        "status": item["ss"]["S"],
        "correlationId": item["ci"]["S"] if "ci" in item else None,
        "parentWorkflowId": item["pw"]["S"] if "pw" in item else None,
        "startTime": start,
        "endTime": end,
        "executionTime": end - start if end else 0,
        "classifier": CLASSIFIER,
    }
