"""What a task type does that says nothing else: the defaults of its hooks, and the few that several types share."""

from collections.abc import Iterable, Mapping

from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.effects import Effect
from fermata.domain.errors import Violation
from fermata.domain.executions import Task
from fermata.domain.json_value import JsonObject
from fermata.domain.questions import Evaluate
from fermata.domain.timeouts import Deadline, task_deadline


def no_violations(task: WorkflowTask, path: str) -> Iterable[Violation]:  # noqa: ARG001 - the signature of a task type's `validate`
    """Accept every step."""
    return ()


def no_expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:  # noqa: ARG001 - the signature of a task type's `expressions`
    """Return no scripts."""
    return {}


def as_shown(shown: JsonObject) -> JsonObject:
    """Return all of the input that a record shows."""
    return shown


def stays(deciding: Deciding, task: Task) -> Task:  # noqa: ARG001 - the signature of a task type's `moved`
    """Leave the task as it is."""
    return task


def until_it_responds(deciding: Deciding, task: Task) -> Deadline | None:
    """Return the task's first deadline, that of its response included."""
    return task_deadline(deciding.step(task).task_definition, task, responds=True)


def in_its_own_time(deciding: Deciding, task: Task) -> Deadline | None:
    """Return the first deadline of a task that waits for something by its nature and is not asked to respond (reference 5.4)."""
    return task_deadline(deciding.step(task).task_definition, task, responds=False)


def until_it_is_sent(deciding: Deciding, task: Task) -> Deadline | None:
    """Return the first deadline. What was sent and waits for an outside party (`asyncComplete`) is not asked to respond any more."""
    return in_its_own_time(deciding, task) if task.start_time else until_it_responds(deciding, task)


def nothing_else(deciding: Deciding, task: Task) -> Iterable[Effect]:  # noqa: ARG001 - the signature of a task type's `let_go`
    """Let the task end alone."""
    return ()


def never_stuck(deciding: Deciding, task: Task) -> Task | None:  # noqa: ARG001 - the signature of a task type's `stuck`
    """Leave it to what moves the task from outside."""
    return None
