"""HTTP_POLL: polls that a timeout cuts short, and intervals that the server raises."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from fermata.domain.checks.subject import DefinitionWarning, Subject
from fermata.domain.definitions import TaskTimeoutPolicy, WorkflowTask, WorkflowTimeoutPolicy
from fermata.domain.http_rules import BadRequestFields
from fermata.domain.json_value import Json
from fermata.domain.poll_settings import PollSettings, poll_settings, polling_fields
from fermata.domain.poll_timing import interval_after

_MAX_SUMMED = 10_000  # polls; with more the sum is taken to go on at the longest interval


def cut_short_polls(subject: Subject) -> Iterable[DefinitionWarning]:
    """Warn where the polls asked for, or their deadline, outlast a timeout: that ends the task before its own limit does.

    Only fields that stand in the definition as values count, and a `maxPollCount` that nobody wrote is nobody's plan.
    """
    for task, path, literal in _polls(subject):
        settings = _settings(subject, literal)
        if settings is None:
            continue
        for name, limit in _timeouts(subject, task):
            yield from _late_deadline(settings, _place(task, path, "pollDeadlineSeconds"), name, limit)
            if "maxPollCount" in literal and _paced_by_values(task):
                yield from _too_many(settings, _place(task, path, "maxPollCount"), name, limit)


def raised_intervals(subject: Subject) -> Iterable[DefinitionWarning]:
    """Warn where `pollingInterval` is below the server's floor, with the interval that counts."""
    for task, path, literal in _polls(subject):
        settings = _settings(subject, {key: literal[key] for key in literal if key == "pollingInterval"})
        if settings is None or "pollingInterval" not in literal:
            continue
        asked = float(literal["pollingInterval"] or 0)
        if asked < settings.interval.total_seconds():
            effective = _seconds(settings.interval)
            name = task.task_reference_name
            message = f"pollingInterval {_number(asked)} s of {name} is below this server's least; polls are {effective} apart"
            yield DefinitionWarning(_place(task, path, "pollingInterval"), message, "POLL_INTERVAL_RAISED")


def _polls(subject: Subject) -> Iterator[tuple[WorkflowTask, str, dict[str, Json]]]:
    """Yield each HTTP_POLL task with its path and those polling fields that are known before a run."""
    for task, path in subject.located:
        if task.type == "HTTP_POLL":
            fields = polling_fields(_given(task))
            yield task, path, {key: value for key, value in fields.items() if not _is_expression(value)}


def _given(task: WorkflowTask) -> dict[str, Json]:
    template = task.task_definition.input_template if task.task_definition else {}
    return {**template, **task.input_parameters}


def _is_expression(value: Json) -> bool:
    return isinstance(value, str) and "${" in value


def _settings(subject: Subject, literal: dict[str, Json]) -> PollSettings | None:
    try:
        return poll_settings(literal, subject.min_poll_interval)
    except (BadRequestFields, TypeError):
        return None


def _timeouts(subject: Subject, task: WorkflowTask) -> Iterator[tuple[str, int]]:
    definition, policy = subject.definition, task.task_definition
    if definition.timeout_seconds > 0 and definition.timeout_policy is WorkflowTimeoutPolicy.TIME_OUT_WF:
        yield "the workflow's timeoutSeconds", definition.timeout_seconds
    if policy and policy.timeout_policy is not TaskTimeoutPolicy.ALERT_ONLY:
        for name, seconds in (("timeoutSeconds", policy.timeout_seconds), ("totalTimeoutSeconds", policy.total_timeout_seconds)):
            if seconds > 0:
                yield f"the task definition's {name}", seconds


def _late_deadline(settings: PollSettings, place: str, name: str, limit: int) -> Iterator[DefinitionWarning]:
    if settings.deadline and settings.deadline >= timedelta(seconds=limit):
        message = f"pollDeadlineSeconds ({_seconds(settings.deadline)}) is not before {name} ({limit} s), which ends the polling first"
        yield DefinitionWarning(place, message, "POLL_DEADLINE_AFTER_TIMEOUT")


def _too_many(settings: PollSettings, place: str, name: str, limit: int) -> Iterator[DefinitionWarning]:
    allowed = timedelta(seconds=limit)
    if settings.deadline and settings.deadline < allowed:
        return  # the deadline comes first, as it should
    needed = time_of(settings)
    if needed >= allowed:
        message = f"{settings.max_poll_count} polls ({settings.strategy}, {_seconds(settings.interval)}) take {_seconds(needed)}; "
        yield DefinitionWarning(place, message + f"{name} ({limit} s) ends the polling first", "POLLS_OUTLAST_TIMEOUT")


def _paced_by_values(task: WorkflowTask) -> bool:
    """Tell whether everything that spaces and bounds the polls is known before a run."""
    paced = ("pollingInterval", "pollingStrategy", "maxPollingInterval", "pollDeadlineSeconds")
    fields = polling_fields(_given(task))
    return not any(_is_expression(fields.get(key)) for key in paced)


def time_of(settings: PollSettings) -> timedelta:
    """Return the time from the first poll to the last one that `maxPollCount` allows, vendors answering at once."""
    waits = settings.max_poll_count - 1
    total = sum((interval_after(settings, made) for made in range(1, min(waits, _MAX_SUMMED) + 1)), timedelta(0))
    if waits <= _MAX_SUMMED:
        return total
    try:
        return total + (waits - _MAX_SUMMED) * interval_after(settings, _MAX_SUMMED)
    except OverflowError:
        return timedelta.max


def _place(task: WorkflowTask, path: str, key: str) -> str:
    nested = task.input_parameters.get("http_request")
    inside = isinstance(nested, dict) and key in nested
    return f"{path}.inputParameters.{'http_request.' if inside else ''}{key}"


def _seconds(duration: timedelta) -> str:
    return f"{_number(duration.total_seconds())} s"


def _number(value: float) -> str:
    return f"{value:g}" if value < 10**6 else f"{value:.0f}"
