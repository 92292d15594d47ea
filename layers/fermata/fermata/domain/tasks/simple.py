"""SIMPLE: a worker takes the task from its queue and reports what came of it (Conductor engine reference, 6.21)."""

from collections.abc import Iterable

from fermata.domain import queueing
from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.expressions import mentions
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.task_type import Finished, Queue, Start, Starting, TaskType
from fermata.domain.working import MAX_NAME_BYTES, is_too_long

# A record of a worker's task shows the task's name as its type: a name of Conductor's own would make it look like one of those.
SYSTEM_TYPES = frozenset(
    {
        "DECISION",
        "DO_WHILE",
        "DYNAMIC",
        "EVENT",
        "EXCLUSIVE_JOIN",
        "FORK",
        "FORK_JOIN",
        "FORK_JOIN_DYNAMIC",
        "HTTP",
        "HTTP_POLL",
        "HUMAN",
        "INLINE",
        "JOIN",
        "JSON_JQ_TRANSFORM",
        "KAFKA_PUBLISH",
        "LAMBDA",
        "NOOP",
        "SET_VARIABLE",
        "SIMPLE",
        "START_WORKFLOW",
        "SUB_WORKFLOW",
        "SWITCH",
        "TERMINATE",
        "USER_DEFINED",
        "WAIT",
    }
)


def start(starting: Starting) -> Start:
    """Queue the attempt. A name that cannot be a queue's, which only a dynamic fork can bring here, fails it for good."""
    wrong = _wrong_name(starting.workflow_task.name)
    return Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason=wrong) if wrong else Queue()


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a name that cannot be a queue's, and secrets: what a worker is given goes out through the API, which has none to give."""
    wrong = _wrong_name(task.name)
    if wrong:
        yield Violation(f"{path}.name", wrong, task.name)
    for mention in mentions(task.input_parameters):
        if "${workflow.secrets." in mention.text:
            message = f"a worker's task cannot be given a secret ({mention.text}): let the worker have its own"
            yield Violation(f"{path}.inputParameters", message, mention.text)


def _wrong_name(name: str) -> str | None:
    if is_too_long(name):
        return f"a worker's task needs a name of at most {MAX_NAME_BYTES} bytes"
    return f"a worker's task cannot be named {name}: that is a task type" if name in SYSTEM_TYPES else None


SIMPLE = TaskType(
    "SIMPLE",
    start,
    validate,
    moved=queueing.moved,
    deadline=queueing.deadline_of,
    let_go=queueing.let_go,
    merges_template=True,
    delays_start=True,
    record_is_step_name=True,
)
