"""Workers as users write them with the official Python client. `python -m tests.compat.workers URL` runs them until it is killed."""

import asyncio
import sys
import threading

from conductor.client.automator.task_handler import TaskHandler
from conductor.client.configuration.configuration import Configuration
from conductor.client.context.task_context import TaskInProgress, get_task_context
from conductor.client.worker.exception import NonRetryableException
from conductor.client.worker.worker_task import worker_task

QUICK = {"poll_interval_millis": 20}


@worker_task(task_definition_name="greet", **QUICK)
def greet(name: str) -> str:
    return f"Hello {name}"


@worker_task(task_definition_name="greet", domain="vip", **QUICK)
def greet_well(name: str) -> str:
    return f"Welcome {name}"


@worker_task(task_definition_name="greet_slowly", thread_count=5, **QUICK)
async def greet_slowly(name: str) -> dict[str, str]:
    await asyncio.sleep(0.01)
    return {"greeting": f"Good evening {name}"}


@worker_task(task_definition_name="stumble", **QUICK)
def stumble() -> dict[str, int]:
    """Fail at the first attempt."""
    attempt = get_task_context().get_retry_count()
    if attempt == 0:
        raise ValueError("not yet")
    return {"attempt": attempt}


@worker_task(task_definition_name="refuse", **QUICK)
def refuse() -> None:
    raise NonRetryableException("never")


@worker_task(task_definition_name="come_back", **QUICK)
def come_back() -> dict[str, int] | TaskInProgress:
    """Ask twice to be called again in a second."""
    looks = get_task_context().get_poll_count()
    return {"looks": looks} if looks > 1 else TaskInProgress(callback_after_seconds=1, output={"looks": looks})


@worker_task(task_definition_name="take_long", lease_extend_enabled=True, **QUICK)
def take_long() -> dict[str, bool]:
    """Work for longer than the response timeout of six seconds: only the lease keeps the task."""
    threading.Event().wait(7)
    return {"kept": True}


if __name__ == "__main__":
    with TaskHandler(configuration=Configuration(server_api_url=sys.argv[1])) as handler:
        handler.start_processes()
        handler.join_processes()
