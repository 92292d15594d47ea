"""Which step is to start next, where its record stands, and whether the run ends after that."""

from dataclasses import dataclass, field

from fermata.domain.json_value import JsonObject
from fermata.domain.status import WorkflowStatus
from fermata.domain.steps import WorkflowTask


@dataclass(frozen=True)
class Spot:
    """Where a record of a step stands in the run: its loop and iteration, the JOIN that awaits it, and whether the step is its own."""

    loop: str | None = None
    iteration: int = 0
    joined_by: str | None = None
    own_step: bool = False


@dataclass(frozen=True)
class Planned:
    """A step to start in this pass. `given` is added to its input; `spot` None: where the definition says."""

    step: WorkflowTask
    spot: Spot | None = None
    given: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class PlannedEnd:
    """The end that a task gives the run. It comes once everything that starts together with that task has started."""

    status: WorkflowStatus
    reason: str
    output: JsonObject | None
    failed_task_id: str | None
