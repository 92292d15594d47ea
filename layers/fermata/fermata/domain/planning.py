"""Which step is to start next, and where its record stands."""

from dataclasses import dataclass, field

from fermata.domain.json_value import JsonObject
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
