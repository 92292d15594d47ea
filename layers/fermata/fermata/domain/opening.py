"""How a new attempt stays open: what it waits for, and the message or alarm that brings the run back to it."""

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from fermata.domain import joining, looping, queueing, vendors
from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.effects import OpenPoll, Send
from fermata.domain.executions import Task
from fermata.domain.ids import child_id
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.messages import PollDue, RunTask, WakeTask
from fermata.domain.polling import PollSpec
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import type_of
from fermata.domain.tasks.task_type import Join, JoinFirst, Loop, Open, Poll, Queue, RunElsewhere, StartChild, Wait
from fermata.domain.timeouts import RUN_LEASE, SWEEP_GRACE


def leave_open(deciding: Deciding, step: WorkflowTask, task: Task, start: Open) -> None:
    """Store the attempt as it waits, with what it needs to go on."""
    vendors.note_host(deciding, task)
    match start:
        case Join(awaited):
            joining.begin(deciding, task, awaited)
        case JoinFirst(awaited, otherwise):
            joining.begin_first(deciding, task, awaited, otherwise)
        case Loop(items):
            looping.begin(deciding, step, task, items)
        case StartChild(given):
            _start_child(deciding, task, given)
        case RunElsewhere(additions):
            _run_elsewhere(deciding, replace(task, input={**task.input, **additions}))
        case Poll(context):
            _open_poll(deciding, task, context)
        case Queue():
            queueing.enqueue(deciding, step, task)
        case Wait(until):
            _wait(deciding, task, until)
        case _ as never:
            assert_never(never)


def _start_child(deciding: Deciding, task: Task, given: JsonObject) -> None:
    child = child_id(task.task_id)
    waiting = replace(task, input=given, sub_workflow_id=child, output={"subWorkflowId": child})
    _run_elsewhere(deciding, replace(waiting, status=TaskStatus.IN_PROGRESS, start_time=deciding.now))


def _run_elsewhere(deciding: Deciding, task: Task) -> None:
    due = task.due or deciding.now
    _put(deciding, task, due + RUN_LEASE)
    deciding.emit(Send(RunTask(task.workflow_id, task.task_id), due))


def _open_poll(deciding: Deciding, task: Task, context: Json) -> None:
    due = task.due or deciding.now
    spec = PollSpec(task.task_id, task.workflow_id, task.task_reference_name, task.input, due, context, type_of(task).name)
    _put(deciding, task, None)
    deciding.emit(OpenPoll(spec, due), Send(PollDue(task.workflow_id, task.task_id, 1), due))


def _wait(deciding: Deciding, task: Task, until: datetime | None) -> None:
    _put(deciding, replace(task, status=TaskStatus.IN_PROGRESS, start_time=deciding.now, due=until), until + SWEEP_GRACE if until else None)
    if until:
        deciding.emit(Send(WakeTask(task.workflow_id, task.task_id), until))


def _put(deciding: Deciding, task: Task, look_at: datetime | None) -> None:
    """Store the open attempt; arm an alarm for the first deadline that would end it."""
    deadline = type_of(task).deadline(deciding, task)
    if deadline:
        look_at = min(look_at or deadline.at + SWEEP_GRACE, deadline.at + SWEEP_GRACE)
        deciding.emit(Send(WakeTask(task.workflow_id, task.task_id), deadline.at))
    deciding.put(replace(task, look_at=look_at))
