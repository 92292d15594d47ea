"""Workflow definitions and task definitions in Conductor's JSON (reference 3.7, 3.8)."""

from collections.abc import Iterator, Sequence

from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.errors import InvalidRequest, Violation
from fermata.domain.json_value import Json
from fermata.wire.codec import VALIDATION_FAILED, decode_list, decode_or_refuse, encode

AGENT_MARKS = ("agent_sdk", "agentDef")  # keys of `metadata` by which Conductor tells an agent from a workflow
MAX_NAME_BYTES = 1000  # in UTF-8. Names are part of keys, of which a store takes 1 KB; Conductor's columns hold 255 characters
MAX_VERSION = 2**31 - 1  # Conductor's, too; the store sorts versions by ten digits


def workflow_definition_from_json(value: Json) -> WorkflowDefinition:
    """Raises `InvalidRequest`, naming every field of a wrong type. Unknown properties are ignored."""
    definition = decode_or_refuse(WorkflowDefinition, value)
    _refuse(list(key_violations(definition, "")))
    return definition


def workflow_definitions_from_json(value: Json) -> tuple[WorkflowDefinition, ...]:
    """Like `workflow_definition_from_json`, for an array."""
    definitions = decode_list(WorkflowDefinition, value, "workflowDefinitions")
    _refuse([found for index, one in enumerate(definitions) for found in key_violations(one, f"workflowDefinitions[{index}].")])
    return definitions


def key_violations(definition: WorkflowDefinition | TaskDefinition, path: str) -> Iterator[Violation]:
    """Yield a name or a version that cannot be part of a key. `path` leads to the definition, with its dot."""
    yield from too_long(f"{path}name", definition.name)
    if isinstance(definition, WorkflowDefinition) and not 0 <= definition.version <= MAX_VERSION:
        yield Violation(f"{path}version", f"must be between 0 and {MAX_VERSION}", definition.version)


def too_long(path: str, text: str | None) -> Iterator[Violation]:
    """Yield a text that is longer than a name may be."""
    if text is not None and len(text.encode(errors="backslashreplace")) > MAX_NAME_BYTES:
        yield Violation(path, f"must be at most {MAX_NAME_BYTES} bytes long")


def workflow_definition_to_json(definition: WorkflowDefinition) -> Json:
    return encode(definition)


def workflow_task_to_json(task: WorkflowTask) -> Json:
    return encode(task)


def task_definition_from_json(value: Json) -> TaskDefinition:
    """Raises `InvalidRequest`, naming every field of a wrong type. Unknown properties are ignored."""
    definition = decode_or_refuse(TaskDefinition, value)
    _refuse(list(key_violations(definition, "")))
    return definition


def task_definitions_from_json(value: Json) -> tuple[TaskDefinition, ...]:
    """Like `task_definition_from_json`, for an array."""
    definitions = decode_list(TaskDefinition, value, "taskDefinitions")
    _refuse([found for index, one in enumerate(definitions) for found in key_violations(one, f"taskDefinitions[{index}].")])
    return definitions


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


def _refuse(violations: Sequence[Violation]) -> None:
    if violations:
        raise InvalidRequest(VALIDATION_FAILED, violations)


def workflow_task_from_json(value: Json) -> WorkflowTask:
    """Return a step that stands in a run's data. Raises `ValueError`, naming what is wrong."""
    try:
        step = decode_or_refuse(WorkflowTask, value)
    except InvalidRequest as error:
        wrong = "; ".join(f"{violation.path}: {violation.message}" for violation in error.violations)
        raise ValueError(wrong or str(error)) from error
    if not step.name or not step.task_reference_name:
        raise ValueError("an element has no name or no taskReferenceName")
    return step
