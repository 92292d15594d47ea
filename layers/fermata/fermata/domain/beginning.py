"""What a run is before its first decision (Conductor engine reference, 3.1)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.executions import Workflow
from fermata.domain.json_value import JsonObject
from fermata.domain.status import WorkflowStatus
from fermata.domain.steps import changed
from fermata.domain.tasks.simple import SIMPLE


def begin(*, workflow_id: str, definition: WorkflowDefinition, definition_key: str, given_input: JsonObject, now: datetime) -> Workflow:
    """Return the run with nothing scheduled. Missing top-level input keys come from `inputTemplate`, unless the input is empty."""
    template = definition.input_template if given_input else {}
    return Workflow(
        workflow_id=workflow_id,
        definition_key=definition_key,
        workflow_name=definition.name,
        workflow_version=definition.version,
        status=WorkflowStatus.RUNNING,
        create_time=now,
        input={**template, **given_input},
        variables=dict(definition.variables),
    )


def with_task_definitions(definition: WorkflowDefinition, registered: Mapping[str, TaskDefinition]) -> WorkflowDefinition:
    """Return the definition with every step's task definition embedded: its own, the registered one of its name, or a default."""

    def embed(task: WorkflowTask) -> WorkflowTask:
        return replace(task, task_definition=task.task_definition or registered.get(task.name) or _default(task))

    return replace(definition, tasks=tuple(changed(task, embed) for task in definition.tasks))


def _default(task: WorkflowTask) -> TaskDefinition:
    """Workers' tasks get the class defaults; system tasks no retries and no response timeout."""
    if task.type == SIMPLE.name:
        return TaskDefinition(name=task.name)
    return TaskDefinition(name=task.name, retry_count=0, response_timeout_seconds=0)
