"""What was done to a run, as our own API tells it."""

from collections.abc import Sequence

from fermata.domain.json_value import Json
from fermata.domain.operations import Operation
from fermata.wire.records import epoch_ms


def operations_to_json(found: Sequence[Operation]) -> Json:
    """Return the list. `reason` and `taskReferenceName` are absent where there is none."""
    return [_entry(each) for each in found]


def _entry(each: Operation) -> Json:
    body: dict[str, Json] = {
        "time": epoch_ms(each.at),
        "operation": each.verb.value,
        "by": each.by,
        "reason": each.reason,
        "taskReferenceName": each.task_reference_name,
    }
    return {key: value for key, value in body.items() if value is not None}
