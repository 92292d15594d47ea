"""A served interface as JSON for people and pages: where it answers, what it does, how long it may wait (from its stored definition)."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from fermata.domain.airpipe.actions import Action, DelaySource
from fermata.domain.airpipe.admission import required
from fermata.domain.airpipe.compiling import ABOUT, unguarded
from fermata.domain.airpipe.explaining import source_told, spelled, told_of
from fermata.domain.airpipe.interpolation import SECRET_ROOTS
from fermata.domain.airpipe.names import ANSWER
from fermata.domain.airpipe.retrying import longest_wait, waits_in_process
from fermata.domain.airpipe.steps import kind_of, step_of
from fermata.domain.airpipe.templates import markers_in
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.json_value import Json, JsonObject

_TOLD = ("summary", "description", "tags", "request_example")


def overview(definition: WorkflowDefinition, prefix: str) -> JsonObject:
    """Return what is told of an interface. `prefix` stands before its route where it is served."""
    about = definition.metadata[ABOUT]
    inputs = [unguarded(dict(task.input_parameters)) for task in definition.tasks if task.type != ANSWER]
    actions = [step_of(each).action for each in inputs]
    documentation = about.get("documentation") or {}
    needed = required(actions)
    return {
        "config": about["config"],
        "interface": about["interface"],
        "method": about["method"],
        "path": prefix + about["route"],
        **{_camel(key): documentation[key] for key in _TOLD if key in documentation},
        "definition": definition.name,
        "version": definition.version,
        "updateTime": definition.update_time or definition.create_time,
        "parks": bool(about.get("parks")),
        "longestWaitSeconds": _seconds(sum((_waits(action) for action in actions), timedelta(0))),
        "waits": [line for action in actions for line in _waits_told(action)],
        "ceilings": [f"{action.name}: {action.retry.attempts} tries" for action in actions if action.retry.attempts > 1],
        "secrets": sorted({name for each in inputs for name in _secrets(each)}),
        "actions": [_action(action, needed.get(action.name, ())) for action in actions],
    }


def _action(action: Action, needed: Sequence[str]) -> JsonObject:
    return {
        "name": action.name,
        "type": kind_of(action),
        "does": source_told(action),
        "attempts": action.retry.attempts,
        "longestWaitSeconds": _seconds(_waits(action)),
        "parks": _parks(action),
        "notes": list(told_of(action, needed)),
    }


def _waits(action: Action) -> timedelta:
    """Return what an action waits when every try fails."""
    return longest_wait(action.retry) + (action.source.length if isinstance(action.source, DelaySource) else timedelta(0))


def _waits_told(action: Action) -> Iterator[str]:
    """Yield in words how long an action may wait, nothing when it does not."""
    if _waits(action):
        yield f"{action.name}: up to {spelled(_waits(action))}" + (", the run parked meanwhile" if _parks(action) else "")


def _parks(action: Action) -> bool:
    return action.retry.attempts > 1 and not waits_in_process(action.retry, action.retry.attempts - 1)


def _secrets(given: Json) -> set[str]:
    """Return the organisation variables that a step names: each is a secret of the server."""
    return {marker.path for _, marker in markers_in(given) if marker.root in SECRET_ROOTS and marker.path}


def _seconds(length: timedelta) -> float:
    return length.total_seconds()


def _camel(key: str) -> str:
    first, *more = key.split("_")
    return first + "".join(word.title() for word in more)
