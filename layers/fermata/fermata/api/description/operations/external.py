"""Where callers fetch and leave payloads that fit in no answer and no request."""

from fermata.api.description.vocabulary import Operation, Parameter, Room, json, one_of, ref, word
from fermata.api.external import Operation as Direction
from fermata.api.external import PayloadType

_QUERY = (
    word("path", "To READ: the path that stands in place of the payload. To WRITE it is not read."),
    Parameter("operation", "READ or WRITE; to WRITE takes the role operator.", one_of(Direction), required=True),
    Parameter("payloadType", "What it is.", one_of(PayloadType), required=True),
)


def _location(name: str, summary: str) -> Operation:
    return Operation(name, summary, json("The address and the path.", ref("ExternalStorageLocation")), query=_QUERY)


EXTERNAL_PAYLOADS = Room(
    "external payloads",
    "Payloads that fit in no answer and no request: where to fetch them, where to leave them.",
    {
        "GET /api/workflow/externalstoragelocation": _location("getWorkflowStorageLocation", "Where a run's payload is, or may be left."),
        "GET /api/workflow/external-storage-location": _location("getWorkflowStorageLocationDashed", "The same."),
        "GET /api/tasks/externalstoragelocation": _location("getTaskStorageLocation", "Where a task's payload is, or may be left."),
        "GET /api/tasks/external-storage-location": _location("getTaskStorageLocationDashed", "The same."),
    },
)
