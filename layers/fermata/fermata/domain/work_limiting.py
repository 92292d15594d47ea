"""How many attempts of one task definition workers may have at once, and how many in a while (Conductor engine reference, 5.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from fermata.domain.working import WorkItem, WorkKey

SETTLING = timedelta(seconds=60)  # a hand-out is noted here before it happens: so long it counts although nothing shows it


@dataclass(frozen=True)
class Holder:
    """An attempt that was let through."""

    workflow_id: str
    task_id: str
    since: datetime

    @property
    def key(self) -> WorkKey:
        return WorkKey(self.workflow_id, self.task_id)


@dataclass(frozen=True)
class Limiter:
    """What was let through of one task definition: who holds, and when each was handed out. `version` as in a `WorkItem`."""

    name: str
    version: int = 0
    holders: tuple[Holder, ...] = ()
    handed: tuple[datetime, ...] = ()


def is_limited(item: WorkItem) -> bool:
    return item.limits.concurrent > 0 or item.limits.rate > 0


def is_full(limiter: Limiter, item: WorkItem) -> bool:
    """Tell whether the concurrency limit is reached, as far as the notes go: some may have given back what they held."""
    others = [holder for holder in limiter.holders if holder.task_id != item.task_id]
    return 0 < item.limits.concurrent <= len(others)


def without_finished(limiter: Limiter, items: Mapping[str, WorkItem], now: datetime) -> Limiter:
    """Return the limiter without those who hold nothing any more. `items`: the rows of its holders, by task id."""
    return replace(limiter, holders=tuple(holder for holder in limiter.holders if _holds(holder, items.get(holder.task_id), now)))


def let_through(limiter: Limiter, item: WorkItem, now: datetime) -> Limiter | None:
    """Return the limiter with this attempt let through, or None when it must wait."""
    window = now - timedelta(seconds=item.limits.rate_seconds)
    handed = tuple(moment for moment in limiter.handed if moment > window) if item.limits.rate else ()
    if is_full(limiter, item) or 0 < item.limits.rate <= len(handed):
        return None
    others = tuple(holder for holder in limiter.holders if holder.task_id != item.task_id)
    holders = (*others, Holder(item.workflow_id, item.task_id, now)) if item.limits.concurrent else ()
    return replace(limiter, version=limiter.version + 1, holders=holders, handed=(*handed, now) if item.limits.rate else ())


def _holds(holder: Holder, item: WorkItem | None, now: datetime) -> bool:
    if item is None or not item.is_open:
        return False
    return item.claimed or now < holder.since + SETTLING
