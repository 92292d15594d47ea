"""A line about an unfinished run, for lists of runs: our own shape. What is not known is absent; moments are epoch milliseconds."""

from datetime import datetime

from fermata.domain.json_value import Json
from fermata.domain.overview import Overview
from fermata.wire.awaited import waiting_to_json
from fermata.wire.records import epoch_ms


def overview_to_json(found: Overview) -> Json:
    run, told, shown = found.workflow, found.of_shown, found.shown
    body: dict[str, Json] = {
        "workflowId": run.workflow_id,
        "status": run.status.value,
        "revision": run.revision,
        "openTasks": run.open_tasks,
        "waitingFor": waiting_to_json(found.waiting),
        "taskId": shown.task.task_id if shown else None,
        "taskReferenceName": shown.task.task_reference_name if shown else None,
        "taskType": shown.task.task_type if shown else None,
        "host": found.host,
        "remoteState": told.remote_state if told else None,
        "remoteStateSince": _ms(told.remote_since if told else None),
        "pollCount": shown.poll.polls_made if shown and shown.poll else None,
        "maxPollCount": found.max_poll_count,
        "since": _ms(found.since),
        "lastPollTime": _ms(found.last_poll),
        "nextPollTime": _ms(found.next_poll),
        "until": _ms(found.until),
    }
    return {key: value for key, value in body.items() if value is not None}


def _ms(moment: datetime | None) -> int | None:
    return epoch_ms(moment) if moment else None
