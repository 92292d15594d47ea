"""What the api shows of runs and their tasks. Written out: these are put together by hand in `wire`, from more than one value."""

from collections.abc import Mapping

from fermata.api.description.vocabulary import (
    DATE,
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
    ours,
    ref,
    shape,
)
from fermata.domain.awaited import Party
from fermata.domain.operations import MAX_REASON_CHARACTERS, Verb
from fermata.domain.polling import PollDecision
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.wire.signals import ReturnStrategy


def page(about: str, items: Schema) -> Schema:
    bound = ours(FLAG, "True: there may be more than `totalHits`; the search was cut off at its bound.")
    more = ours(WORD, "Send it as `cursor` for the next page. Absent on the last one, and where pages are not in the order of the start.")
    found = {"totalHits": WHOLE, "results": listed(items), "totalHitsIsLowerBound": bound, "nextCursor": more}
    return shape(about, found, "totalHitsIsLowerBound nextCursor")


# In place of an input or an output that is too large for the answer.
EXTERNAL = {**WORD, "description": "Fetch it with `externalstoragelocation`: it is too large for this answer."}
# A short word out of the vendor's last answer.
REMOTE_STATE = {**WORD, "description": "What the vendor said last the state of its job is.", "maxLength": 24}
_EXTERNAL = "externalInputPayloadStoragePath externalOutputPayloadStoragePath"

_STATUS, _TASK_STATUS = one_of(WorkflowStatus), one_of(TaskStatus)

_WORKFLOW = {
    "workflowId": WORD,
    "workflowName": WORD,
    "workflowVersion": WHOLE,
    "status": _STATUS,
    **each("createTime updateTime startTime endTime lastRetriedTime", MOMENT),
    **each("input output variables", OBJECT),
    "tasks": listed(ref("Task")),
    "workflowDefinition": ref("WorkflowDef"),
    "taskToDomain": by_name(WORD),
    **each("failedReferenceTaskNames failedTaskNames", listed(WORD)),
    "priority": WHOLE,
    "history": listed(OBJECT),
    "rateLimited": FLAG,
    **each("ownerApp createdBy correlationId event reasonForIncompletion parentWorkflowId parentWorkflowTaskId", WORD),
    **each(_EXTERNAL, EXTERNAL),
    "waitingFor": ours(listed(ref("Awaited")), "What an unfinished run waits for."),
}

_TASK = {
    "taskId": WORD,
    "taskType": WORD,
    "taskDefName": WORD,
    "referenceTaskName": WORD,
    "status": _TASK_STATUS,
    "workflowInstanceId": WORD,
    "workflowType": WORD,
    **each("inputData outputData", OBJECT),
    **each("scheduledTime startTime endTime updateTime firstStartTime", MOMENT),
    **each("queueWaitTime retryCount seq pollCount iteration workflowPriority startDelayInSeconds callbackAfterSeconds", WHOLE),
    **each("responseTimeoutSeconds rateLimitPerFrequency rateLimitFrequencyInSeconds", WHOLE),
    **each("retried executed callbackFromWorker loopOverTask subworkflowChanged", FLAG),
    "workflowTask": ref("WorkflowTask"),
    "taskDefinition": {"anyOf": [ref("TaskDef"), {"type": "null"}]},
    **each("correlationId retriedTaskId reasonForIncompletion workerId domain subWorkflowId isolationGroupId executionNameSpace", WORD),
    **each(_EXTERNAL, EXTERNAL),
    "nextPollTime": ours(MOMENT, "When an HTTP_POLL task looks next, in epoch milliseconds."),
}
_TASK_OPTIONAL = (
    "correlationId retriedTaskId reasonForIncompletion workerId domain subWorkflowId isolationGroupId executionNameSpace nextPollTime "
    + _EXTERNAL
)

_SIGNAL = {
    "responseType": one_of(ReturnStrategy),
    "targetWorkflowId": WORD,
    "targetWorkflowStatus": _STATUS,
    "requestId": WORD,
    "workflowId": WORD,
    "signalTimeout": FLAG,
    **each("input output", OBJECT),
    "priority": WHOLE,
    "status": one_of(dict.fromkeys([*WorkflowStatus, *TaskStatus])),
    **each("createTime updateTime", MOMENT),
    "correlationId": WORD,
    "variables": OBJECT,
    "tasks": listed(ref("Task")),
    **each("createdBy taskType taskId referenceTaskName taskDefName retriedTaskId workflowType reasonForIncompletion", WORD),
    "retryCount": WHOLE,
    **each(_EXTERNAL, EXTERNAL),
}
_SIGNAL_OPTIONAL = (
    "correlationId variables tasks createdBy taskType taskId referenceTaskName taskDefName retriedTaskId workflowType "
    f"reasonForIncompletion retryCount {_EXTERNAL}"
)

_WORKFLOW_SUMMARY = {
    **each("workflowType workflowId", WORD),
    "version": WHOLE,
    "status": _STATUS,
    **each("startTime updateTime endTime", DATE),
    **each("input output", {**WORD, "description": "A JSON text; `{}` when it is too long for a page of results."}),
    **each("inputSize outputSize executionTime priority", WHOLE),
    **each("failedReferenceTaskNames parentWorkflowId classifier correlationId reasonForIncompletion createdBy", WORD),
    **each("idempotencyKey event", WORD),
    "failedTaskNames": listed(WORD),
    "taskToDomain": by_name(WORD),
}

_TASK_SUMMARY = {
    **each("workflowId workflowType taskId taskType taskDefName", WORD),
    "status": _TASK_STATUS,
    **each("scheduledTime startTime updateTime endTime", DATE),
    **each("executionTime queueWaitTime workflowPriority", WHOLE),
    **each("input output", {**WORD, "description": "A JSON text; `{}` when it is too long for a page of results."}),
    **each("correlationId reasonForIncompletion domain", WORD),
}

_WORKFLOW_OPTIONAL = (
    f"ownerApp createdBy correlationId event reasonForIncompletion parentWorkflowId parentWorkflowTaskId waitingFor {_EXTERNAL}"
)

OF_RUNS: Mapping[str, Schema] = {
    "Workflow": shape(
        "A run. A moment of 0 has not come yet.",
        _WORKFLOW,
        _WORKFLOW_OPTIONAL,
    ),
    "SummarizedWorkflow": ours(
        shape(
            "A run without its long payloads: `inputSize` and its like tell their bytes.",
            {**_WORKFLOW, "tasks": listed(ref("SummarizedTask")), **each("inputSize outputSize variablesSize", WHOLE)},
            f"{_WORKFLOW_OPTIONAL} input output variables inputSize outputSize variablesSize",
        )
    ),
    "SummarizedTask": ours(
        shape(
            "An attempt without its long payloads: `inputDataSize` and `outputDataSize` tell their bytes.",
            {**_TASK, **each("inputDataSize outputDataSize", WHOLE)},
            f"{_TASK_OPTIONAL} inputData outputData inputDataSize outputDataSize",
        )
    ),
    "Awaited": ours(
        shape(
            "One thing that an unfinished run waits for: who moves it on (`for`), in which task, and until when.",
            {
                "for": one_of(Party),
                **each("referenceTaskName taskId name workerId", WORD),
                "tasks": listed(WORD),
                **each("lastPollTime dueTime", MOMENT),
                "remoteState": REMOTE_STATE,
                "remoteStateSince": MOMENT,
            },
            "referenceTaskName taskId name workerId tasks lastPollTime dueTime remoteState remoteStateSince",
        )
    ),
    "Waiting": ours(
        shape(
            "A line about an unfinished run: what it waits for, and of its most telling task (a poll before others) since and until when.",
            {
                "workflowId": WORD,
                "status": _STATUS,
                **each("revision openTasks", WHOLE),
                "waitingFor": listed(ref("Awaited")),
                **each("taskId taskReferenceName taskType host", WORD),
                "remoteState": REMOTE_STATE,
                "remoteStateSince": MOMENT,
                **each("pollCount maxPollCount", WHOLE),
                **each("since lastPollTime nextPollTime", MOMENT),
                "until": {**MOMENT, "description": "When the run or the task gives up by itself, in epoch milliseconds."},
            },
            "taskId taskReferenceName taskType host remoteState remoteStateSince pollCount maxPollCount since lastPollTime nextPollTime "
            "until",
        )
    ),
    "Task": shape("One attempt of one task of a run. A moment of 0 has not come yet.", _TASK, _TASK_OPTIONAL),
    "Poll": ours(
        shape(
            "One poll of an HTTP_POLL task. `statusCode` is absent when no answer came, `nextDueTime` after the last poll.",
            {
                "poll": WHOLE,
                **each("dueTime firedTime", MOMENT),
                **each("latenessMs latencyMs", WHOLE),
                "statusCode": WHOLE,
                "decision": one_of(PollDecision),
                "nextDueTime": MOMENT,
                "remoteState": {
                    **REMOTE_STATE,
                    "description": "What the vendor said the state of its job is, where it had said otherwise before.",
                },
            },
            "statusCode nextDueTime remoteState",
        )
    ),
    "DryRun": ours(
        shape(
            "`polls`: the ledger of each polling task by its reference name, a child's with the name of its workflow before it. `ending`: "
            "what ended the dry run, `endedBy` in a sentence.",
            {
                "workflow": ref("Workflow"),
                "events": listed(ref("DryRunEvent")),
                "requests": WHOLE,
                "polls": by_name(listed(ref("Poll"))),
                "elapsedSeconds": {"type": "number"},
                "cost": ref("CostEstimate"),
                "ending": WORD,
                "endedBy": WORD,
            },
        )
    ),
    "DryRunEvent": ours(
        shape(
            "Something that happened. `atMs`: since the start of the run; `time`: on the virtual clock.",
            {"atMs": WHOLE, "time": DATE, **each("what detail taskReferenceName workflowId", WORD)},
            "taskReferenceName workflowId",
        )
    ),
    "CostEstimate": ours(
        shape(
            "`requests`: those made of vendors, polls among them. Units are DynamoDB's, `usd` is in dollars, at the list prices of a date.",
            {
                **each("polls requests invocations", WHOLE),
                **each("writeUnits readUnits usd", {"type": "number"}),
                "pricesAsOf": {"type": "string", "format": "date"},
            },
        )
    ),
    "OperationOnRun": ours(
        shape(
            f"Something that was done to a run. `by`: an access key's id, the ARN of whoever signed, `local` where nobody is asked. Of a "
            f"`reason` the first {MAX_REASON_CHARACTERS} characters are kept.",
            {"time": MOMENT, "operation": one_of(Verb), **each("by reason taskReferenceName", WORD)},
            "reason taskReferenceName",
        )
    ),
    "PollNow": ours(shape("`reason`: why; shown in the run's operations log.", {"reason": WORD}, "reason")),
    "HastenedPoll": ours(
        shape(
            "`poll`: the number of the poll that comes, as in the ledger. `due`: since when it is due.",
            {**each("workflowId taskId taskReferenceName", WORD), "poll": WHOLE, "due": MOMENT},
        )
    ),
    "WorkflowStatus": shape(
        "The short answer about a run.",
        {"workflowId": WORD, "status": _STATUS, "correlationId": WORD, "output": OBJECT, "variables": OBJECT},
        "correlationId output variables",
    ),
    "WorkflowSummary": shape(
        "A run as a search shows it.", _WORKFLOW_SUMMARY, "endTime correlationId reasonForIncompletion createdBy idempotencyKey event"
    ),
    "TaskSummary": shape("A task as a search shows it.", _TASK_SUMMARY, "correlationId reasonForIncompletion domain"),
    "SignalResponse": shape(
        "A run, or the task that blocks it, when it stands still or the wait is over (`signalTimeout`). `responseType` tells which of "
        "them is shown.",
        _SIGNAL,
        _SIGNAL_OPTIONAL,
    ),
    "SearchResultOfWorkflowSummary": page("Runs, one page.", ref("WorkflowSummary")),
    "SearchResultOfWorkflow": page("Whole runs without their tasks, one page.", ref("Workflow")),
    "SearchResultOfTaskSummary": page("Tasks, one page.", ref("TaskSummary")),
    "SearchResultOfSummarizedTask": ours(page("Tasks without their long payloads, one page.", ref("SummarizedTask"))),
    "SearchResultOfTask": page("Whole tasks, one page.", ref("Task")),
    "SearchResultOfWorkflowSchedule": page("Schedules, one page.", ref("WorkflowSchedule")),
    "SearchResultOfWorkflowScheduleExecution": page("Starts of schedules, one page.", ref("WorkflowScheduleExecution")),
    "TaskExecLog": shape("A line of a task's log.", {"log": WORD, "taskId": WORD, "createdTime": MOMENT}),
    "PollData": shape(
        "When a queue was polled last, and by whom.",
        {"queueName": WORD, "lastPollTime": MOMENT, "domain": WORD, "workerId": WORD},
        "domain workerId",
    ),
    "QueueShard": shape("", {"size": WHOLE, "uacked": WHOLE}),
}
