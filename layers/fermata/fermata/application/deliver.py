"""Take delivered messages to their use cases."""

import logging
from collections.abc import Mapping
from typing import Any, assert_never

from fermata.application.advance import advance_if_there
from fermata.application.engine import Engine
from fermata.application.families import end_forsaken
from fermata.application.poll_task import poll_task
from fermata.application.run_task import run_task
from fermata.application.start_child import start_failure_workflow
from fermata.application.start_scheduled import start_scheduled
from fermata.domain.errors import EngineBug, NotFound
from fermata.domain.messages import EndRun, Message, PollDue, RunTask, StartFailureWorkflow, StartScheduled, WakeTask, WakeWorkflow
from fermata.wire.deliveries import Delivery, from_event

_logger = logging.getLogger(__name__)


def deliver(engine: Engine, message: Message) -> None:
    """Act on the message. Stale and repeated messages do nothing. Raises `TransientError` when it should come again."""
    match message:
        case RunTask():
            run_task(engine, message)
        case PollDue():
            poll_task(engine, message)
        case WakeTask(workflow_id, task_id):
            advance_if_there(engine, workflow_id, task_id)
        case WakeWorkflow(workflow_id):
            advance_if_there(engine, workflow_id)
        case EndRun(workflow_id):
            end_forsaken(engine, workflow_id)
        case StartFailureWorkflow(workflow_id):
            _start_failure_workflow(engine, workflow_id)
        case StartScheduled():
            start_scheduled(engine, message)
        case _ as never:
            assert_never(never)


def deliver_batch(engine: Engine, event: Mapping[str, Any]) -> dict[str, Any]:
    """Act on every message of an event; return those of a queue that must come again (`batchItemFailures`).

    A message that is no use to anybody fails too: after its last try the queue puts it aside where an alarm sees it.
    A direct invocation has no queue to give it back to: its failure is raised, and its sender tries again.
    """
    deliveries = from_event(event)
    failed = [delivery.delivery_id for delivery in deliveries if not _delivered(engine, delivery)]
    return {"batchItemFailures": [{"itemIdentifier": delivery_id} for delivery_id in failed]}


def _delivered(engine: Engine, delivery: Delivery) -> bool:
    try:
        _deliver_when_due(engine, delivery)
    except Exception as error:
        if delivery.delivery_id is None:
            raise
        # One bad message must not make its neighbours come again; it is reported, not swallowed.
        _logger.exception("delivery %s failed: %s", delivery.delivery_id, type(error).__name__)
        return False
    return True


def _deliver_when_due(engine: Engine, delivery: Delivery) -> None:
    """Deliver, or send it again for its moment: a schedule fires somewhere within the named minute, so perhaps too early."""
    message, now = _message(delivery), engine.clock.now()
    if delivery.due is not None and now < delivery.due:
        engine.alarms.send(message, delivery.due, now)
    else:
        deliver(engine, message)


def _message(delivery: Delivery) -> Message:
    if delivery.message is None:
        raise delivery.error or EngineBug("a delivery holds neither a message nor an error")
    return delivery.message


def _start_failure_workflow(engine: Engine, workflow_id: str) -> None:
    try:
        start_failure_workflow(engine, workflow_id)
    except NotFound:
        return  # removed meanwhile: there is nothing to tell a failure workflow about
