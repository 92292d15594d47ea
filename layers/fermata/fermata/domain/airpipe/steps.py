"""An action as a step of a workflow definition: what its input says, and what its markers may see while it runs."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from fermata.domain.airpipe.action_reading import read_action
from fermata.domain.airpipe.actions import Action
from fermata.domain.airpipe.interpolation import Sight
from fermata.domain.airpipe.names import DELAY, HTTP, OUTPUT, STATE
from fermata.domain.airpipe.noting import Notes
from fermata.domain.errors import Violation
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.questions import Evaluate, EvaluationResult

_IDS = uuid.UUID("0f7d3c0a-6c0e-5c39-9f5c-2f1f1d4f7b21")
_BESIDE = frozenset({"previous", "defaults"})  # what stands with an action's own text so that it can be read alone


@dataclass(frozen=True)
class ActionStep:
    """`needs`: the actions whose results it looks at. `responders`: those above it that may have answered the caller."""

    action: Action
    config: str
    interface: str
    needs: tuple[str, ...]
    responders: tuple[str, ...]
    variables: JsonObject


def step_of(given: JsonObject) -> ActionStep:
    """Return the step that a task's input tells. Raises `ValueError` when it tells none."""
    notes = Notes()
    step = _read(notes, given)
    if notes.violations:
        raise ValueError(notes.violations[0].message)
    return step


def wrong_with(given: JsonObject, path: str) -> Iterator[Violation]:
    """Yield what is wrong with a step that somebody wrote by hand."""
    notes = Notes()
    _read(notes, given)
    for each in notes.violations:
        yield Violation(f"{path}.{each.path}", each.message)


def _read(notes: Notes, given: JsonObject) -> ActionStep:
    written = given.get("action")
    if not isinstance(written, Mapping):
        notes.refuse("action", "must be a map: register Air Pipe files, not their steps")
        written = {"json_output": {}}
    defaults = written.get("defaults")
    text = {key: value for key, value in written.items() if key not in _BESIDE}
    return ActionStep(
        action=read_action(
            notes, text, "action", str(given.get("config", "")), written.get("previous"), defaults if isinstance(defaults, Mapping) else {}
        ),
        config=str(given.get("config", "")),
        interface=str(given.get("interface", "")),
        needs=tuple(given.get("needs") or ()),
        responders=tuple(given.get("responders") or ()),
        variables=given.get("variables") or {},
    )


def kind_of(action: Action) -> str:
    """Return the task type that carries an action out."""
    return {"HttpSource": HTTP, "StateSource": STATE, "DelaySource": DELAY}.get(type(action.source).__name__, OUTPUT)


def sight_of(
    step: ActionStep,
    run_input: JsonObject,
    results: Mapping[str, JsonObject],
    evaluate: Callable[[Evaluate], EvaluationResult],
    place: str,
    now: datetime,
) -> Sight:
    """Return what the step's markers may see. `place` names the try: ids made in it are always the same."""
    numbers = count(1)
    request: Json = run_input.get("request")
    known = request if isinstance(request, Mapping) else {}
    return Sight(known, results, step.variables, evaluate, lambda: derived_id(place, next(numbers)), now=now)


def derived_id(place: str, number: int) -> str:
    """Return the id that an `a|uuid|` stands for: another one for each place and number."""
    return str(uuid.uuid5(_IDS, f"{place}/{number}"))


def own_call_id(task_id: str, attempt: int) -> str:
    """Return the id of the run that a try starts by calling the file's own address: a repeated delivery starts no second one."""
    return str(uuid.uuid5(_IDS, f"call/{task_id}/{attempt}"))
