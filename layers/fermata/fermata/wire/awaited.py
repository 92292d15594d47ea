"""What an unfinished run waits for, as our own field `waitingFor` of a run. Conductor's clients ignore it."""

from collections.abc import Sequence

from fermata.domain.awaited import Waiting
from fermata.domain.json_value import Json
from fermata.wire.records import epoch_ms


def waiting_to_json(found: Sequence[Waiting]) -> Json:
    """Return the list. What is not known is absent; moments are epoch milliseconds."""
    return [_entry(each) for each in found]


def _entry(each: Waiting) -> Json:
    body: dict[str, Json] = {
        "for": each.party.value,
        "referenceTaskName": each.task_reference_name,
        "taskId": each.task_id,
        "name": each.name,
        "tasks": list(each.names) or None,
        "workerId": each.worker_id,
        "lastPollTime": epoch_ms(each.last_poll) if each.last_poll else None,
        "dueTime": epoch_ms(each.due) if each.due else None,
        "remoteState": each.remote_state,
        "remoteStateSince": epoch_ms(each.remote_since) if each.remote_since else None,
    }
    return {key: value for key, value in body.items() if value is not None}
