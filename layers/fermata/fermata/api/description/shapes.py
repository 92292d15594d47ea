"""The JSON that travels, by Conductor's name of it: from the dataclasses where the codec reads and writes it, written out otherwise."""

from collections.abc import Mapping

from fermata.api.description.dataclass_schemas import Names, schema_of
from fermata.api.description.shapes_of_interfaces import OF_INTERFACES
from fermata.api.description.shapes_of_runs import OF_RUNS
from fermata.api.description.vocabulary import (
    FLAG,
    MOMENT,
    OBJECT,
    WHOLE,
    WORD,
    Schema,
    by_name,
    each,
    listed,
    one_of,
    only,
    ours,
    ref,
    shape,
)
from fermata.api.finding import MAX_CORRELATED
from fermata.domain.access import Authorization, Role
from fermata.domain.definitions import SubWorkflowParam, TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.event_handlers import (
    EventAction,
    EventHandler,
    EventStatus,
    StartWorkflowAction,
    TaskAction,
    TerminateWorkflowAction,
    UpdateVariablesAction,
)
from fermata.domain.schedules import StartState
from fermata.wire.dry_run import DryRunRequest, ScriptedAnswers, ScriptedResponse
from fermata.wire.keys import LONGEST_GRACE_SECONDS, LONGEST_LIFE_DAYS, LONGEST_NAME
from fermata.wire.requests import RerunRequest, StartWorkflowRequest, TaskMock, WorkflowTestRequest
from fermata.wire.schedules import CronBody, ScheduleBody
from fermata.wire.work import TaskExecLog, TaskResultBody

NAMES: Names = {
    WorkflowDefinition: "WorkflowDef",
    WorkflowTask: "WorkflowTask",
    SubWorkflowParam: "SubWorkflowParams",
    TaskDefinition: "TaskDef",
    StartWorkflowRequest: "StartWorkflowRequest",
    WorkflowTestRequest: "WorkflowTestRequest",
    TaskMock: "TaskMock",
    DryRunRequest: "DryRunRequest",
    ScriptedAnswers: "ScriptedAnswers",
    ScriptedResponse: "ScriptedResponse",
    RerunRequest: "RerunWorkflowRequest",
    TaskResultBody: "TaskResult",
    TaskExecLog: "TaskResultLog",
    EventHandler: "EventHandler",
    EventAction: "EventAction",
    StartWorkflowAction: "StartWorkflowAction",
    TaskAction: "TaskAction",
    TerminateWorkflowAction: "TerminateWorkflowAction",
    UpdateVariablesAction: "UpdateWorkflowVariablesAction",
    ScheduleBody: "SaveScheduleRequest",
    CronBody: "CronSchedule",
}

_ERROR = {"status": WHOLE, "message": WORD, "instance": WORD, "retryable": FLAG}
_BULK = {"bulkErrorResults": by_name(WORD), "bulkSuccessfulResults": listed(WORD), "message": WORD}

_WRITTEN: Mapping[str, Schema] = {
    "ErrorResponse": shape(
        "What every refused request is answered with. `instance`: the id under which the log has the request. `retryable`: the same "
        "request may succeed later.",
        {**_ERROR, "validationErrors": listed(ref("ValidationError"))},
        "validationErrors",
    ),
    "ValidationError": shape(
        "What is wrong with one field. `path` leads to it, as in `tasks[0].name`.",
        {"path": WORD, "message": WORD, "invalidValue": {}},
        "invalidValue",
    ),
    "AuthErrorResponse": shape(
        "No token, or none that is good enough. SDKs get a new token when `error` is EXPIRED_TOKEN or INVALID_TOKEN. The gateway's own "
        "refusals have only a `message`.",
        {**_ERROR, "error": WORD},
        "status instance retryable error",
    ),
    "HealthCheckStatus": shape("", {"healthResults": listed(OBJECT), "suppressedHealthResults": listed(OBJECT), "healthy": FLAG}),
    "WorkflowDefSummary": shape("A version of a definition.", {"name": WORD, "version": WHOLE, **each("createTime updateTime", MOMENT)}),
    "BulkResponse": shape("Each id stands for itself. `bulkErrorResults`: what went wrong, by id.", _BULK),
    "BulkResponseOfWorkflow": shape(
        "As BulkResponse, with runs in place of ids.", {**_BULK, "bulkSuccessfulResults": listed(ref("Workflow"))}
    ),
    "EventExecution": shape(
        "What came of one action for one message. `name`: the handler's.",
        {
            **each("id messageId name event action", WORD),
            "created": MOMENT,
            "status": one_of(EventStatus),
            "output": OBJECT,
        },
        "action",
    ),
    "WorkflowSchedule": shape(
        "`nextRunTime` is absent while the schedule is paused and when nothing comes any more.",
        {
            **each("name zoneId cronExpression pausedReason createdBy updatedBy description", WORD),
            "cronSchedules": listed(ref("CronSchedule")),
            **each("runCatchupScheduleInstances paused", FLAG),
            "startWorkflowRequest": OBJECT,
            **each("createTime updatedTime scheduleStartTime scheduleEndTime nextRunTime", MOMENT),
        },
        "cronExpression pausedReason createdBy updatedBy description scheduleStartTime scheduleEndTime nextRunTime",
    ),
    "WorkflowScheduleExecution": shape(
        "One start of a schedule. `reason`: why it could not be started.",
        {
            **each("executionId scheduleName workflowName zoneId workflowId reason", WORD),
            **each("scheduledTime executionTime", MOMENT),
            "state": one_of(StartState),
            "startWorkflowRequest": OBJECT,
        },
        "workflowId reason",
    ),
    "CorrelationIdsSearchRequest": shape("", each("workflowNames correlationIds", listed(WORD, maxItems=MAX_CORRELATED))),
    "ExternalStorageLocation": shape("`uri` is good for a while.", each("uri path", WORD)),
    "EnvironmentVariable": shape("", each("name value", WORD)),
    "AdminStatus": shape("", {"status": WORD}),
    "Credentials": ours(shape("An access key.", each("keyId keySecret", WORD))),
    "Token": ours(shape("Send it as `X-Authorization`.", {"token": WORD})),
    "UserInfo": ours(
        shape(
            "`id`: of the key, or the ARN of whoever signed. `name`: the key's, or the ARN's last part; else `anybody`.",
            {**each("id name", WORD), "role": one_of(Role), "authorization": one_of(Authorization)},
        )
    ),
    "NewKey": only(
        shape(
            "`name`: what the key is for. Without `expiresInDays` it never expires.",
            {
                "name": {**WORD, "minLength": 1, "maxLength": LONGEST_NAME},
                "role": one_of(Role),
                "expiresInDays": {**WHOLE, "minimum": 1, "maximum": LONGEST_LIFE_DAYS},
            },
            "expiresInDays",
        )
    ),
    "Rotation": only(
        shape(
            "`graceSeconds`: how long the old secret stays good.",
            {"graceSeconds": {**WHOLE, "minimum": 0, "maximum": LONGEST_GRACE_SECONDS, "default": 0}},
            "graceSeconds",
        )
    ),
    "AccessKey": ours(
        shape(
            "`keySecret` is shown once, in the answer to a creation or a rotation. `oldSecretUntil`: how long the one before is good.",
            {
                **each("keyId name keySecret", WORD),
                "role": one_of(Role),
                "disabled": FLAG,
                **each("createTime expireTime oldSecretUntil", MOMENT),
            },
            "keySecret expireTime oldSecretUntil",
        )
    ),
    **OF_RUNS,
    **OF_INTERFACES,
}


def schemas() -> dict[str, Schema]:
    """Return every named schema, by name."""
    spelled = {name: schema_of(cls, NAMES) for cls, name in NAMES.items()}
    return dict(sorted({**spelled, **_WRITTEN}.items()))
