"""AIRPIPE_OUTPUT: a literal or a selected value (`json_output`, `input`), evaluated while deciding (air pipe reference, 2.2)."""

from collections.abc import Mapping

from fermata.domain.airpipe import entries
from fermata.domain.airpipe.actions import InputSource, OutputSource
from fermata.domain.airpipe.interpolation import Sight, Unresolved, resolved, resolved_document, resolved_or_null
from fermata.domain.airpipe.json_text import parsed
from fermata.domain.airpipe.names import OUTPUT
from fermata.domain.airpipe.steps import ActionStep
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.tasks.airpipe_action import begin, finished
from fermata.domain.tasks.task_type import Start, Starting


def start(starting: Starting) -> Start:
    """Resolve the template, run the tests and finish."""
    return begin(starting, _runs)


def _runs(step: ActionStep, results: Mapping[str, JsonObject], sight: Sight) -> Start:  # noqa: ARG001 - see `begin`
    action = step.action
    entry = entries.attempted(action, lambda: entries.judged(action, _value(step, sight), sight))
    return finished(entries.answered(action, entry, sight))


def _value(step: ActionStep, sight: Sight) -> Json:
    match step.action.source:
        case InputSource(template):
            return resolved_or_null(template, sight)
        case OutputSource(str() as template):
            text = resolved_document(template, sight)
            try:
                return parsed(text)
            except ValueError as error:
                raise Unresolved(f"json_output is no JSON once its markers are resolved: {error}") from error
        case OutputSource(template):
            return resolved(template, sight)
        case other:
            raise Unresolved(f"{type(other).__name__} is not for {OUTPUT}")
