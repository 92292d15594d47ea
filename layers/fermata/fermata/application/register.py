"""Register and check definitions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from fermata.application.embedded import embedded
from fermata.application.engine import Engine
from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.errors import Conflict, InvalidRequest, NotFound, Violation
from fermata.domain.limits import beyond_limits
from fermata.domain.places import located_tasks
from fermata.domain.questions import Evaluate
from fermata.domain.tasks.registry import TASK_TYPES
from fermata.domain.validation import task_definition_violations, violations

VALIDATION_FAILED = "Validation failed, check below errors for detail."


def register_workflow(engine: Engine, definition: WorkflowDefinition, *, overwrite: bool) -> None:
    """Store a definition. Raises `Conflict` when it exists and `overwrite` is false, `InvalidRequest` when it is wrong.

    As in Conductor, the conflict is found before anything else is checked.
    """
    existing = engine.definitions.get_workflow(definition.name, definition.version)
    if existing and not overwrite:
        raise _exists(definition)
    validate_workflow(engine, definition)
    stored = replace(definition, create_time=_millis(engine.clock.now()))
    if existing:
        stored = replace(stored, create_time=existing.create_time, update_time=_millis(engine.clock.now()))
    if not engine.definitions.put_workflow(stored, overwrite=overwrite):
        raise _exists(definition)


def update_workflows(engine: Engine, definitions: Sequence[WorkflowDefinition]) -> None:
    """Store all of them, replacing what exists; none when one is wrong. Raises `InvalidRequest`."""
    for definition in definitions:
        validate_workflow(engine, definition)
    for definition in definitions:
        register_workflow(engine, definition, overwrite=True)


def validate_workflow(engine: Engine, definition: WorkflowDefinition) -> None:
    """Raise `InvalidRequest` with everything that is wrong, in the definitions inside this one as well, or return."""
    found = tuple(_wrong(engine, definition, 0))
    if found:
        raise InvalidRequest(VALIDATION_FAILED, found)


def register_tasks(engine: Engine, definitions: Sequence[TaskDefinition]) -> None:
    """Store task definitions, replacing what exists; none when one is wrong. Raises `InvalidRequest`."""
    _validate_tasks(definitions)
    for definition in definitions:
        engine.definitions.put_task(replace(definition, create_time=_millis(engine.clock.now()), update_time=0))


def update_task(engine: Engine, definition: TaskDefinition) -> None:
    """Replace a task definition. Raises `NotFound` when there is none, `InvalidRequest` when it is wrong."""
    _validate_tasks((definition,))
    existing = engine.definitions.get_task(definition.name)
    if existing is None:
        raise NotFound(f"No such task definition: {definition.name}")
    now = _millis(engine.clock.now())
    engine.definitions.put_task(replace(definition, create_time=existing.create_time, update_time=now))


def _wrong(engine: Engine, definition: WorkflowDefinition, depth: int) -> Iterator[Violation]:
    checks = {name: kind.validate for name, kind in TASK_TYPES.items()}
    yield from violations(definition, checks, environment_names=engine.environment)
    yield from beyond_limits(definition, engine.limits)
    yield from _syntax(engine, definition)
    for path, inside in embedded(definition):
        if isinstance(inside, InvalidRequest):
            found: Iterable[Violation] = inside.violations
        elif depth >= engine.limits.max_sub_workflow_depth:
            found = (Violation("", engine.limits.depth_reason(depth)),)
        else:
            found = _wrong(engine, inside, depth + 1)
        yield from (replace(each, path=f"{path}.{each.path}" if each.path else path) for each in found)


def _validate_tasks(definitions: Sequence[TaskDefinition]) -> None:
    found = [violation for definition in definitions for violation in task_definition_violations(definition)]
    if found:
        raise InvalidRequest(VALIDATION_FAILED, found)


def _syntax(engine: Engine, definition: WorkflowDefinition) -> Iterator[Violation]:
    for task, path in located_tasks(definition.tasks):
        for place, question in _expressions(task).items():
            wrong = engine.evaluator.syntax_error(question)
            if wrong:
                message = f"{place} of task {task.task_reference_name} is not valid {question.language}: {wrong}"
                yield Violation(f"{path}.{place}", message, question.program[:200])


def _expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:
    kind = TASK_TYPES.get(task.type)
    return kind.expressions(task) if kind else {}


def _exists(definition: WorkflowDefinition) -> Conflict:
    return Conflict(f"Workflow with {definition.name}.{definition.version} already exists!")


def _millis(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
