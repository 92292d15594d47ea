"""What came of trying a task. A failing task is not an exception: it is an outcome with a reason."""

from dataclasses import dataclass, field
from datetime import datetime

from fermata.domain.json_value import JsonObject
from fermata.domain.status import TaskStatus

MAX_REASON_CHARACTERS = 500  # Conductor cuts reasonForIncompletion there (reference 5.5)


@dataclass(frozen=True)
class Outcome:
    """The recorded end of one task attempt. The first one recorded for a task id wins."""

    task_id: str
    workflow_id: str
    status: TaskStatus
    at: datetime
    output: JsonObject = field(default_factory=dict)
    reason: str | None = None
    started_at: datetime | None = None
    poll_count: int = 0
    worker_id: str | None = None
