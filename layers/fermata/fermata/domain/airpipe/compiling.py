"""How an interface becomes a workflow definition: a step for each action, and one that answers (decision 0022)."""

from collections.abc import Iterator

from fermata.domain.airpipe import steps, templates
from fermata.domain.airpipe.actions import Action, Codes, Interface
from fermata.domain.airpipe.interpolation import CALLER_ROOTS
from fermata.domain.airpipe.markers import Marker
from fermata.domain.airpipe.names import ANSWER
from fermata.domain.airpipe.reading import needed, schedule
from fermata.domain.airpipe.retrying import IN_PROCESS_BUDGET, longest_wait
from fermata.domain.airpipe.templates import CREDENTIAL_HEADERS, VARIABLE, markers_in
from fermata.domain.definitions import WorkflowDefinition, WorkflowTask
from fermata.domain.json_value import Json, JsonObject

ANSWER_NAME = "(answer)"
ABOUT = "airpipe"  # the key in a definition's metadata
PREFIX = f"{ABOUT}:"  # what the name of every definition begins with


def definition_name(method: str, route: str) -> str:
    """Return the name of what answers a method on a route."""
    return f"{PREFIX}{method}:{route.strip('/').replace('/', ':')}"


def compiled(interface: Interface) -> WorkflowDefinition:
    """Return the definition whose runs are runs of the interface."""
    order = schedule(interface.actions, interface.written)
    by_name = {action.name: action for action in interface.actions}
    done: list[str] = []
    tasks: list[WorkflowTask] = []
    for name in order:
        responders = [each for each in done if by_name[each].on_success or by_name[each].on_error]
        tasks.append(_step(interface, by_name[name], responders))
        done.append(name)
    return WorkflowDefinition(
        name=definition_name(interface.method, interface.route),
        tasks=(*tasks, _answer(interface)),
        description=_described(interface),
        metadata={ABOUT: _about(interface)},
    )


def _step(interface: Interface, action: Action, responders: list[str]) -> WorkflowTask:
    written = interface.written[action.name]
    names = frozenset(interface.written)
    given = {
        "config": interface.config,
        "interface": interface.key,
        "action": written,
        "needs": sorted(needed(action, written, names)),
        "responders": responders,
        "variables": templates.variables_used(written, interface.variables),
    }
    return WorkflowTask(action.name, action.name, steps.kind_of(action), input_parameters=_guarded(given), optional=True)


def _answer(interface: Interface) -> WorkflowTask:
    shown = [{"name": action.name, "action": _visibility(interface.written[action.name])} for action in interface.actions]
    given: dict[str, Json] = {"actions": shown, "codes": _codes(interface.codes), "headers": dict(interface.headers)}
    if interface.checks:
        used = templates.variables_used({"assert": interface.checks}, interface.variables)
        given |= {"assert": _guarded(interface.checks), "variables": _guarded(used)}
    return WorkflowTask(ANSWER_NAME, ANSWER_NAME, ANSWER, input_parameters=given)


def _codes(codes: Codes) -> JsonObject:
    return {"onError": codes.on_error, "inherited": list(codes.inherited), "fallback": codes.fallback, "deciding": str(codes.deciding)}


def _visibility(written: JsonObject) -> JsonObject:
    return {key: value for key, value in written.items() if key.startswith("hide_")}


def _guarded(value: Json) -> Json:
    """Return the value so that the engine's own `${...}` leaves its texts alone."""
    if isinstance(value, dict):
        return {key: _guarded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_guarded(each) for each in value]
    return value.replace("${", "$${") if isinstance(value, str) else value


def unguarded(value: Json) -> Json:
    """Return what stood there before `compiled` kept the engine's own `${...}` from it."""
    if isinstance(value, dict):
        return {key: unguarded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [unguarded(each) for each in value]
    return value.replace("$${", "${") if isinstance(value, str) else value


def _described(interface: Interface) -> str:
    told = interface.documentation.get("summary") or interface.documentation.get("description") or ""
    return f"{interface.config}, {interface.key}" + (f": {str(told).strip()}" if told else "")


def _about(interface: Interface) -> JsonObject:
    return {
        "config": interface.config,
        "interface": interface.key,
        "method": interface.method,
        "route": interface.route,
        "docs": interface.docs,
        "parks": any(longest_wait(action.retry) > IN_PROCESS_BUDGET for action in interface.actions),
        "documentation": dict(interface.documentation),
        "reads": _reads(interface),
    }


def _reads(interface: Interface) -> JsonObject:
    """Return what of a request the interface looks at beyond its body and parameters: nothing else is kept with a run."""
    markers = list(_callers(interface))
    headers = {marker.path.partition(".")[0].lower() for marker in markers if marker.root in ("headers", "header") and marker.path}
    every = any(marker.root == "request" or (marker.root in ("headers", "header") and not marker.path) for marker in markers)
    return {
        "headers": sorted(headers - CREDENTIAL_HEADERS),
        "everyHeader": every,
        "rawBody": any(marker.root == "raw_body" for marker in markers),
        "ip": any(marker.root == "ip" for marker in markers),
    }


def _callers(interface: Interface) -> Iterator[Marker]:
    written = [*interface.written.values(), {"assert": interface.checks}]
    places = [*((each, "") for each in written), (interface.variables, VARIABLE)]
    for texts, place in places:
        yield from (marker for _, marker in markers_in(texts, place) if marker.root in CALLER_ROOTS)
