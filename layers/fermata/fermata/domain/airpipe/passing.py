"""How an action's step begins: its gates, its guard, and whether an action above has answered the caller already."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fermata.domain.airpipe import entries
from fermata.domain.airpipe.asserting import failures
from fermata.domain.airpipe.gates import Fail, Open, Skip, passage
from fermata.domain.airpipe.interpolation import Sight
from fermata.domain.airpipe.steps import ActionStep
from fermata.domain.json_value import JsonObject


@dataclass(frozen=True)
class Over:
    """The action is over before it ran."""

    entry: JsonObject


@dataclass(frozen=True)
class Runs:
    """The action runs and sees these results."""

    results: Mapping[str, JsonObject]


Begun: TypeAlias = Over | Runs


def begun(step: ActionStep, entry_of: Callable[[str], JsonObject | None], sight: Callable[[Mapping[str, JsonObject]], Sight]) -> Begun:
    """Return whether the action runs. `entry_of` may interrupt a decision to ask: it is asked for nothing that is not needed."""
    if any((entry_of(name) or {}).get("respond") for name in step.responders):
        return Over(entries.unreached())
    results = {name: entry for name in step.needs if (entry := entry_of(name)) is not None}
    match passage(step.action.gates, results):
        case Skip():
            return Over(entries.skipped())
        case Fail(error, code):
            return Over(entries.answered(step.action, entries.gated(error, code), sight(results)))
        case Open():
            guard = step.action.guard
            return Over(entries.skipped()) if guard is not None and failures(guard, None, sight(results)) else Runs(results)
