"""Workflow definitions and task definitions in Conductor's JSON (reference 3.7, 3.8)."""

from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.json_value import Json
from fermata.wire.codec import decode_list, decode_or_refuse, encode

AGENT_MARKS = ("agent_sdk", "agentDef")  # keys of `metadata` by which Conductor tells an agent from a workflow


def workflow_definition_from_json(value: Json) -> WorkflowDefinition:
    """Raises `InvalidRequest`, naming every field of a wrong type. Unknown properties are ignored."""
    return decode_or_refuse(WorkflowDefinition, value)


def workflow_definitions_from_json(value: Json) -> tuple[WorkflowDefinition, ...]:
    """Like `workflow_definition_from_json`, for an array."""
    return decode_list(WorkflowDefinition, value, "workflowDefinitions")


def workflow_definition_to_json(definition: WorkflowDefinition) -> Json:
    return encode(definition)


def workflow_task_to_json(task: WorkflowTask) -> Json:
    return encode(task)


def task_definition_from_json(value: Json) -> TaskDefinition:
    """Raises `InvalidRequest`, naming every field of a wrong type. Unknown properties are ignored."""
    return decode_or_refuse(TaskDefinition, value)


def task_definitions_from_json(value: Json) -> tuple[TaskDefinition, ...]:
    """Like `task_definition_from_json`, for an array."""
    return decode_list(TaskDefinition, value, "taskDefinitions")


def task_definition_to_json(definition: TaskDefinition) -> Json:
    return encode(definition)


def definition_summary_to_json(definition: WorkflowDefinition) -> Json:
    """WorkflowDefSummary: what a list of versions shows."""
    return {
        "name": definition.name,
        "version": definition.version,
        "createTime": definition.create_time,
        "updateTime": definition.update_time,
    }


def classifier(definition: WorkflowDefinition) -> str:
    """Return `workflow`, or what the definition's metadata says it is."""
    named = definition.metadata.get("classifier")
    if isinstance(named, str) and named:
        return named
    return "agent" if any(mark in definition.metadata for mark in AGENT_MARKS) else "workflow"
