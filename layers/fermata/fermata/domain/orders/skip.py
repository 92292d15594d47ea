"""Skip: a record is made ahead of time, and the flow jumps over its step (Conductor engine reference, 7.6 and 6.26)."""

from fermata.domain.commands import Skip
from fermata.domain.deciding import Deciding
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.executions import Task
from fermata.domain.flow import suffixed, unsuffixed
from fermata.domain.ids import task_id
from fermata.domain.status import TaskStatus, WorkflowStatus


def skip(deciding: Deciding, command: Skip) -> None:
    """Make the SKIPPED record. In a loop it is that of the iteration that runs, or of the first one when none does.

    Raises `Conflict` when the run is not RUNNING or the task was scheduled already, `NotFound` when the definition has no such task.
    """
    run, name = deciding.workflow, command.reference_name
    if run.status is not WorkflowStatus.RUNNING:
        raise Conflict(f"Workflow {run.workflow_id} is {run.status}; only in a RUNNING workflow a task can be skipped")
    if name not in deciding.flow.places:
        raise NotFound(f"The definition of workflow {run.workflow_id} has no task with the reference name {name}")
    loop = deciding.flow.loop_of(name)
    iteration = max(1, run.iterations.get(loop, 0)) if loop else 0
    record_name = suffixed(name, iteration)
    if deciding.record(record_name) is not None:
        raise Conflict(f"Task {record_name} of workflow {run.workflow_id} was scheduled already and cannot be skipped")
    deciding.change(tasks_scheduled=run.tasks_scheduled + 1, revisited=True)
    if iteration:
        deciding.change(newest_iterations={**run.newest_iterations, name: iteration})
    deciding.put(_record(deciding, command, record_name, loop, iteration))


def _record(deciding: Deciding, command: Skip, record_name: str, loop: str | None, iteration: int) -> Task:
    run, step = deciding.workflow, deciding.flow.step(unsuffixed(record_name, iteration))
    return Task(
        task_id=task_id(run.workflow_id, run.generation, record_name, 0),
        workflow_id=run.workflow_id,
        task_reference_name=record_name,
        task_type=step.name,
        task_def_name=step.name,
        status=TaskStatus.SKIPPED,
        seq=run.tasks_scheduled,
        scheduled_time=deciding.now,
        first_scheduled_time=deciding.now,
        start_time=deciding.now,
        end_time=deciding.now,
        input=command.input,
        output=command.output,
        generation=run.generation,
        iteration=iteration,
        loop=loop,
    )
