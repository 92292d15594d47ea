"""How a step becomes a task attempt: where it stands, its ids, its resolved input."""

from dataclasses import replace
from datetime import timedelta

from fermata.domain import revisiting
from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.executions import Task
from fermata.domain.flow import suffixed
from fermata.domain.ids import task_id
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.planning import Planned, Spot
from fermata.domain.retries import jitter_of, retry_delay
from fermata.domain.starting import begin
from fermata.domain.status import TaskStatus
from fermata.domain.tasks.registry import TASK_TYPES
from fermata.domain.tasks.task_type import TaskType


def schedule(deciding: Deciding, planned: Planned) -> None:
    """Start the first attempt of a planned step, unless the run has a record of it already."""
    step, spot = planned.step, planned.spot or spot_of(deciding, planned.step)
    if deciding.workflow.revisited and revisiting.is_there(deciding, suffixed(step.task_reference_name, spot.iteration)):
        return
    delay = timedelta(seconds=step.start_delay) if TASK_TYPES[step.type].delays_start else timedelta(0)
    task = _new_task(deciding, step, spot, attempt=0, delay=delay)
    begin(deciding, step, replace(task, input={**task.input, **planned.given}))


def schedule_retry(deciding: Deciding, step: WorkflowTask, failed: Task, *, delayed: bool = True) -> None:
    """Replace a failed attempt by a new one. Its own `look_at` stays: its child may have to be told once more to end."""
    delay = timedelta(0)
    kind = TASK_TYPES[step.type]
    if delayed and step.task_definition and (kind.delays_start or kind.delays_retry):
        delay = retry_delay(step.task_definition, failed.retry_count, jitter_of(failed.task_id))
    attempt = failed.retry_count + 1
    deciding.put(replace(failed, retried=True, executed=True, due=None))
    task = replace(
        _new_task(deciding, step, spot_of_record(failed), attempt=attempt, delay=delay, generation=failed.generation),
        retried_task_id=failed.task_id,
        first_scheduled_time=failed.first_scheduled_time,
        reason_for_incompletion=failed.reason_for_incompletion,
    )
    begin(deciding, step, replace(task, input={**kind.given(failed.input), **task.input}))


def schedule_again(deciding: Deciding, dropped: Task, given: JsonObject | None = None) -> None:
    """Start the step of a record that was removed from the run, at the record's place. `given` replaces its input."""
    step = deciding.step(dropped)
    task = replace(_new_task(deciding, step, spot_of_record(dropped), attempt=0, delay=timedelta(0)), seq=dropped.seq)
    begin(deciding, step, task if given is None else replace(task, input=TASK_TYPES[step.type].given(given)))


def spot_of_record(task: Task) -> Spot:
    """Return where a record stands."""
    return Spot(task.loop, task.iteration, task.joined_by, task.step is not None)


def spot_of(deciding: Deciding, step: WorkflowTask) -> Spot:
    """Return where a step of the definition stands now."""
    loop = deciding.flow.loop_of(step.task_reference_name)
    return Spot(loop, deciding.workflow.iterations.get(loop, 0) if loop else 0)


def _new_task(deciding: Deciding, step: WorkflowTask, spot: Spot, *, attempt: int, delay: timedelta, generation: int | None = None) -> Task:
    kind, run = TASK_TYPES[step.type], deciding.workflow
    name = suffixed(step.task_reference_name, spot.iteration)
    generation = run.generation if generation is None else generation
    own_id = task_id(run.workflow_id, generation, name, attempt)
    resolved = _input(deciding, kind, step, own_id)
    deciding.change(tasks_scheduled=run.tasks_scheduled + 1)
    if spot.iteration and not spot.own_step:
        deciding.change(newest_iterations={**run.newest_iterations, step.task_reference_name: spot.iteration})
    return Task(
        task_id=own_id,
        workflow_id=run.workflow_id,
        task_reference_name=name,
        task_type=step.name if kind.record_is_step_name else kind.record_name or step.type,
        task_def_name=(kind.record_name or step.type) if kind.names_itself else step.name,
        status=TaskStatus.SCHEDULED,
        seq=run.tasks_scheduled + 1,
        scheduled_time=deciding.now,
        first_scheduled_time=deciding.now,
        input=resolved,
        retry_count=attempt,
        generation=generation,
        callback_after_seconds=int(delay.total_seconds()),
        iteration=spot.iteration,
        loop=spot.loop,
        step=step if spot.own_step else None,
        joined_by=spot.joined_by,
        due=deciding.now + delay,
    )


def _input(deciding: Deciding, kind: TaskType, step: WorkflowTask, own_id: str) -> dict[str, Json]:
    """Resolve the step's input; template keys fill what is absent or resolved to null (reference 4.6)."""
    if not kind.takes_input:
        return {}
    template = step.task_definition.input_template if step.task_definition and kind.merges_template else {}
    resolved = deciding.resolve({**template, **step.input_parameters}, own_id if kind.knows_own_id else None)
    return {key: template[key] if value is None and key in template else value for key, value in resolved.items()}
