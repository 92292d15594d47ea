"""The definitions that stand inside a definition: those that its SUB_WORKFLOW steps bring along."""

from collections.abc import Iterator, Mapping

from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import InvalidRequest
from fermata.domain.places import located_tasks
from fermata.wire.definitions import workflow_definition_from_json


def embedded(definition: WorkflowDefinition) -> Iterator[tuple[str, WorkflowDefinition | InvalidRequest]]:
    """Yield the definitions directly inside this one with their places, or why one cannot be read. Expressions are none yet."""
    for task, path in located_tasks(definition.tasks):
        inside = task.sub_workflow_param.workflow_definition if task.sub_workflow_param else None
        if isinstance(inside, Mapping):
            yield f"{path}.subWorkflowParam.workflowDefinition", _read(dict(inside))


def _read(value: dict[str, object]) -> WorkflowDefinition | InvalidRequest:
    try:
        return workflow_definition_from_json(value)
    except InvalidRequest as error:
        return error
