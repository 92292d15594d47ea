"""What registration refuses, all of it at once (Conductor engine reference 1.3, 1.4). What a task type wants is that type's business."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.expressions import Mention, mentions
from fermata.domain.json_value import Json
from fermata.domain.near_misses import near_misses
from fermata.domain.places import located_strings, located_tasks
from fermata.domain.tasks.not_run import refusal_of

SCHEMA_VERSION = 2
WORKFLOW_ROOT = "workflow"
# Their forked tasks get reference names that stand in no definition.
TYPES_ADDING_REFERENCES = frozenset({"FORK_JOIN_DYNAMIC"})
MAX_SHOWN_CHARACTERS = 100

ValidateTask: TypeAlias = Callable[[WorkflowTask, str], Iterable[Violation]]


def violations(
    definition: WorkflowDefinition,
    task_types: Mapping[str, ValidateTask],
    *,
    environment_names: Collection[str] = (),
    types_adding_references: Collection[str] = TYPES_ADDING_REFERENCES,
) -> tuple[Violation, ...]:
    """Return everything wrong with `definition`, in the order of the text. Paths use Conductor's names.

    `task_types`: the types this engine runs and what each checks itself, called with the task and its path.
    `environment_names`: what `${NAME}` may also mean. `types_adding_references`: with one of these in the definition, a task below the
    top level may name a reference we don't see; Conductor checks the top level only, and there it refuses such names.
    """
    located = tuple(located_tasks(definition.tasks))
    references = {task.task_reference_name for task, _ in located}
    roots = {WORKFLOW_ROOT, *references, *environment_names}
    grows = any(task.type in types_adding_references for task, _ in located)
    top_level = {id(task) for task in definition.tasks}
    found = [*_of_definition(definition), *_duplicates(located, definition.name)]
    for task, path in located:
        found += _of_task(task, path)
        found += _of_templates(task, path, None if grows and id(task) not in top_level else roots)
        found += _of_type(task, path, task_types)
    return tuple(found)


def task_definition_violations(definition: TaskDefinition) -> tuple[Violation, ...]:
    """Return everything wrong with a task definition (Conductor engine reference 1.3)."""
    name = [] if definition.name.strip() else [_required("name")]
    return (*name, *_of_policy(definition, ""))


def _of_definition(definition: WorkflowDefinition) -> Iterator[Violation]:
    if not definition.name.strip():
        yield _required("name")
    if definition.schema_version != SCHEMA_VERSION:
        yield Violation("schemaVersion", f"schemaVersion must be {SCHEMA_VERSION}", definition.schema_version)
    if not definition.tasks:
        yield Violation("tasks", "tasks must hold at least one task")


def _duplicates(located: Iterable[tuple[WorkflowTask, str]], workflow_name: str) -> Iterator[Violation]:
    first_places: dict[str, str] = {}
    for task, path in located:
        name = task.task_reference_name
        first = first_places.setdefault(name, path)
        if first != path and name.strip():
            message = f"taskReferenceName '{name}' is used twice in workflow '{workflow_name}', first at {first}; give each task its own"
            yield Violation(f"{path}.taskReferenceName", message, _short(name))


def _of_task(task: WorkflowTask, path: str) -> Iterator[Violation]:
    if not task.name.strip():
        yield _required(f"{path}.name")
    if not task.task_reference_name.strip():
        yield _required(f"{path}.taskReferenceName")
    if task.start_delay < 0:
        yield _too_small(f"{path}.startDelay", task.start_delay, 0)
    if task.task_definition is not None:
        yield from _of_policy(task.task_definition, f"{path}.taskDefinition.")


def _of_type(task: WorkflowTask, path: str, task_types: Mapping[str, ValidateTask]) -> Iterable[Violation]:
    validate = task_types.get(task.type)
    if validate is not None:
        return validate(task, path)
    message = refusal_of(task.type, task.task_reference_name) or _unknown_type(task, task_types)
    return [Violation(f"{path}.type", message, _short(task.type))]


def _unknown_type(task: WorkflowTask, task_types: Collection[str]) -> str:
    close = near_misses([task.type], task_types)
    advice = f"did you mean '{close[0][1]}'?" if close else "a worker's task has the type SIMPLE, and its worker polls for its name"
    known = ", ".join(sorted(task_types))
    return f"task type '{_cut(task.type)}' of {task.task_reference_name} is not known here; {advice}; known types: {known}"


def _of_templates(task: WorkflowTask, path: str, roots: Collection[str] | None) -> Iterator[Violation]:
    """Check the `${...}` of a task's input parameters. `roots` None: any root may exist when the task runs."""
    for text, place in located_strings(task.input_parameters, f"{path}.inputParameters"):
        for mention in mentions(text):
            if not mention.readable:
                message = f"{_cut(mention.text)} is not a readable path; quote odd names as ['a.b'], and write $${{ for a literal ${{"
                yield Violation(place, message, _short(text))
            for root in mention.roots:
                if roots is not None and root not in roots:
                    yield Violation(place, _unknown_root(mention, root, roots), _short(text))


def _unknown_root(mention: Mention, root: str, roots: Collection[str]) -> str:
    close = near_misses([root], roots)
    advice = f"did you mean '{close[0][1]}'?" if close else "write $${ for a literal ${"
    return f"{_cut(mention.text)} reads '{_cut(root)}', which is neither workflow nor a taskReferenceName of this definition; {advice}"


def _of_policy(definition: TaskDefinition, prefix: str) -> Iterator[Violation]:
    for field, value, minimum in (
        ("retryCount", definition.retry_count, 0),
        ("backoffScaleFactor", definition.backoff_scale_factor, 1),
        ("maxRetryDelaySeconds", definition.max_retry_delay_seconds, 0),
        ("backoffJitterMs", definition.backoff_jitter_ms, 0),
        ("responseTimeoutSeconds", definition.response_timeout_seconds, 1),
        ("pollTimeoutSeconds", definition.poll_timeout_seconds, 0),
        ("totalTimeoutSeconds", definition.total_timeout_seconds, 0),
    ):
        if value is not None and value < minimum:
            yield _too_small(prefix + field, value, minimum)
    timeout, response, total = definition.timeout_seconds, definition.response_timeout_seconds, definition.total_timeout_seconds
    if response > timeout > 0:
        message = f"responseTimeoutSeconds ({response}) must not be more than timeoutSeconds ({timeout}); lower it or raise timeoutSeconds"
        yield Violation(f"{prefix}responseTimeoutSeconds", message, response)
    if timeout > total > 0:
        message = f"timeoutSeconds ({timeout}) must not be more than totalTimeoutSeconds ({total}); lower it or raise totalTimeoutSeconds"
        yield Violation(f"{prefix}timeoutSeconds", message, timeout)


def _required(path: str) -> Violation:
    return Violation(path, f"{path.rpartition('.')[2]} must not be empty")


def _too_small(path: str, value: int, minimum: int) -> Violation:
    return Violation(path, f"{path.rpartition('.')[2]} must be {minimum} or more", value)


def _short(text: str) -> Json:
    return text if len(text) <= MAX_SHOWN_CHARACTERS else None


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARACTERS else text[:MAX_SHOWN_CHARACTERS] + "..."
