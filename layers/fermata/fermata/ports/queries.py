"""What a search for runs asks and gets."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from fermata.domain.executions import Workflow
from fermata.domain.searching.conditions import EVERYTHING, Both, Condition, OneOf, Order
from fermata.domain.searching.fields import NEWEST_FIRST, STATUS, WORKFLOW_TYPE
from fermata.domain.status import WorkflowStatus


@dataclass(frozen=True)
class Place:
    """Where a run stands among others in an order by the start: by its start in epoch ms, then by its id."""

    start: int
    workflow_id: str


@dataclass(frozen=True)
class WorkflowQuery:
    """What `search` looks for: runs for which the condition on `WORKFLOW_FIELDS` holds, a page of them in this order.

    `workflow_type` and `statuses` narrow it further: what the engine itself asks for. `after`, for orders by the start alone: the page
    begins behind that place, and nothing before it is read or counted.
    """

    condition: Condition = EVERYTHING
    order: tuple[Order, ...] = NEWEST_FIRST
    start: int = 0
    size: int = 100
    workflow_type: str | None = None
    statuses: Collection[WorkflowStatus] = ()
    after: Place | None = None

    @property
    def wanted(self) -> Condition:
        """The whole condition."""
        named = self.condition if self.workflow_type is None else Both(self.condition, OneOf(WORKFLOW_TYPE, (self.workflow_type,)))
        return Both(named, OneOf(STATUS, tuple(self.statuses))) if self.statuses else named


@dataclass(frozen=True)
class WorkflowPage:
    """`exact` False: counting stopped at `total_hits`, and there may be more. The page itself is always right.

    `left_out`: by run, the payloads that a store keeps apart and does not fetch for a list, and their sizes in bytes. `last`: the place of
    the page's last run, in an order by the start, where more follow it.
    """

    total_hits: int
    workflows: Sequence[Workflow]
    exact: bool = True
    left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    last: Place | None = None
