"""AIRPIPE_DELAY: an action that lets time pass (air pipe reference, 2.3). It waits as WAIT does."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from fermata.domain.airpipe import entries
from fermata.domain.airpipe.actions import DelaySource
from fermata.domain.airpipe.attempts import reason_of, status_of
from fermata.domain.airpipe.interpolation import Sight
from fermata.domain.airpipe.steps import ActionStep, sight_of, step_of
from fermata.domain.deciding import Deciding
from fermata.domain.executions import Task
from fermata.domain.json_value import JsonObject
from fermata.domain.tasks.airpipe_action import begin
from fermata.domain.tasks.task_type import Start, Starting, Wait


def start(starting: Starting) -> Start:
    """Wait for as long as the action says."""

    def waits(step: ActionStep, results: Mapping[str, JsonObject], sight: Sight) -> Start:  # noqa: ARG001 - see `begin`
        return Wait(starting.now + _length(step))

    return begin(starting, waits)


def moved(deciding: Deciding, task: Task) -> Task:
    """End a task whose time has come."""
    if task.due is None or task.due > deciding.now:
        return task
    step = step_of(task.input)
    results = {name: entry for name in step.needs if (entry := deciding.output_of(name)) is not None}
    sight = sight_of(step, deciding.workflow.input, results, deciding.evaluate, task.task_id, deciding.now)
    milliseconds = _length(step) // timedelta(milliseconds=1)
    entry = entries.answered(step.action, entries.judged(step.action, {"delayed_ms": milliseconds}, sight), sight)
    told = {**entry, "timeMs": milliseconds}
    return replace(task, status=status_of(entry), output=told, reason_for_incompletion=reason_of(entry), end_time=deciding.now)


def _length(step: ActionStep) -> timedelta:
    return step.action.source.length if isinstance(step.action.source, DelaySource) else timedelta(0)
