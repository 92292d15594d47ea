"""AIRPIPE_ANSWER: the last step of an interface; it ends the run with what the caller gets (air pipe reference, 6)."""

from collections.abc import Iterable, Mapping
from itertools import count

from fermata.domain.airpipe.actions import Action, Codes, Deciding, OutputSource, Visibility
from fermata.domain.airpipe.assert_reading import read_assert
from fermata.domain.airpipe.attempts import reason_of
from fermata.domain.airpipe.entries import FAILED, judged
from fermata.domain.airpipe.envelope import Answer, answer, nothing_checked
from fermata.domain.airpipe.interpolation import Sight
from fermata.domain.airpipe.known_keys import HIDING
from fermata.domain.airpipe.noting import Notes
from fermata.domain.airpipe.steps import derived_id
from fermata.domain.definitions import WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.status import WorkflowStatus
from fermata.domain.tasks.task_type import EndWorkflow, Start, Starting


def start(starting: Starting) -> Start:
    """Answer, and end the run: `FAILED` when the caller gets an error."""
    given = starting.task.input
    actions = [_action(each) for each in given.get("actions") or ()]
    entries = {action.name: entry for action in actions if (entry := starting.output_of(action.name)) is not None}
    answered = answer(actions, entries, _codes(given.get("codes") or {}), given.get("headers") or {}, lambda: _checked(starting, entries))
    status = WorkflowStatus.FAILED if answered.is_error else WorkflowStatus.COMPLETED
    return EndWorkflow(status, document(answered), _reason(answered, actions, entries))


def _checked(starting: Starting, entries: Mapping[str, JsonObject]) -> JsonObject:
    """Return how the interface's own assert went: it looks at the data of the last action in the list."""
    given = starting.task.input
    if not given.get("assert"):
        return nothing_checked()
    checks = read_assert(Notes(), given["assert"], "assert")
    request = starting.workflow.input.get("request")
    ids = count(1)
    sight = Sight(
        request=request if isinstance(request, Mapping) else {},
        results=entries,
        variables=given.get("variables") or {},
        evaluate=starting.evaluate,
        fresh_id=lambda: derived_id(starting.task.task_id, next(ids)),
        now=starting.now,
    )
    last = entries.get(given["actions"][-1]["name"], {}).get("data")
    return judged(Action("", OutputSource({}), asserts=checks), last, sight)


def _codes(given: JsonObject) -> Codes:
    return Codes(
        given.get("onError"), tuple(given.get("inherited") or ()), given.get("fallback"), Deciding(given.get("deciding") or "last_action")
    )


def document(answered: Answer) -> dict[str, Json]:
    """Return the run's output."""
    return {"httpCode": answered.http_code, "headers": dict(answered.headers), "body": answered.body}


def validate(task: WorkflowTask, path: str) -> Iterable[Violation]:
    """Yield a step that names no actions."""
    actions = task.input_parameters.get("actions")
    if not isinstance(actions, list) or not all(isinstance(each, Mapping) and isinstance(each.get("name"), str) for each in actions):
        yield Violation(f"{path}.inputParameters.actions", "must be a list of actions: register Air Pipe files, not their steps")


def _action(given: JsonObject) -> Action:
    hidden = given.get("action") or {}
    return Action(given["name"], OutputSource({}), visible=Visibility(*(not hidden.get(key, False) for key in HIDING)))


def _reason(answered: Answer, actions: Iterable[Action], entries: Mapping[str, JsonObject]) -> str:
    if not answered.is_error:
        return ""
    failed = [  # none where the interface's own assert failed
        f"{action.name}: {reason_of(entries[action.name])}" for action in actions if entries.get(action.name, {}).get("result") == FAILED
    ]
    return f"The caller was answered {answered.http_code}" + (f"; {failed[0]}" if failed else "")
