"""What the caller gets when an interface is done: the envelope, its status, or what an action answered (air pipe reference, 6)."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fermata.domain.airpipe.actions import Action, Codes, Deciding, Visibility
from fermata.domain.airpipe.entries import FAILED, OURS, SUCCEEDED, UNREACHED
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


def nothing_checked() -> JsonObject:
    """Return the entry of an interface without an assert of its own."""
    return {"result": SUCCEEDED}


def answer(
    actions: Sequence[Action],
    entries: Mapping[str, JsonObject],
    codes: Codes,
    headers: Mapping[str, str],
    checked: Callable[[], JsonObject] = nothing_checked,
) -> Answer:
    """Return what the caller gets. An action that answered wins; only the code of one that gives no body goes with the envelope.

    `checked` returns how the interface's own assert went; it is only asked when nothing failed before.
    """
    responses = [entries[action.name]["respond"] for action in actions if entries.get(action.name, {}).get("respond")]
    respond = responses[0] if responses else None
    if respond is not None and respond["body"] is not None:
        return Answer(respond["httpCode"], respond["headers"], respond["body"])
    code = respond["httpCode"] if respond else status_code(actions, entries, codes)
    final = checked() if respond is None and code < FIRST_ERROR else nothing_checked()
    code = final.get("httpCode") or code
    sent = {**JSON_TYPE, **headers, **(respond["headers"] if respond else {})}
    return Answer(code, sent, json.dumps({**envelope(actions, entries), **_told(final)}, ensure_ascii=False))


def status_code(actions: Sequence[Action], entries: Mapping[str, JsonObject], codes: Codes) -> int:
    """Return the envelope's status: that of the action which decides, or what the interface says of any failure."""
    failed = [action.name for action in actions if entries.get(action.name, {}).get("result") == FAILED]
    inherited = next((name for name in codes.inherited if name in failed), None)
    if inherited is not None:
        return _code(entries[inherited], codes)
    if codes.on_error and failed:
        return codes.on_error
    last = actions[-1].name if actions else ""
    match codes.deciding:
        case Deciding.LAST:
            deciding = last
        case Deciding.LAST_FAILED:
            deciding = failed[-1] if failed else last
        case Deciding.ANY:
            deciding = failed[0] if failed else last
    return _code(entries.get(deciding, {}), codes)


def _code(entry: JsonObject, codes: Codes) -> int:
    if entry.get("result") != FAILED:
        return int(entry.get("httpCode") or 200)
    named = entry.get("httpCode") or OURS
    return int(codes.fallback if codes.fallback and named == OURS else named)


def _told(final: JsonObject) -> dict[str, Json]:
    """Return what an interface's own assert says beside the data."""
    return {key: final[key] for key in ("message", "error", "errors") if key in final}


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
