"""DO_WHILE: runs its body again and again (Conductor engine reference, 6.7)."""

from collections.abc import Iterable, Mapping

from fermata.domain import looping
from fermata.domain.definitions import WorkflowTask, walk
from fermata.domain.errors import Violation
from fermata.domain.questions import Evaluate, Language
from fermata.domain.tasks import hooks
from fermata.domain.tasks.task_type import Loop, Start, Starting, TaskType, text_expression


def start(starting: Starting) -> Start:
    """Loop over `items` when there are any, one element where it is no list; else while the condition holds."""
    items = starting.task.input.get("_items")
    if starting.workflow_task.items is not None:
        items = starting.resolve(starting.workflow_task.items)
    if items is None:
        return Loop()
    return Loop(tuple(items) if isinstance(items, list | tuple) else (items,))


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield what is missing, and a loop in a loop: their references and iteration numbers would collide."""
    name = task.task_reference_name
    if task.loop_condition is None:
        yield Violation(f"{path}.loopCondition", f"loopCondition is required for DO_WHILE task {name}; it may be empty with items")
    if not task.loop_over:
        yield Violation(f"{path}.loopOver", f"loopOver of DO_WHILE task {name} must not be empty")
    for inner in walk(task.loop_over):
        if inner.type == "DO_WHILE":
            message = f"DO_WHILE {inner.task_reference_name} stands inside DO_WHILE {name}; put the inner loop into a SUB_WORKFLOW"
            yield Violation(f"{path}.loopOver", message, inner.task_reference_name)


def expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:
    """Return the condition."""
    condition = text_expression(task.loop_condition)
    return {"loopCondition": Evaluate(Language.JAVASCRIPT, condition, "{}")} if condition and condition.strip() else {}


DO_WHILE = TaskType(
    "DO_WHILE",
    start,
    validate,
    expressions,
    moved=looping.moved,
    deadline=hooks.in_its_own_time,
    merges_template=True,
    may_retry=False,
    waits_for_others=True,
)
