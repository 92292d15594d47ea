"""The decision that rides along with the row of its run: everything of it that the row does not hold already."""

import json
from collections.abc import Mapping
from dataclasses import replace

from fermata.domain.effects import Decision
from fermata.domain.errors import EngineBug
from fermata.domain.executions import Task, Workflow
from fermata.domain.outcomes import Outcome
from fermata.wire import records


def dump(decision: Decision) -> bytes:
    """Return the decision without its workflow, which is the row itself, and without outputs that are recorded outcomes."""
    tasks = tuple(bare(task) for task in decision.tasks)
    value = records.to_value(replace(decision, tasks=tasks))
    del value["workflow"]
    return records.json_bytes(value)


def load(content: bytes, workflow: Workflow) -> Decision:
    """Return the decision, its tasks still without the outputs that are recorded outcomes."""
    return records.from_value(Decision, {**json.loads(content), "workflow": records.to_value(workflow)})


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
