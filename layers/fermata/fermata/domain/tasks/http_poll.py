"""HTTP_POLL: one task that polls a URL until its condition holds. Its rules stand in the `poll_*` modules next door."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta

from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.effects import ClosePoll, Effect
from fermata.domain.errors import Violation
from fermata.domain.executions import Task
from fermata.domain.http_rules import BadRequestFields, build_request, request_fields
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.near_misses import near_misses
from fermata.domain.output_filter import filter_error
from fermata.domain.poll_settings import POLLING_KEYS, REQUEST_KEYS, poll_settings, polling_fields
from fermata.domain.questions import Evaluate, Language
from fermata.domain.status import TaskStatus
from fermata.domain.tasks import hooks, http
from fermata.domain.tasks.task_type import Finished, Poll, Start, Starting, TaskType, text_expression

_OWN_NAMES = frozenset({"output", "input"})
# What other documents call the same thing, too far from our names for a spelling check.
_OTHER_NAMES = {"maxpolls": "maxPollCount", "interval": "pollingInterval"}


def start(starting: Starting) -> Start:
    """Begin to poll, or fail for good when the resolved fields cannot be used."""
    try:
        settings = poll_settings(starting.task.input, timedelta(0))
        build_request(request_fields(starting.task.input), default_method="GET")
    except BadRequestFields as error:
        return Finished(TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason=str(error))
    return Poll(_context(settings.condition or "", starting))


def let_go(deciding: Deciding, task: Task) -> Iterable[Effect]:  # noqa: ARG001 - the signature of a task type's `let_go`
    """Make every later alarm of its polls stale."""
    return (ClosePoll(task.task_id),)


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a missing request, values of the wrong kind, and keys that are nearly one of ours."""
    yield from http.validate_request(task, path)
    yield from _near_misses(task.input_parameters, f"{path}.inputParameters")
    nested = task.input_parameters.get("http_request")
    if isinstance(nested, Mapping):
        yield from _near_misses(nested, f"{path}.inputParameters.http_request")
    literal = {key: value for key, value in polling_fields(task.input_parameters).items() if not _is_expression(value)}
    for key, value in literal.items():
        try:
            poll_settings({key: value}, timedelta(0))
        except BadRequestFields as error:
            yield Violation(f"{path}.inputParameters.{_place(task.input_parameters, key)}", str(error), value)
    expression = literal.get("outputFilter")
    wrong = filter_error(expression) if isinstance(expression, str) else None
    if wrong:
        yield Violation(f"{path}.inputParameters.{_place(task.input_parameters, 'outputFilter')}", f"outputFilter: {wrong}", expression)


def expressions(task: WorkflowTask) -> Mapping[str, Evaluate]:
    """Return the condition, where it stands in the definition."""
    condition = text_expression(polling_fields(task.input_parameters).get("terminationCondition"))
    if not condition:
        return {}
    place = f"inputParameters.{_place(task.input_parameters, 'terminationCondition')}"
    return {place: Evaluate(Language.JAVASCRIPT, condition, "{}")}


def _context(condition: str, starting: Starting) -> JsonObject:
    """Return the outputs of the earlier tasks whose reference names the condition mentions."""
    named = [name for name in starting.known_references - _OWN_NAMES if re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", condition)]
    outputs = {name: starting.output_of(name) for name in sorted(named)}
    return {name: {"output": output} for name, output in outputs.items() if output is not None}


def _near_misses(keys: Iterable[str], path: str) -> Iterable[Violation]:
    for key, meant in near_misses(keys, POLLING_KEYS | REQUEST_KEYS | {"http_request"}, _OTHER_NAMES):
        yield Violation(f"{path}.{key}", f"'{key}' is not a field of HTTP_POLL; did you mean '{meant}'?", key)


def _place(given: JsonObject, key: str) -> str:
    nested = given.get("http_request")
    return f"http_request.{key}" if isinstance(nested, Mapping) and key in nested else key


def _is_expression(value: Json) -> bool:
    return "${" in json.dumps(value)


HTTP_POLL = TaskType(
    "HTTP_POLL",
    start,
    validate,
    expressions,
    deadline=hooks.in_its_own_time,
    let_go=let_go,
    merges_template=True,
    delays_start=True,
    keeps_polls=True,
    asks_a_vendor=True,
)
