"""What an HTTP_POLL attempt is between two polls: its fixed specification, its small moving state, its ledger."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from fermata.domain.json_value import JsonObject


class PollDecision(StrEnum):
    """What one poll led to. The words are shown in the ledger."""

    AGAIN = "AGAIN"
    SLOW_DOWN = "SLOW_DOWN"
    ERROR = "ERROR"
    DONE = "DONE"
    FAILED = "FAILED"
    EXHAUSTED = "EXHAUSTED"


@dataclass(frozen=True)
class PollSpec:
    """Fixed when the attempt is scheduled. `input` is the resolved task input (secrets still unresolved).

    `context` holds `{taskReferenceName: {"output": ...}}` of the earlier tasks that the condition names.
    """

    task_id: str
    workflow_id: str
    task_reference_name: str
    input: JsonObject
    opened_at: datetime
    context: JsonObject = field(default_factory=dict)
    task_type: str = "HTTP_POLL"  # whose polls these are


@dataclass(frozen=True)
class LedgerEntry:
    """One poll as it happened. Moments are UTC, to the millisecond."""

    poll: int
    due: datetime
    fired: datetime
    latency: timedelta
    status_code: int | None
    decision: PollDecision
    next_due: datetime | None
    # What the vendor said its job's state was, where that differs from what it had said before.
    remote_state: str | None = None


@dataclass(frozen=True)
class PollState:
    """The hot row: everything that changes from poll to poll. A store keeps it under 1 KB.

    `recent` holds the newest ledger entries; a store packs older ones away. `remote_state`: what the vendor said last its job's state was,
    a short word, and since when it says so.
    """

    task_id: str
    workflow_id: str
    due: datetime
    polls_made: int = 0
    errors_in_a_row: int = 0
    is_open: bool = True
    started_at: datetime | None = None
    recent: tuple[LedgerEntry, ...] = ()
    remote_state: str | None = None
    remote_since: datetime | None = None


@dataclass(frozen=True)
class Poll:
    """Both halves, as loaded for one poll."""

    spec: PollSpec
    state: PollState
