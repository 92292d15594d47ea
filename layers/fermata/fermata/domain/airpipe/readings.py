"""Where Air Pipe's documentation leaves open what a file asks for, and how that is read here (air pipe reference, 7)."""

from collections.abc import Iterator

from fermata.domain.airpipe.actions import Action, Deciding, HttpSource, Interface, StateOperation, StateSource
from fermata.domain.airpipe.markers import Marker, segments
from fermata.domain.airpipe.operators import OPERATORS
from fermata.domain.airpipe.operators.comparing import COMPARING
from fermata.domain.airpipe.retrying import waits_in_process
from fermata.domain.http_rules import SAFE_METHODS

_OWN_ADDRESS = "the file's own address is answered in this process; nothing else on this machine is reached"
_TTL = "an expired key counts as absent, so its versions begin at 1 again; every write begins its time anew"


def readings(interface: Interface) -> Iterator[str]:
    """Yield one line for each reading, with its place in the file."""
    for action in interface.actions:
        yield from (f"interfaces.{interface.key}.actions.{action.name}.{line}" for line in _of_action(action))
    if interface.checks:
        yield f"interfaces.{interface.key}.assert: looks at the data of the last action in the list, after its transforms"
    if interface.codes.inherited or interface.codes.fallback or interface.codes.deciding is not Deciding.LAST:
        order = "http_code_inherit_error before http_code_on_error before the strategy; http_code_fallback where a failure names no status"
        yield f"interfaces.{interface.key}.response: {order}"
    if not any(action.on_success for action in interface.actions):
        yield f"interfaces.{interface.key}: no action has response_on_success, so the caller gets the envelope"


def _of_action(action: Action) -> Iterator[str]:
    retry = action.retry
    if retry.attempts > 1 and retry.full_jitter is None and not waits_in_process(retry, retry.attempts - 1):
        yield "retry: jitter is not said; a parked run waits the whole delay, and attempts counts the first try"
    if retry.attempts > 1 and action.asserts.tests:
        yield "assert: every answer that fails it is asked again, also one that tells of a failed job"
    yield from _of_operators(action)
    match action.source:
        case HttpSource() as source:
            yield from _of_request(source)
        case StateSource(operation=StateOperation.SET, ttl=ttl) if ttl is not None:
            yield f"state.set.ttl: {_TTL}"
        case _:
            pass


def _of_operators(action: Action) -> Iterator[str]:
    named = {operator for test in action.asserts.tests for operator in test.operators if not test.data_type or operator not in COMPARING}
    for operator in sorted(named):
        reading = OPERATORS[operator].reading
        if reading:
            yield f"assert: {operator}: {reading}"


def _of_request(source: HttpSource) -> Iterator[str]:
    if _is_own(source.url):
        yield f"http.url: {_OWN_ADDRESS}"
    elif source.method not in SAFE_METHODS:
        yield f"http: may be sent again when a process dies, with the same {source.idempotency_header}"
    if isinstance(source.body, str) and _may_be_nothing(source.body):
        yield f"http.body: where {source.body} stands for nothing, no body is sent"


def _may_be_nothing(text: str) -> bool:
    match segments(text):
        case (Marker(filters=filters),):
            return all(each.name != "default" for each in filters)
        case _:
            return False


def _is_own(url: str) -> bool:
    return url.startswith(("http://localhost:", "http://127.0.0.1:", "http://[::1]:"))
