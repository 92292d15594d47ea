"""What can be known about a request before anything runs: a missing address, one inside the network, a wait nobody could store."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from fermata.domain.airpipe.actions import Action, HttpSource, StateSource, When
from fermata.domain.airpipe.addresses import wrong_address
from fermata.domain.airpipe.filters import as_text
from fermata.domain.airpipe.interpolation import CALLER_ROOTS, Sight, Unresolved, resolved_text, value_of
from fermata.domain.airpipe.markers import Marker
from fermata.domain.airpipe.retrying import IN_PROCESS_BUDGET, longest_wait
from fermata.domain.airpipe.selecting import Missing
from fermata.domain.airpipe.templates import VARIABLE, markers_in


def refusal(actions: Sequence[Action], sight: Sight) -> str | None:
    """Return why the caller's request cannot work, as far as that is certain before a paid job may have been started.

    Looked at is what the caller's request puts into addresses, headers and state keys, of actions that run unless another one fails.
    """
    provided_for = _provided_for(actions)
    for action, text in _callers_texts(actions):
        wrong = _wrong(action, text, sight, may_miss=action.name in provided_for)
        if wrong:
            return f"{action.name}: {wrong}"
    return None


def required(actions: Sequence[Action]) -> dict[str, list[str]]:
    """Return by action the markers, as they are written, without which `refusal` refuses every request."""
    found: dict[str, list[str]] = {}
    provided_for = _provided_for(actions)
    for action, text in _callers_texts(actions):
        markers = [marker for _, marker in markers_in(text, VARIABLE) if marker.root in CALLER_ROOTS]
        if action.name not in provided_for:
            found.setdefault(action.name, []).extend(marker.source for marker in markers if not _has_default(marker))
    return found


def _provided_for(actions: Sequence[Action]) -> set[str]:
    """Return the actions of which the author says what happens when they fail."""
    answered = {action.name for action in actions if action.on_error is not None}
    return answered | {name for action in actions for gate in action.gates if gate.when is When.FAILED for name in gate.actions}


def _has_default(marker: Marker) -> bool:
    return any(each.name == "default" for each in marker.filters)


def _wrong(action: Action, text: str, sight: Sight, *, may_miss: bool) -> str | None:
    """Return what is wrong with what the caller gives to a text, and with the whole text where nothing else fills it in.

    `may_miss`: the author says what happens when the action fails, and so nobody need be refused for what is missing.
    """
    markers = [marker for _, marker in markers_in(text, VARIABLE)]
    try:
        values = [_given(marker, sight) for marker in markers if marker.root in CALLER_ROOTS]
        whole = resolved_text(text, sight) if all(marker.root in CALLER_ROOTS for marker in markers) else None
    except Unresolved as error:
        return None if may_miss else str(error)
    if any("\r" in value or "\n" in value for value in values):
        return "a line break cannot stand there"
    is_address = isinstance(action.source, HttpSource) and text == action.source.url
    return wrong_address(whole) if is_address and whole is not None else None


def _given(marker: Marker, sight: Sight) -> str:
    value = value_of(marker, sight)
    if isinstance(value, Missing):
        raise Unresolved(f"cannot resolve {marker.source}", by_caller=True)
    return as_text(value)


def unstorable_wait(actions: Sequence[Action], budget: timedelta = IN_PROCESS_BUDGET) -> tuple[Action, timedelta] | None:
    """Return an action that may wait longer than one invocation can, and how long; None when there is none."""
    waits = [(action, longest_wait(action.retry)) for action in actions]
    return next(((action, wait) for action, wait in waits if wait > budget), None)


def _callers_texts(actions: Sequence[Action]) -> Iterator[tuple[Action, str]]:
    certain: set[str] = set()
    for action in actions:
        plain = all(gate.when is When.SUCCEEDED and gate.at_least is None and certain.issuperset(gate.actions) for gate in action.gates)
        if action.guard is not None or not plain:
            continue
        certain.add(action.name)
        for text in _places(action):
            if any(marker.root in CALLER_ROOTS for _, marker in markers_in(text, VARIABLE)):
                yield action, text
        if action.on_success is not None:
            return  # it may end the interface: what stands behind it need not run


def _places(action: Action) -> tuple[str, ...]:
    match action.source:
        case HttpSource() as source:
            return (source.url, *source.headers.values(), *(() if source.idempotency_key is None else (source.idempotency_key,)))
        case StateSource() as source:
            return (source.namespace, source.key, *(() if source.id is None else (source.id,)))
        case _:
            return ()
