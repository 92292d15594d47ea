"""WAIT: over after a duration, at a moment, or when an outside party says so (Conductor engine reference, 6.13)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.durations import parse_duration, parse_until
from fermata.domain.errors import Violation
from fermata.domain.executions import Task
from fermata.domain.expressions.text import text_of
from fermata.domain.json_value import Json
from fermata.domain.status import TaskStatus
from fermata.domain.tasks import hooks
from fermata.domain.tasks.task_type import Finished, Start, Starting, TaskType, Wait, text_expression

FARTHEST = datetime(9000, 1, 1, tzinfo=UTC)  # Python's dates end in 9999; what is added to a deadline must still be one


def start(starting: Starting) -> Start:
    """Compute the deadline. A text that is not one fails the task for good."""
    duration, until = _given(starting.task.input.get("duration")), _given(starting.task.input.get("until"))
    if duration and until:
        return Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason="WAIT takes duration or until, not both")
    try:
        if duration:
            return Wait(_later(starting.now, parse_duration(duration)))
        return Wait(min(parse_until(until), FARTHEST) if until else None)
    except ValueError as error:
        return Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason=str(error))


def moved(deciding: Deciding, task: Task) -> Task:
    """Complete a task whose time has come."""
    if task.due is None or task.due > deciding.now:
        return task
    return replace(task, status=TaskStatus.COMPLETED, end_time=deciding.now)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield both given at once, and literal texts that are not a duration or a moment."""
    duration, until = task.input_parameters.get("duration"), task.input_parameters.get("until")
    if _given(duration) and _given(until):
        yield Violation(f"{path}.inputParameters", f"WAIT task {task.task_reference_name} takes duration or until, not both")
    for key, value, parse in (("duration", duration, parse_duration), ("until", until, parse_until)):
        literal = text_expression(_given(value))
        if not literal:
            continue
        try:
            parse(literal)
        except ValueError as error:
            yield Violation(f"{path}.inputParameters.{key}", str(error), value)


def _later(now: datetime, duration: timedelta) -> datetime:
    return now + duration if duration < FARTHEST - now else FARTHEST


def _given(value: Json) -> str:
    return "" if value is None else text_of(value).strip()


WAIT = TaskType("WAIT", start, validate, moved=moved, deadline=hooks.in_its_own_time)
