"""JOIN and EXCLUSIVE_JOIN: waiting for other tasks of the run (Conductor engine reference, 6.4 and 6.5)."""

from dataclasses import replace

from fermata.domain.deciding import Deciding
from fermata.domain.executions import Task
from fermata.domain.flow import suffixed
from fermata.domain.json_value import Json
from fermata.domain.status import TaskStatus


def begin(deciding: Deciding, task: Task, awaited: tuple[str, ...]) -> None:
    """Open a JOIN over these records. One that awaits nothing is over at once."""
    names = tuple(_standing_for(deciding, suffixed(name, task.iteration)) for name in awaited)
    left = sum(1 for found in deciding.records(names) if found is None or not found.executed)
    _open(deciding, replace(task, input={**task.input, "joinOn": list(names)}), left)


def begin_first(deciding: Deciding, task: Task, awaited: tuple[str, ...], otherwise: tuple[str, ...]) -> None:
    """Open an EXCLUSIVE_JOIN. It may find its task over already: it mostly follows the SWITCH whose branches it joins."""
    names = {"joinOn": list(awaited), "defaultExclusiveJoinTask": list(otherwise)}
    suffix = {key: [suffixed(name, task.iteration) for name in value] for key, value in names.items()}
    _open(deciding, replace(task, input={**task.input, **suffix}), 0)


def moved(deciding: Deciding, task: Task) -> Task:
    """Return an open JOIN as it is now that something it awaits is over."""
    if deciding.workflow.joins.get(task.task_reference_name, 0) > 0:
        return task
    awaited = [found for found in deciding.records(task.input.get("joinOn", ())) if found is not None]
    output = {found.task_reference_name: dict(found.output) for found in awaited if found.output}
    failed = [found for found in awaited if not found.status.successful]
    return _ended(deciding, task, *_verdict(awaited, failed), output)


def moved_first(deciding: Deciding, task: Task) -> Task:
    """Return an open EXCLUSIVE_JOIN as the first scheduled of those it awaits has it; else as the first of the default ones."""
    found = next((record for record in deciding.records(task.input.get("joinOn", ())) if _counts(record)), None)
    if found is None or not found.status.terminal:
        others = deciding.records(task.input.get("defaultExclusiveJoinTask", ()))
        found = next((record for record in others if _counts(record)), None) if found is None else found
    if found is None or not found.executed:
        return task
    status = TaskStatus.COMPLETED if found.status.successful else TaskStatus.FAILED
    return _ended(deciding, task, status, found.reason_for_incompletion, dict(found.output))


def fail_for_ever_waiting(deciding: Deciding, task: Task) -> Task:
    """Return a JOIN that nothing can end any more, failed with the names it waits for."""
    names = [*task.input.get("joinOn", ()), *task.input.get("defaultExclusiveJoinTask", ())]
    missing = [name for name, found in zip(names, deciding.records(names), strict=True) if found is None or not found.executed]
    reason = f"{task.task_type} waits for {', '.join(missing) or 'no task'}, and nothing is left in the run that could start it"
    return _ended(deciding, task, TaskStatus.FAILED, reason, {})


def _open(deciding: Deciding, task: Task, left: int) -> None:
    waiting = replace(task, status=TaskStatus.IN_PROGRESS, start_time=deciding.now, due=None)
    deciding.change(joins={**deciding.workflow.joins, task.task_reference_name: left})
    deciding.put(waiting)


def _standing_for(deciding: Deciding, name: str) -> str:
    """Return the record to await: for a SWITCH that a dynamic fork added that of the task it chose (reference 6.6)."""
    while name in deciding.stand_ins:
        name = deciding.stand_ins[name]
    return name


def _counts(record: Task | None) -> bool:
    return record is not None and record.status is not TaskStatus.SKIPPED


def _verdict(awaited: list[Task], failed: list[Task]) -> tuple[TaskStatus, str | None]:
    if failed:
        canceled = all(found.status is TaskStatus.CANCELED for found in failed)
        reason = " ".join(found.reason_for_incompletion or "" for found in failed).strip()
        return (TaskStatus.CANCELED if canceled else TaskStatus.FAILED), reason
    lenient = [found for found in awaited if found.status is TaskStatus.COMPLETED_WITH_ERRORS]
    if lenient:
        named = " ".join(f"{found.task_def_name}/{found.task_id}" for found in lenient)
        return TaskStatus.COMPLETED_WITH_ERRORS, f"{named} completed with errors"
    return TaskStatus.COMPLETED, None


def _ended(deciding: Deciding, task: Task, status: TaskStatus, reason: str | None, output: dict[str, Json]) -> Task:
    return replace(task, status=status, reason_for_incompletion=reason, output=output, end_time=deciding.now)
