"""START_WORKFLOW: starts another run and does not wait for it (Conductor engine reference, 6.10)."""

from collections.abc import Iterable

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.tasks.task_type import RunElsewhere, Start, Starting, TaskType


def start(starting: Starting) -> Start:  # noqa: ARG001 - the signature of a task type's `start`
    """Have a door start it."""
    return RunElsewhere()


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a step without a start request."""
    if "startWorkflow" not in task.input_parameters:
        message = f"startWorkflow is required for START_WORKFLOW task {task.task_reference_name}"
        yield Violation(f"{path}.inputParameters.startWorkflow", message)


START_WORKFLOW = TaskType("START_WORKFLOW", start, validate, knows_own_id=False, delays_start=True, has_runner=True)
