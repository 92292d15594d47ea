"""EVENT: publishes its input as a message (Conductor engine reference, 6.15). A door does it; an outside party may end the task."""

from collections.abc import Iterable, Mapping

from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.executions import Task, Workflow
from fermata.domain.expressions import mentions, reveal
from fermata.domain.expressions.text import text_of
from fermata.domain.json_value import JsonObject
from fermata.domain.sinks import NoSink, Sink, read_sink
from fermata.domain.status import TaskStatus
from fermata.domain.tasks import hooks
from fermata.domain.tasks.task_type import Finished, RunElsewhere, Start, Starting, TaskType

_ANY_NAME = "name"  # whether a sink is one does not depend on the names of the workflow and the task


def start(starting: Starting) -> Start:
    """Resolve the sink and hand the message to a door. A sink that is none fails the task."""
    sink = starting.resolve(starting.workflow_task.sink)
    try:
        sink_of({"sink": sink}, starting.workflow.workflow_name, starting.task.task_reference_name)
    except NoSink as error:
        return Finished(TaskStatus.FAILED, reason=f"The event could not be published: {error}")
    return RunElsewhere({"sink": sink, "asyncComplete": starting.workflow_task.async_complete})


def sink_of(task_input: JsonObject, workflow_name: str, reference_name: str) -> Sink:
    """Return where the message of a task goes. Raises `NoSink`."""
    sink = task_input.get("sink")
    return read_sink(text_of(sink), workflow_name, reference_name)


def payload_of(task: Task, run: Workflow, sink: Sink) -> JsonObject:
    """Return the message, which is the task's output as well. It holds no secret: a reference that got past registration is null."""
    given = reveal(task.input, lambda _name: None)
    return {
        **(given if isinstance(given, Mapping) else {}),
        "workflowInstanceId": run.workflow_id,
        "workflowType": run.workflow_name,
        "workflowVersion": run.workflow_version,
        "correlationId": run.correlation_id,
        "taskToDomain": dict(run.task_to_domain),
        "event_produced": sink.event,
    }


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a missing sink, one that is none, and secrets: a message is stored where it goes."""
    if not task.sink:
        yield Violation(f"{path}.sink", f"sink field is required for taskType: EVENT taskName: {task.name}")
    elif "${" not in task.sink:
        try:
            read_sink(task.sink, _ANY_NAME, _ANY_NAME)
        except NoSink as error:
            yield Violation(f"{path}.sink", str(error), task.sink[:100])
    for mention in mentions({"sink": task.sink, **task.input_parameters}):
        if "${workflow.secrets." in mention.text:
            message = f"an event cannot carry a secret ({mention.text}): who reads it should have its own"
            yield Violation(f"{path}.inputParameters", message, mention.text)


EVENT = TaskType(
    "EVENT",
    start,
    validate,
    deadline=hooks.until_it_is_sent,
    merges_template=True,
    delays_retry=True,
    has_runner=True,
    may_end_outside=True,
)
