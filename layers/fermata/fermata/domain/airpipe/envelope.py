"""What the caller gets when an interface is done: the envelope, its status, or what an action answered (air pipe reference, 6)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fermata.domain.airpipe.actions import Action, Visibility
from fermata.domain.airpipe.entries import FAILED, OURS, UNREACHED
from fermata.domain.json_value import Json, JsonObject

JSON_TYPE = {"content-type": "application/json"}
FIRST_ERROR = 400


@dataclass(frozen=True)
class Answer:
    """An HTTP answer. `body` is text, sent as it is."""

    http_code: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""

    @property
    def is_error(self) -> bool:
        return self.http_code >= FIRST_ERROR


def answer(actions: Sequence[Action], entries: Mapping[str, JsonObject], code_on_error: int | None, headers: Mapping[str, str]) -> Answer:
    """Return what the caller gets. An action that answered wins; only the code of one that gives no body goes with the envelope."""
    responses = [entries[action.name]["respond"] for action in actions if entries.get(action.name, {}).get("respond")]
    respond = responses[0] if responses else None
    if respond is not None and respond["body"] is not None:
        return Answer(respond["httpCode"], respond["headers"], respond["body"])
    code = respond["httpCode"] if respond else status_code(actions, entries, code_on_error)
    sent = {**JSON_TYPE, **headers, **(respond["headers"] if respond else {})}
    return Answer(code, sent, json.dumps(envelope(actions, entries), ensure_ascii=False))


def status_code(actions: Sequence[Action], entries: Mapping[str, JsonObject], code_on_error: int | None) -> int:
    """Return the envelope's status: that of any failure if the interface names one, otherwise that of the last action."""
    if code_on_error and any(entry.get("result") == FAILED for entry in entries.values()):
        return code_on_error
    last: JsonObject = entries.get(actions[-1].name, {}) if actions else {}
    return int(last.get("httpCode") or (OURS if last.get("result") == FAILED else 200))


def envelope(actions: Sequence[Action], entries: Mapping[str, JsonObject]) -> dict[str, Json]:
    """Return the envelope, in the order of the list."""
    return {"data": {action.name: shown(action.visible, entries.get(action.name, {})) for action in actions if _is_shown(action, entries)}}


def shown(visible: Visibility, entry: JsonObject) -> dict[str, Json]:
    """Return what the caller sees of one action."""
    time = {"time.ms": entry.get("timeMs", 0)}
    if not visible.action:
        return time
    told = {} if _hides_data(visible, entry) else {"data": entry.get("data")}
    for key in ("message", "error", "errors"):
        if key in entry and (visible.errors or key == "message"):
            told[key] = entry[key]
    return {**told, **time}


def _is_shown(action: Action, entries: Mapping[str, JsonObject]) -> bool:
    return entries.get(action.name, {}).get("result") not in (None, UNREACHED)


def _hides_data(visible: Visibility, entry: JsonObject) -> bool:
    if not visible.data_on_empty and entry.get("data") in (None, "", [], {}):
        return True
    return not (visible.data_on_error if entry.get("result") == FAILED else visible.data_on_success)
