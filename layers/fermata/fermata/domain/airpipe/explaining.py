"""What a configuration will do, in lines for people: endpoints, waits, ceilings, and what each failure answers."""

from collections.abc import Iterator
from datetime import timedelta

from fermata.domain.airpipe.actions import Action, Config, Deciding, HttpSource, Interface, StateSource
from fermata.domain.airpipe.compiling import definition_name
from fermata.domain.airpipe.entries import OURS
from fermata.domain.airpipe.interpolation import SECRET_ROOTS
from fermata.domain.airpipe.operators import OPERATORS
from fermata.domain.airpipe.operators.comparing import COMPARING
from fermata.domain.airpipe.reading import schedule
from fermata.domain.airpipe.retrying import Retry, longest_wait, waits_in_process
from fermata.domain.airpipe.templates import VARIABLE, markers_in, variables_used


def explained(config: Config) -> Iterator[str]:
    """Yield the lines."""
    yield f"{config.name}: {len(config.interfaces)} interfaces"
    for interface in config.interfaces:
        yield ""
        yield f"{interface.method} {interface.route}"
        yield f"  runs are executions of {definition_name(interface.method, interface.route)}"
        yield from (f"  {line}" for line in _of_interface(interface))
    warnings = [*config.warnings, *(line for interface in config.interfaces for line in _ambiguous(interface))]
    if warnings:
        yield ""
        yield from (f"warning: {warning}" for warning in warnings)


def _of_interface(interface: Interface) -> Iterator[str]:
    by_name = {action.name: action for action in interface.actions}
    for name in schedule(interface.actions, interface.written):
        yield f"{name}: {source_told(by_name[name])}"
        yield from (f"  {line}" for line in told_of(by_name[name]))
    names = sorted(_organisation_variables(interface))
    if names:
        yield f"needs the organisation variables {', '.join(names)}"
    if interface.checks:
        yield "its own assert is run on the data of the last action in the list, when nothing failed before"
    yield from _status(interface)


def _status(interface: Interface) -> Iterator[str]:
    codes = interface.codes
    yield from (f"a failure of {name} decides the status" for name in codes.inherited)
    if codes.on_error:
        yield f"any {'other ' if codes.inherited else ''}failure answers {codes.on_error}"
        return
    deciding = {
        Deciding.LAST: f"that of {interface.actions[-1].name}, the last action in the list",
        Deciding.LAST_FAILED: "that of the last action that failed, otherwise that of the last in the list",
        Deciding.ANY: "that of the first action that failed, otherwise that of the last in the list",
    }[codes.deciding]
    yield f"the answer's status is {deciding}"
    if codes.fallback:
        yield f"a failure that names no status answers {codes.fallback}"


def _ambiguous(interface: Interface) -> Iterator[str]:
    """Yield where Air Pipe's documentation leaves open what this file asks for, and how it is read here (air pipe reference, 7)."""
    for action in interface.actions:
        place = f"interfaces.{interface.key}.actions.{action.name}"
        retry = action.retry
        if retry.attempts > 1 and retry.full_jitter is None and not waits_in_process(retry, retry.attempts - 1):
            yield f"{place}.retry: jitter is not said; a parked run waits the whole delay, and attempts counts the first try"
        if retry.attempts > 1 and action.asserts.tests:
            yield f"{place}.assert: every answer that fails it is asked again, also one that tells of a failed job"
        yield from _read_operators(action, f"{place}.assert")
        if isinstance(action.source, HttpSource) and _is_own(action.source.url):
            yield f"{place}.http.url: the file's own address is answered in this process; nothing else on this machine is reached"
    if interface.checks:
        yield f"interfaces.{interface.key}.assert: looks at the data of the last action in the list, after its transforms"
    if interface.codes.inherited or interface.codes.fallback or interface.codes.deciding is not Deciding.LAST:
        order = "http_code_inherit_error before http_code_on_error before the strategy; http_code_fallback where a failure names no status"
        yield f"interfaces.{interface.key}.response: {order}"
    if not any(action.on_success for action in interface.actions):
        yield f"interfaces.{interface.key}: no action has response_on_success, so the caller gets the envelope"


def _read_operators(action: Action, place: str) -> Iterator[str]:
    named = {operator for test in action.asserts.tests for operator in test.operators if not test.data_type or operator not in COMPARING}
    for operator in sorted(named):
        reading = OPERATORS[operator].reading
        if reading:
            yield f"{place}: {operator}: {reading}"


def _is_own(url: str) -> bool:
    return url.startswith(("http://localhost:", "http://127.0.0.1:", "http://[::1]:"))


def source_told(action: Action) -> str:
    """Return in a few words where an action takes its data from."""
    match action.source:
        case HttpSource(url, method):
            return f"{method} {url}"
        case StateSource(operation, namespace, key):
            return f"state {operation} {namespace}/{key}"
        case _:
            return "a value"


def told_of(action: Action) -> Iterator[str]:
    """Yield what an action waits for, how often it is tried, and what the caller gets from it."""
    for gate in action.gates:
        yield f"{gate.when} {', '.join(gate.actions)}"
    if action.retry.attempts > 1:
        yield from _tries(action.retry)
    for word, response in (("success", action.on_success), ("failure", action.on_error)):
        if response is not None:
            default = 200 if word == "success" else OURS
            yield f"on {word} the caller is answered {response.http_code or default} at once"
    if action.on_error is None:
        yield f"a failure of its own answers {action.asserts.code_on_error or OURS}"


def _tries(retry: Retry) -> Iterator[str]:
    yield f"at most {retry.attempts} tries, {spelled(longest_wait(retry))} of waiting in all"
    if not waits_in_process(retry, retry.attempts - 1):
        yield "longer than one call may wait: the caller gets 202 with a run id and the run is parked between tries"


def _organisation_variables(interface: Interface) -> set[str]:
    found = {marker.path or "" for each in interface.written.values() for _, marker in markers_in(each) if marker.root in SECRET_ROOTS}
    for each in interface.written.values():
        used = variables_used(each, interface.variables)
        found |= {marker.path or "" for value in used.values() for _, marker in markers_in(value, VARIABLE) if marker.root in SECRET_ROOTS}
    return found


def spelled(length: timedelta) -> str:
    """Return a span of time in words."""
    seconds = length.total_seconds()
    return f"{seconds:g} s" if seconds < 120 else f"{seconds / 60:g} min"  # noqa: PLR2004 - two minutes
