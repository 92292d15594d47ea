"""Tasks that nothing leads to: they stand after a TERMINATE."""

from collections.abc import Iterable, Iterator

from fermata.domain.checks.subject import DefinitionWarning, Subject
from fermata.domain.definitions import WorkflowTask, walk

BRANCHING = frozenset({"SWITCH", "DECISION"})


def unreachable_tasks(subject: Subject) -> Iterable[DefinitionWarning]:
    """Warn once for each list with tasks after one that surely ends the run."""
    for end, dead in _cut_off(subject.definition.tasks):
        first = dead[0].task_reference_name
        more = f" and {len(dead) - 1} more" if len(dead) > 1 else ""
        message = f"{first}{more} can never run: {end.task_reference_name} ({end.type}) before it always ends the workflow"
        yield DefinitionWarning(subject.paths[first], message, "UNREACHABLE")


def dead_references(subject: Subject) -> frozenset[str]:
    """Return the reference names of everything that can never run."""
    return frozenset(task.task_reference_name for _, dead in _cut_off(subject.definition.tasks) for task in walk(dead))


def _cut_off(tasks: tuple[WorkflowTask, ...]) -> Iterator[tuple[WorkflowTask, tuple[WorkflowTask, ...]]]:
    for index, task in enumerate(tasks):
        for children in task.child_lists():
            yield from _cut_off(children)
        if _always_ends(task):
            if tasks[index + 1 :]:
                yield task, tasks[index + 1 :]
            return


def _always_ends(task: WorkflowTask) -> bool:
    """Tell whether the workflow is over when this task is, whatever happens. A loop over `items` may have none."""
    if task.type == "TERMINATE":
        return True
    if task.type in BRANCHING:
        branches = (*task.decision_cases.values(), task.default_case)
        return all(any(map(_always_ends, branch)) for branch in branches)
    if task.type == "DO_WHILE":
        by_items = task.items is not None or "_items" in task.input_parameters
        return not by_items and any(map(_always_ends, task.loop_over))
    return False
