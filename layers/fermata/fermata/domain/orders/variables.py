"""Setting workflow variables from outside. Not in the open-source server; the path and the merging are Orkes Conductor's."""

from fermata.domain.deciding import Deciding
from fermata.domain.errors import Conflict, PayloadTooLarge
from fermata.domain.json_value import JsonObject
from fermata.domain.tasks.set_variable import too_big


def update_variables(deciding: Deciding, values: JsonObject) -> None:
    """Set these and keep the others. What refers to them sees them from the next task on. Raises `Conflict` for a run that is over."""
    run = deciding.workflow
    if run.status.terminal:
        raise Conflict(f"Workflow {run.workflow_id} is {run.status}; its variables cannot be changed any more")
    merged = {**run.variables, **values}
    wrong = too_big(merged)
    if wrong:
        raise PayloadTooLarge(wrong)
    deciding.change(variables=merged)
