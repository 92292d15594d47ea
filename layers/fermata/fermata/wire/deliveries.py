"""The JSON that queues and schedules carry to the doors, and the messages it stands for."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from fermata.domain.errors import InvalidRequest
from fermata.domain.json_value import Json
from fermata.domain.messages import EndRun, Message, PollDue, RunTask, StartFailureWorkflow, StartScheduled, WakeTask, WakeWorkflow
from fermata.wire.records import epoch_ms, moment

_MESSAGES: tuple[type[Message], ...] = (RunTask, PollDue, WakeTask, WakeWorkflow, EndRun, StartFailureWorkflow, StartScheduled)
KINDS: Mapping[str, type[Message]] = {kind.__name__: kind for kind in _MESSAGES}
_FARTHEST_MS = 253_402_300_799_000  # the end of year 9999, where Python's dates end
_SPELLING = {
    "workflow_id": "workflowId",
    "task_id": "taskId",
    "poll": "poll",
    "schedule": "schedule",
    "entry": "entry",
    "at": "scheduledTime",
}


def _positive(value: Json) -> bool:
    return type(value) is int and value > 0


def _word(value: Json) -> bool:
    return isinstance(value, str) and value != ""


@dataclass(frozen=True)
class Delivery:
    """One delivered thing: a message, or why it is none. `delivery_id` names it to the queue; None for a direct invocation.

    `due` is the moment it was meant for; None: at once. A schedule may fire it up to a minute too early.
    """

    delivery_id: str | None
    message: Message | None
    error: InvalidRequest | None = None
    due: datetime | None = None


def to_text(message: Message, due: datetime | None = None) -> str:
    """Return the message as JSON text: `{"do":"PollDue","workflowId":"...","taskId":"...","poll":3,"due":1772366400000}`.

    `due` (epoch milliseconds) is left out for what is to be delivered at once.
    """
    fields = {_SPELLING[field.name]: _plain(getattr(message, field.name)) for field in dataclasses.fields(message)}
    when = {"due": epoch_ms(due)} if due else {}
    return json.dumps({"do": type(message).__name__, **fields, **when}, separators=(",", ":"))


def recurring_text(schedule: str, entry: int, moment_keyword: str) -> str:
    """Return the text of a `StartScheduled` whose moment is filled in by whoever sends it, in place of the keyword (as in ISO 8601).

    No keyword can stand in the schedule's name: a `<` in it is escaped.
    """
    name = json.dumps(schedule).replace("<", "\\u003c")
    return f'{{"do":"{StartScheduled.__name__}","schedule":{name},"entry":{entry},"scheduledTime":"{moment_keyword}"}}'


def _plain(value: Any) -> Json:
    return epoch_ms(value) if isinstance(value, datetime) else value


def from_text(text: str) -> Message:
    """Return the message. Raises `InvalidRequest` when the text is none; unknown keys are ignored."""
    return _from_value(_parsed(text))


def from_event(event: Mapping[str, Any]) -> list[Delivery]:
    """Return what an event holds: the records of an SQS batch in order, or the one message that a schedule hands over directly."""
    records = event.get("Records")
    if isinstance(records, list):
        return [_delivery(record["messageId"], record.get("body")) for record in records]
    return [_delivery(None, event)]


def _delivery(delivery_id: str | None, content: Json) -> Delivery:
    try:
        value = _parsed(content) if isinstance(content, str) else content
        return Delivery(delivery_id, _from_value(value), due=_due(value))
    except InvalidRequest as error:
        return Delivery(delivery_id, None, error)


def _parsed(text: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest("A delivery is not JSON.") from error


def _due(value: Json) -> datetime | None:
    """Return the moment, or None. Called with what `_from_value` has accepted."""
    due = value.get("due")
    if due is None:
        return None
    if not _epoch(due):
        raise InvalidRequest("A delivery has no usable due.")
    return moment(due)


def _epoch(value: Json) -> bool:
    return type(value) is int and 0 <= value <= _FARTHEST_MS


def _from_value(value: Json) -> Message:
    if not isinstance(value, Mapping):
        raise InvalidRequest("A delivery is not a JSON object.")
    do = value.get("do")
    kind = KINDS.get(do) if isinstance(do, str) else None
    if kind is None:
        raise InvalidRequest(f"A delivery asks for an unknown thing: {str(do)[:40]!r}.")
    return kind(**{field.name: _argument(value, field) for field in dataclasses.fields(kind)})


def _argument(value: Mapping[str, Any], field: "dataclasses.Field[Any]") -> Any:
    key = _SPELLING[field.name]
    found = value.get(key)
    if field.type is datetime:
        found = _scheduled(found)
    elif not (_positive if field.type is int else _word)(found):
        found = None
    if found is None:
        raise InvalidRequest(f"A delivery has no usable {key}.")
    return found


def _scheduled(value: Json) -> datetime | None:
    """Read epoch milliseconds, or the whole minute that a recurring schedule names, e.g. `2026-03-22T18:59:00Z`."""
    if _epoch(value):
        return moment(value)
    try:
        named = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return named.astimezone(UTC).replace(second=0, microsecond=0) if named and named.tzinfo else None
