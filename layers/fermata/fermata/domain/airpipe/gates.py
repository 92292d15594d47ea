"""Whether an action runs, by what became of those it waits for (air pipe reference, 2.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fermata.domain.airpipe.actions import Gate, When
from fermata.domain.airpipe.entries import FAILED, SKIPPED, SUCCEEDED
from fermata.domain.json_value import JsonObject


@dataclass(frozen=True)
class Open:
    """The action runs."""


@dataclass(frozen=True)
class Skip:
    """The action does not run, and that is no failure."""


@dataclass(frozen=True)
class Fail:
    """The action fails unrun. `code`: the gate's own, or what the action that caused it would have answered."""

    error: str
    code: int | None


Passage: TypeAlias = Open | Skip | Fail


def passage(gates: tuple[Gate, ...], results: Mapping[str, JsonObject]) -> Passage:
    """Return whether an action may run. A gate that fails it wins over one that skips it."""
    found = [_through(gate, results) for gate in gates]
    failed = next((each for each in found if isinstance(each, Fail)), None)
    return failed or next((each for each in found if isinstance(each, Skip)), Open())


def _through(gate: Gate, results: Mapping[str, JsonObject]) -> Passage:
    became = {name: results.get(name, {}).get("result", SKIPPED) for name in gate.actions}
    needed = len(gate.actions) if gate.at_least is None else gate.at_least
    match gate.when:
        case When.FINISHED:
            return Open()
        case When.FAILED:
            return Open() if sum(each == FAILED for each in became.values()) >= needed else Skip()
        case When.SUCCEEDED:
            if sum(each == SUCCEEDED for each in became.values()) >= needed:
                return Open()
            cause = next((name for name, each in became.items() if each == FAILED), None)
            return Skip() if cause is None else _failed(gate, cause, results)


def _failed(gate: Gate, cause: str, results: Mapping[str, JsonObject]) -> Fail:
    previous = "previous " if cause in gate.previous else ""
    return Fail(f"{previous}action '{cause}' did not succeed", gate.http_code or results[cause].get("httpCode"))
