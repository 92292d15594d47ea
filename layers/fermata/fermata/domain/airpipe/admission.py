"""What can be known about a request before anything runs: a missing address, one inside the network, a wait nobody could store."""

import ipaddress
from collections.abc import Iterator, Sequence
from datetime import timedelta
from urllib.parse import urlsplit

from fermata.domain.airpipe.actions import Action, HttpSource, StateSource, When
from fermata.domain.airpipe.interpolation import CALLER_ROOTS, Sight, Unresolved, resolved_text
from fermata.domain.airpipe.retrying import IN_PROCESS_BUDGET, longest_wait
from fermata.domain.airpipe.templates import markers_in


def refusal(actions: Sequence[Action], sight: Sight) -> str | None:
    """Return why the caller's request cannot work, as far as that is certain before a paid job may have been started.

    Looked at are addresses and state keys that only the caller's request fills in, of actions that run unless another one fails.
    """
    for action, text in _callers_texts(actions):
        try:
            value = resolved_text(text, sight)
        except Unresolved as error:
            return f"{action.name}: {error}"
        if "\r" in value or "\n" in value:
            return f"{action.name}: a line break cannot stand there"
        if isinstance(action.source, HttpSource) and is_inside(value):
            return f"{action.name}: {urlsplit(value).hostname} is not a public address"
    return None


def is_inside(url: str) -> bool:
    """Tell whether an address names something inside, by number or as localhost. What another name leads to is seen at the call."""
    host = (urlsplit(url).hostname or "").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return False


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
            roots = {marker.root for _, marker in markers_in(text)}
            if roots and roots <= CALLER_ROOTS:
                yield action, text


def _places(action: Action) -> tuple[str, ...]:
    match action.source:
        case HttpSource() as source:
            return (source.url,)
        case StateSource() as source:
            return (source.key, *(() if source.id is None else (source.id,)))
        case _:
            return ()
