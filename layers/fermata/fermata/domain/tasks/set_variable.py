"""SET_VARIABLE: every input key becomes a workflow variable (Conductor engine reference, 6.11)."""

import json

from fermata.domain.json_value import JsonObject
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.task_type import Finished, SetVariables, Start, Starting, TaskType

MAX_VARIABLES_BYTES = 256 * 1024  # Conductor's maxWorkflowVariablesPayloadSizeThreshold (reference, section 11)


def start(starting: Starting) -> Start:
    """Set the variables, or none of them and fail for good when all variables together would be too big."""
    wrong = too_big({**starting.workflow.variables, **starting.task.input})
    if wrong:
        return Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason=wrong)
    return SetVariables(starting.task.input)


def too_big(variables: JsonObject) -> str | None:
    """Return why a run cannot have these variables, or None when it can."""
    text = json.dumps(variables, separators=(",", ":"), ensure_ascii=False)
    size = len(text.encode(errors="backslashreplace"))  # half a surrogate pair is stored as its escape
    if size > MAX_VARIABLES_BYTES:
        return f"The workflow variables would take {size} bytes; at most {MAX_VARIABLES_BYTES} are allowed"
    return None


SET_VARIABLE = TaskType("SET_VARIABLE", start, knows_own_id=False)
