"""The decision that rides along with the row of its run: everything of it that the row does not hold already."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fermata.adapters.dynamodb.content import INLINE_BYTES
from fermata.domain.effects import Decision
from fermata.domain.errors import EngineBug
from fermata.domain.executions import Task, Workflow
from fermata.domain.outcomes import Outcome
from fermata.ports import Payloads
from fermata.wire import records

# Written with the commit and dropped soon after, so paid for twice: half of what a row written once may hold.
OUTBOX_INLINE_BYTES = 4 * 1024
APART = "apart"  # in a task's record: the payload keys of the fields that are not in it
MAY_BE_APART = ("input", "output")


def dump(decision: Decision, payloads: Payloads) -> bytes:
    """Return the decision without its workflow, which is the row itself, and without outputs that are recorded outcomes.

    A field that a task's row would keep as a payload is one here, too, and the same one: a loop over a long list is decided anew for
    each item, and the list is stored once.
    """
    tasks = tuple(bare(task) for task in decision.tasks)
    value = records.to_value(replace(decision, tasks=tasks))
    del value["workflow"]
    content = records.json_bytes(value)
    if len(content) <= OUTBOX_INLINE_BYTES:
        return content
    for task, record in zip(tasks, value.get("tasks", ()), strict=False):
        _put_apart(task.workflow_id, record, payloads)
    return records.json_bytes(value)


def _put_apart(workflow_id: str, record: dict[str, Any], payloads: Payloads) -> None:
    for name in MAY_BE_APART:
        field = records.json_bytes(record.get(name))
        if len(field) > INLINE_BYTES:
            del record[name]
            record.setdefault(APART, {})[name] = payloads.put(workflow_id, field)


def load(content: bytes, workflow: Workflow, payloads: Payloads) -> Decision:
    """Return the decision, its tasks still without the outputs that are recorded outcomes."""
    value = json.loads(content)
    for record in value.get("tasks", ()):
        for name, key in record.pop(APART, {}).items():
            record[name] = json.loads(payloads.get(key))
    return records.from_value(Decision, {**value, "workflow": records.to_value(workflow)})


def glanced(content: bytes, workflow: Workflow) -> Decision:
    """Return the decision, its tasks without what is kept apart or recorded elsewhere: nothing more is read for it."""
    value = json.loads(content)
    for record in value.get("tasks", ()):
        record.pop(APART, None)
    return records.from_value(Decision, {**value, "workflow": records.to_value(workflow)})


def bare(task: Task) -> Task:
    """Return a task without an output that is recorded elsewhere."""
    return replace(task, output={}) if task.output_recorded else task


def dressed(task: Task, outcomes: Mapping[str, Outcome]) -> Task:
    """Return a task with its recorded output. Raises `EngineBug` when that was never recorded."""
    if not task.output_recorded:
        return task
    if task.task_id not in outcomes:
        raise EngineBug(f"Task {task.task_id} says its output is recorded, but there is no outcome.")
    return replace(task, output=outcomes[task.task_id].output)
