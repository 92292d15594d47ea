"""`${ref...}` that is always null: the task it names cannot have run by then."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from fermata.domain.checks.order import Order, order
from fermata.domain.checks.reachable import dead_references
from fermata.domain.checks.subject import DefinitionWarning, Subject
from fermata.domain.definitions import WorkflowTask
from fermata.domain.expressions import references
from fermata.domain.places import located_strings


def references_too_early(subject: Subject) -> Iterable[DefinitionWarning]:
    """Warn about each place that names a task which cannot, or need not, have run. `outputParameters` see every task that can run."""
    dead = dead_references(subject)
    for task, path in subject.located:
        if task.task_reference_name not in dead:
            yield from _of_task(subject, task, path, dead)
    for text, place in located_strings(subject.definition.output_parameters, "outputParameters"):
        for name in sorted(references(text) & dead):
            yield _never("The output", name, place)


def _of_task(subject: Subject, task: WorkflowTask, path: str, dead: frozenset[str]) -> Iterator[DefinitionWarning]:
    for text, place in _templates(task, path):
        for name in sorted(references(text) & subject.flow.places.keys()):
            warning = _warning(subject, task.task_reference_name, name, place, dead)
            if warning:
                yield warning


def _templates(task: WorkflowTask, path: str) -> Iterator[tuple[str, str]]:
    """Yield every text of a task that is resolved when it starts, with its place. An inline child's own expressions are the child's."""
    yield from located_strings(task.input_parameters, f"{path}.inputParameters")
    for key, text in (("items", task.items), ("sink", task.sink)):
        if text is not None:
            yield text, f"{path}.{key}"
    param = task.sub_workflow_param
    if param is not None:
        fields = {
            "name": param.name,
            "taskToDomain": param.task_to_domain,
            "priority": param.priority,
            "idempotencyKey": param.idempotency_key,
        }
        if isinstance(param.workflow_definition, str):
            fields["workflowDefinition"] = param.workflow_definition
        yield from located_strings(fields, f"{path}.subWorkflowParam")


def _warning(subject: Subject, this: str, that: str, place: str, dead: frozenset[str]) -> DefinitionWarning | None:
    if that in dead:
        return _never(this, that, place)
    match order(subject, this, that):
        case Order.MAY_HAVE_RUN:
            return None
        case Order.LATER:
            why, code = "which runs later: it is null here", "REFERENCE_TOO_EARLY"
        case Order.INSIDE:
            why, code = f"which runs inside {this}, after this is resolved: it is null here", "REFERENCE_TOO_EARLY"
        case Order.OTHER_BRANCH:
            why, code = "which stands in another branch: when this runs, that does not", "REFERENCE_OTHER_BRANCH"
        case Order.SIDE_BY_SIDE:
            why, code = (
                "which runs side by side in another fork branch: it may be null here; read it after the JOIN",
                "REFERENCE_SIDE_BY_SIDE",
            )
        case _ as never:
            assert_never(never)
    return DefinitionWarning(place, f"{this} reads {that}, {why}", code)


def _never(reader: str, that: str, place: str) -> DefinitionWarning:
    return DefinitionWarning(place, f"{reader} reads {that}, which can never run: it stands after a TERMINATE", "REFERENCE_NEVER_RUN")
