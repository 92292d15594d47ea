"""Take a delivered message to its use case."""

from typing import assert_never

from fermata.application.advance import advance
from fermata.application.engine import Engine
from fermata.application.poll_task import poll_task
from fermata.application.run_task import run_task
from fermata.domain.errors import NotFound
from fermata.domain.messages import Message, PollDue, RunTask, WakeWorkflow


def deliver(engine: Engine, message: Message) -> None:
    """Act on the message. Stale and repeated messages do nothing. Raises `TransientError` when it should come again."""
    match message:
        case RunTask():
            run_task(engine, message)
        case PollDue():
            poll_task(engine, message)
        case WakeWorkflow(workflow_id):
            _wake(engine, workflow_id)
        case _ as never:
            assert_never(never)


def _wake(engine: Engine, workflow_id: str) -> None:
    try:
        advance(engine, workflow_id)
    except NotFound:
        return  # removed meanwhile: the message is stale


