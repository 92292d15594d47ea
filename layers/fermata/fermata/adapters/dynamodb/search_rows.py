"""What a run's row carries for the search indexes, and how much one search may look at. Every door writes this; only `api` searches."""

from dataclasses import dataclass

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.table import Item, number, text
from fermata.domain.executions import Workflow
from fermata.wire.records import epoch_ms


@dataclass(frozen=True)
class SearchLimits:
    """Of index entries (about forty to a read unit) and of rows (one read unit or more each)."""

    entries: int = 10_000  # to fill a page
    counted: int = 1_000  # before counting stops, once the page is full
    rows: int = 500
    partitions: int = 240  # ten types in every status


DEFAULT_LIMITS = SearchLimits()


def search_attributes(run: Workflow) -> dict[str, Item | None]:
    shard = keys.search_shard(run.workflow_id, run.parent_workflow_id)
    return {
        "st": text(keys.search_place(epoch_ms(run.create_time), run.workflow_id)),
        "sh": text(keys.status_partition(run.status, shard)),
        "th": text(keys.type_partition(run.workflow_name, run.status, shard)),
        "ck": text(keys.correlation_partition(run.correlation_id)) if run.correlation_id else None,
        "pw": text(run.parent_workflow_id) if run.parent_workflow_id else None,
        "vh": text(keys.host_partition(first, run.status, shard)) if (first := next(iter(run.vendor_hosts), None)) else None,
        "wt": text(run.workflow_name),
        "vn": number(run.workflow_version),
        "ss": text(run.status),
        "ci": text(run.correlation_id) if run.correlation_id else None,
        "et": number(epoch_ms(run.end_time)) if run.end_time else None,
    }


def further_hosts(run: Workflow, task_id: str) -> list[dict[str, Item]]:
    """Return the rows of the hosts that the run asked first in this task, but for the very first one, which its own row tells.

    They never change, so they do not tell the status. The parent's index does not hold them.
    """
    shard = keys.search_shard(run.workflow_id, run.parent_workflow_id)
    told = {name: value for name, value in search_attributes(run).items() if name in ("st", "wt", "vn", "ci") and value is not None}
    further = [host for host, asked_by in list(run.vendor_hosts.items())[1:] if asked_by == task_id]
    return [
        {**keys.further_host(run.workflow_id, host), **told, "vh": text(keys.host_partition(host, keys.ANY_STATUS, shard))}
        for host in further
    ]
