"""Hypothesis strategies: Air Pipe interfaces whose end does not depend on how often or when a vendor is asked, as definitions."""

from typing import Any

from fermata.domain.airpipe.compiling import compiled
from fermata.wire.definitions import workflow_definition_to_json
from hypothesis import strategies as st

from tests.support.airpipe import config, read

KEYS = ("k0", "k1")
NAMESPACE = "Test"  # the name of `config`'s configuration
REQUEST = {"method": "POST", "path": "/try", "params": {"id": '5"'}, "headers": {}, "body": {"prompt": "cat", "urls": ["u1"]}}
_DONE = [{"value": "body.state", "is_equal_to": "DONE"}]
_LONG = {"attempts": 1000, "delay": 30_000}  # parked between two tries, and longer than any job takes
_SHORT = {"attempts": 3, "delay": 700}  # waited out, the jitter that the documentation has by default included
_GATES = ("run_when_succeeded", "run_when_failed", "run_when_finished")


def interface(*actions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the definition of an interface, `POST /try`, with these actions."""
    definition: dict[str, Any] = workflow_definition_to_json(compiled(read(config(*actions, **fields)).interfaces[0]))
    return definition


def http_action(name: str, kind: str) -> dict[str, Any]:
    """Return an action that asks the vendor of `random_workflows`: its kinds, and one that is busy at first."""
    post = {"method": "POST", "body": {"for": name, "who": "a|body::prompt|"}, "headers": {"x-id": "a|params::id|"}}
    match kind:
        case "submit":
            return {
                "name": name,
                "http": {"url": f"http://v/ok/{name}", **post},
                "assert": {"tests": [{"value": "status", "is_equal_to": 200}]},
            }
        case "webhook":
            return {"name": name, "http": {"url": f"http://v/busy/hook/{name}", **post}, "retry": _LONG}
        case "refused":
            return {"name": name, "http": {"url": f"http://v/fail/{name}", **post}, "retry": _SHORT}
        case "exhausted":
            tests = {"tests": _DONE, "http_code_on_error": 504, "error_message": "not in time"}
            return {"name": name, "http": {"url": f"http://v/never/{name}"}, "assert": tests, "retry": {"attempts": 3, "delay": 90_000}}
        case "busy":
            return {
                "name": name,
                "http": {"url": f"http://v/busy/{name}"},
                "retry": {**_LONG, "exponential_backoff": True, "max_delay": 60_000},
            }
        case _:
            return {"name": name, "http": {"url": f"http://v/job/{name}"}, "assert": {"tests": _DONE}, "retry": _LONG}


def state_action(name: str, operation: str, key: str) -> dict[str, Any]:
    fields: dict[str, Any] = {"key": key}
    if operation in ("set", "advance"):
        fields["value"] = {"by": "a|params::id|"} if operation == "set" else name
    if operation == "seen":
        fields["id"] = "a|params::id|"
    return {"name": name, "state": {operation: fields}}


def value_action(name: str, kind: str, before: str | None) -> dict[str, Any]:
    """Return an action that needs nobody outside. `before`: one whose result it may show."""
    seen = f"a|{before}::jq::{{status: .status, body: .body}}->default(none)|" if before else "a|uuid|"
    match kind:
        case "json":
            return {"name": name, "json_output": {"seen": seen, "id": "a|uuid|", "quoted": "a|params::id|"}}
        case "text":
            return {"name": name, "json_output": f'{{"seen": {seen if before else 1}, "id": "a|params::id|"}}'}
        case "input":
            return {"name": name, "input": "a|body::urls|", "post_transforms": [{"extract_value": "[0]"}]}
        case "bad":
            return {"name": name, "json_output": {}, "assert": {"tests": [{"value": "x", "is_not_null": True}], "http_code_on_error": 418}}
        case "pause":
            return {"name": name, "delay": 700}
        case _:
            return {"name": name, "delay": "40s"}


_HTTP = ("submit", "webhook", "refused", "exhausted", "busy", "job", "job")
_STATE = ("get", "set", "set", "advance", "delete", "seen")
_VALUE = ("json", "text", "input", "bad", "pause", "long pause")


@st.composite
def actions(draw: st.DrawFn, number: int, above: list[str]) -> dict[str, Any]:
    """Return an action with what may stand before and behind it."""
    name = f"A{number}"
    kind = draw(st.sampled_from((*_HTTP, *_STATE, *_VALUE)))
    if kind in _HTTP:
        action = http_action(name, kind)
    elif kind in _STATE:
        action = state_action(name, kind, draw(st.sampled_from(KEYS)))
    else:
        action = value_action(name, kind, draw(st.sampled_from(above)) if above else None)
    if above and draw(st.integers(0, 1)):
        named = draw(st.lists(st.sampled_from(above), min_size=1, max_size=2, unique=True))
        least = {"at_least": 1} if draw(st.integers(0, 1)) else {}
        action[draw(st.sampled_from(_GATES))] = {"actions": named, **least}
    if draw(st.integers(0, 5)) == 0:
        action["run_on_assertion"] = {"tests": [{"custom_value": "a|params::id|", "starts_with": draw(st.sampled_from("5x"))}]}
    if draw(st.integers(0, 5)) == 0:
        action["response_on_error"] = {
            "http_code": 409,
            "headers": {"x-id": "a|params::id|"},
            "body": f'{{"by": "{name}", "id": "a|params::id|"}}',
        }
    if draw(st.integers(0, 9)) == 0:
        action["response_on_success"] = {"http_code": 201, "body": f"{name} a|params::id|"}  # an a|uuid| is another one at each try
    return action


@st.composite
def interfaces(draw: st.DrawFn) -> dict[str, Any]:
    """Return the definition of an interface of up to six actions over everything an Air Pipe run can wait for."""
    listed: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 6))):
        listed.append(draw(actions(number, [each["name"] for each in listed])))
    response = {"http_code_on_error": 503} if draw(st.integers(0, 4)) == 0 else {}
    return interface(*listed, response=response)
