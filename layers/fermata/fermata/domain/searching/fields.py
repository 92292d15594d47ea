"""The fields of runs and of tasks that a search may name. Tables only (reference 4)."""

from fermata.domain.searching.conditions import Field, Fields, Kind, OneOf, Order
from fermata.domain.status import TaskStatus, WorkflowStatus


def _moment(name: str, absent: int | None = None) -> Field:
    return Field(name, Kind.NUMBER, absent)


WORKFLOW_ID = Field("workflowId", Kind.TEXT)
WORKFLOW_TYPE = Field("workflowType", Kind.TEXT)
STATUS = Field("status", Kind.TEXT, allowed=tuple(WorkflowStatus))
CORRELATION_ID = Field("correlationId", Kind.TEXT)
PARENT = Field("parentWorkflowId", Kind.TEXT, absent="")  # of a top-level run it is the empty text
VENDOR_HOST = Field("vendorHost", Kind.TEXT)  # a run has any number of them
VERSION = Field("version", Kind.NUMBER)
START_TIME = _moment("startTime")
END_TIME = _moment("endTime", absent=0)  # an open run's is the beginning of time
CLASSIFIER = Field("classifier", Kind.TEXT)
# What freeText looks into: the whole summary. No query can name it.
SUMMARY = Field("*", Kind.CONTENT)
TASK_ID = Field("taskId", Kind.TEXT)
SCHEDULED_TIME = _moment("scheduledTime")
TASK_START_TIME = _moment("startTime")
TASK_END_TIME = _moment("endTime")
TASK_UPDATE_TIME = _moment("updateTime")

NEWEST_FIRST = (Order(START_TIME, descending=True),)
OLDEST_FIRST = (Order(START_TIME),)
TOP_LEVEL = OneOf(PARENT, ("",))


def _named(*fields: Field, **other_names: Field) -> Fields:
    return {field.name: field for field in fields} | other_names


_UPDATE_TIME = _moment("updateTime", absent=0)

# The last names of each are those that Conductor's UI sends and its servers drop in silence.
WORKFLOW_FIELDS: Fields = _named(
    WORKFLOW_ID,
    WORKFLOW_TYPE,
    STATUS,
    CORRELATION_ID,
    PARENT,
    START_TIME,
    END_TIME,
    _UPDATE_TIME,
    VERSION,
    Field("executionTime", Kind.NUMBER, absent=0),
    CLASSIFIER,
    Field("input", Kind.CONTENT),
    Field("output", Kind.CONTENT),
    Field("reasonForIncompletion", Kind.TEXT),
    Field("event", Kind.TEXT),
    Field("idempotencyKey", Kind.TEXT),
    VENDOR_HOST,
    modifiedTime=_UPDATE_TIME,
    workflowName=WORKFLOW_TYPE,
)
TASK_FIELDS: Fields = _named(
    TASK_ID,
    Field("taskType", Kind.TEXT),
    Field("taskDefName", Kind.TEXT),
    Field("status", Kind.TEXT, allowed=tuple(TaskStatus)),
    WORKFLOW_ID,
    WORKFLOW_TYPE,
    CORRELATION_ID,
    SCHEDULED_TIME,
    TASK_START_TIME,
    TASK_END_TIME,
    TASK_UPDATE_TIME,
    Field("executionTime", Kind.NUMBER, absent=0),
    Field("queueWaitTime", Kind.NUMBER),
    Field("input", Kind.CONTENT),
    Field("output", Kind.CONTENT),
    Field("reasonForIncompletion", Kind.TEXT),
    Field("referenceTaskName", Kind.TEXT),
    modifiedTime=TASK_UPDATE_TIME,
    workflowName=WORKFLOW_TYPE,
)
