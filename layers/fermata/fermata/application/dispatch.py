"""Carry out a stored decision. Safe to repeat, also much later and by another process."""

from typing import assert_never

from fermata.application.engine import Engine
from fermata.domain.effects import ClosePoll, Decision, Dequeue, Enqueue, ForgetWork, OpenPoll, Send, WriteDown
from fermata.domain.working import WorkKey


def dispatch(engine: Engine, decision: Decision) -> None:
    """Write the decision's task rows, carry out its effects in order, then drop it from the outbox.

    The rows come first: an effect's message may be delivered at once and must find its task.
    """
    engine.executions.settle_tasks(decision)
    now = engine.clock.now()
    for effect in decision.effects:
        match effect:
            case Send(message, at):
                engine.alarms.send(message, at, now)
            case OpenPoll(spec, first_due):
                engine.polls.open(spec, first_due)
            case ClosePoll(task_id):
                engine.polls.close(task_id)
            case Enqueue(item):
                engine.work.open(item)
            case Dequeue(workflow_id, task_id):
                engine.work.close(WorkKey(workflow_id, task_id))
            case ForgetWork(workflow_id, task_id):
                engine.work.remove(WorkKey(workflow_id, task_id))
                engine.task_logs.remove(WorkKey(workflow_id, task_id))
            case WriteDown(operation):
                engine.operations.write(operation)
            case _ as never:
                assert_never(never)
    if decision.workflow.status.terminal:
        engine.executions.expire(decision.workflow.workflow_id)
    engine.executions.settled(decision)
