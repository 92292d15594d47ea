"""Sending a task's message again."""

from dataclasses import replace

from fermata.domain.deciding import Deciding
from fermata.domain.effects import Send
from fermata.domain.executions import Task
from fermata.domain.messages import RunTask
from fermata.domain.timeouts import RUN_LEASE


def resend(deciding: Deciding, task: Task) -> None:
    """Send an open task's message again: it must have been lost."""
    deciding.put(replace(task, look_at=deciding.now + RUN_LEASE))
    deciding.emit(Send(RunTask(task.workflow_id, task.task_id), deciding.now))
