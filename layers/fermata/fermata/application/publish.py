"""Publish the message of an EVENT task."""

from fermata.application.engine import Engine
from fermata.domain.chains import next_link
from fermata.domain.executions import Task, Workflow
from fermata.domain.sinks import NoSink
from fermata.domain.status import TaskStatus
from fermata.domain.tasks import event
from fermata.domain.tasks.task_type import Finished


def publish(engine: Engine, task: Task, run: Workflow) -> Finished:
    """Publish under the task's id. A repeat publishes the same message under the same id: who reads it can tell.

    Raises `TransientError` when the sink may take it later.
    """
    try:
        sink = event.sink_of(task.input, run.workflow_name, task.task_reference_name)
    except NoSink as error:
        return Finished(TaskStatus.FAILED, {}, f"The event could not be published: {error}")
    payload = event.payload_of(task, run, sink)
    refused = engine.sinks.publish(sink, task.task_id, payload, next_link(run, engine.clock.now()))
    if refused is not None:
        return Finished(TaskStatus.FAILED, payload, f"The event could not be published to {sink.event}: {refused.reason}")
    return Finished(TaskStatus.COMPLETED, payload)
