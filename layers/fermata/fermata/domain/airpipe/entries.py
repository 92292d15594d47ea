"""What an action leaves behind, as its task's output: the data others refer to, and how it went (air pipe reference, 2 and 6).

An entry holds `result`, `data`, and where they apply `message`, `error`, `errors`, `httpCode`, `respond`, `timeMs`.
"""

from collections.abc import Callable

from fermata.domain.airpipe.actions import Action, Response
from fermata.domain.airpipe.asserting import Failures, failures
from fermata.domain.airpipe.interpolation import Sight, Unresolved, resolved_document, resolved_text
from fermata.domain.airpipe.transforms import TransformFailed, transformed
from fermata.domain.json_value import Json, JsonObject

SUCCEEDED, FAILED, SKIPPED, UNREACHED = "succeeded", "failed", "skipped", "unreached"
CALLERS_FAULT = 400
OURS = 500


def skipped() -> JsonObject:
    """Return the entry of an action whose gate or guard kept it from running."""
    return {"result": SKIPPED, "data": None}


def unreached() -> JsonObject:
    """Return the entry of an action behind the one that answered the caller."""
    return {"result": UNREACHED, "data": None}


def gated(error: str, code: int | None) -> JsonObject:
    """Return the entry of an action that fails because of another one."""
    return {"result": FAILED, "data": None, "error": error, "httpCode": code or OURS}


def judged(action: Action, data: Json, sight: Sight) -> JsonObject:
    """Return the entry of data that came as it should: its tests run, then it is reshaped."""
    found = failures(action.asserts, data, sight_with(action, data, sight))
    if found:
        return _failed_tests(action, data, found)
    try:
        shaped = transformed(action.transforms, data, sight)
    except (TransformFailed, Unresolved) as error:
        return failed(action, str(error), data)
    entry: dict[str, Json] = {"result": SUCCEEDED, "data": shaped}
    if action.asserts.tests:
        entry["message"] = action.asserts.success_message or "success"
    if action.asserts.code_on_success:
        entry["httpCode"] = action.asserts.code_on_success
    return entry


def failed(action: Action, reason: str, data: Json = None, *, by_caller: bool = False) -> JsonObject:
    """Return the entry of an action that did not come to its tests. The author's words and code for a failure still hold."""
    code = action.asserts.code_on_error or (CALLERS_FAULT if by_caller else OURS)
    entry: dict[str, Json] = {"result": FAILED, "data": data, "error": action.asserts.error_message or reason, "httpCode": code}
    if action.asserts.error_message:
        entry["errors"] = [reason]
    return entry


def attempted(action: Action, fetch: Callable[[], JsonObject]) -> JsonObject:
    """Return the entry that `fetch` makes, or the one of a marker that stands for nothing."""
    try:
        return fetch()
    except Unresolved as error:
        return failed(action, str(error), by_caller=error.by_caller)


def answered(action: Action, entry: JsonObject, sight: Sight) -> JsonObject:
    """Return the entry with what the caller is sent because of it, where the action says so."""
    response = action.on_success if entry["result"] == SUCCEEDED else action.on_error if entry["result"] == FAILED else None
    if response is None:
        return entry
    try:
        return {**entry, "respond": _respond(response, entry, sight_with(action, entry.get("data"), sight))}
    except Unresolved as error:
        return {**entry, **failed(action, str(error), entry.get("data"), by_caller=error.by_caller)}


def sight_with(action: Action, data: Json, sight: Sight) -> Sight:
    """Return a sight that sees the action's own data too."""
    return sight.also(action.name, {"data": data})


def _respond(response: Response, entry: JsonObject, sight: Sight) -> JsonObject:
    code = response.http_code or (200 if entry["result"] == SUCCEEDED else OURS)
    headers = {name: _header(resolved_text(value, sight)) for name, value in response.headers.items()}
    body = None if response.body is None else resolved_document(response.body, sight)
    return {"httpCode": code, "headers": headers, "body": body}


def _header(value: str) -> str:
    if "\r" in value or "\n" in value:
        raise Unresolved("a header's value may not hold a line break", by_caller=True)
    return value


def _failed_tests(action: Action, data: Json, found: Failures) -> JsonObject:
    entry: dict[str, Json] = {"result": FAILED, "data": data, "httpCode": found.code or action.asserts.code_on_error or OURS}
    if action.asserts.error_message:
        entry["error"] = action.asserts.error_message
    elif not found.texts:
        entry["error"] = "a test did not hold"
    if found.texts:
        entry["errors"] = list(found.texts)
    return entry
