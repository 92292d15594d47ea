"""What a configuration will do, in lines for people: endpoints, waits, ceilings, and what each failure answers."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from fermata.domain.airpipe.actions import Action, Config, Deciding, DelaySource, HttpSource, Interface, StateSource
from fermata.domain.airpipe.admission import required
from fermata.domain.airpipe.compiling import definition_name
from fermata.domain.airpipe.entries import OURS
from fermata.domain.airpipe.interpolation import SECRET_ROOTS
from fermata.domain.airpipe.reading import schedule
from fermata.domain.airpipe.readings import readings
from fermata.domain.airpipe.retrying import RETRIED_CODES, Retry, longest_wait, waits_in_process
from fermata.domain.airpipe.templates import VARIABLE, markers_in, variables_used


def explained(config: Config) -> Iterator[str]:
    """Yield the lines."""
    yield f"{config.name}: {len(config.interfaces)} interface{'s' if len(config.interfaces) != 1 else ''}"
    for interface in config.interfaces:
        yield ""
        yield f"{interface.method} {interface.route}"
        yield f"  runs are executions of {definition_name(interface.method, interface.route)}"
        yield from (f"  {line}" for line in _of_interface(interface))
    warnings = [*config.warnings, *(line for interface in config.interfaces for line in readings(interface))]
    if warnings:
        yield ""
        yield from (f"warning: {warning}" for warning in warnings)


def _of_interface(interface: Interface) -> Iterator[str]:
    by_name = {action.name: action for action in interface.actions}
    ordered = [by_name[name] for name in schedule(interface.actions, interface.written)]
    needed = required(ordered)
    for action in ordered:
        yield f"{action.name}: {source_told(action)}"
        yield from (f"  {line}" for line in told_of(action, needed.get(action.name, ())))
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


def source_told(action: Action) -> str:
    """Return in a few words where an action takes its data from."""
    match action.source:
        case HttpSource(url, method):
            return f"{method} {url}"
        case StateSource(operation, namespace, key):
            return f"state {operation} {namespace}/{key}"
        case DelaySource(length):
            return f"a pause of {spelled(length)}"
        case _:
            return "a value"


def told_of(action: Action, needed: Sequence[str] = ()) -> Iterator[str]:
    """Yield what an action waits for, how often it is tried, and what the caller gets from it. `needed`: markers of the request."""
    for gate in action.gates:
        yield f"{gate.when} {', '.join(gate.actions)}"
    if needed:
        yield f"a request without a usable {', '.join(dict.fromkeys(needed))} answers 400 before anything runs"
    if isinstance(action.source, HttpSource):
        limits = spelled(action.source.connect_timeout), spelled(action.source.timeout)
        yield "a try is given up when there is no connection within {} or no answer within {}".format(*limits)
    if action.retry.attempts > 1:
        yield from _tries(action.retry)
        if isinstance(action.source, HttpSource):
            yield f"tried again: {_tried_again(action)}; any other failure ends the tries at once"
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


def _tried_again(action: Action) -> str:
    retry = action.retry
    what = [str(each) for each in retry.on or ("no answer", *sorted(RETRIED_CODES))]
    tests = ["tests that fail"] if action.asserts.tests else []
    return ", ".join(tests + what) + (f", but not {', '.join(map(str, retry.never_on))}" if retry.never_on else "")


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
