"""Tasks, the workers that do them, their queues, and signals."""

from fermata.api.description.operations.runs import STRATEGY
from fermata.api.description.vocabulary import (
    OBJECT,
    TEXT,
    WHOLE,
    WORD,
    Body,
    Operation,
    Room,
    by_name,
    empty,
    json,
    listed,
    nothing,
    number,
    one_of,
    ref,
    text,
    variable,
    word,
    words,
)
from fermata.api.signals import DEFAULT_TIMEOUT_MS as SIGNAL_TIMEOUT_MS
from fermata.api.workers import DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS
from fermata.application.complete import REPORTED
from fermata.application.report import REPORTABLE

_TYPE = {"type": variable("type", "The task type: the name of its definition.")}
_WORKER, _DOMAIN = word("workerid", "Who asks."), word("domain", "The domain of the queue.")
_OUTPUT = Body("Output of the task, merged into what it has.", OBJECT, required=False)
_RESULT = Body("What the worker says about the task.", ref("TaskResult"))
_REPORT = {
    "workflow": variable("workflow", "The run's id."),
    "reference": variable("reference", "The task's reference name; without the suffix of a loop's iteration it is the open one."),
    "status": variable("status", "The task's new status.", one_of(REPORTABLE)),
}
_SIGNAL = {"workflow": _REPORT["workflow"], "status": variable("status", "The task's new status.", one_of(sorted(REPORTED)))}
_WHY = word("reason", "Why; shown in the run's operations log.")
_WORK = json("A task to do.", ref("Task"))

TASKS = Room(
    "tasks",
    "Single tasks, their polls and their logs.",
    {
        "GET /api/tasks/<id>": Operation("getTask", "Get a task.", json("The task.", ref("Task")), refuses=(404,)),
        "GET /api/tasks/<id>/polls": Operation(
            "getPolls",
            "Get the ledger of an HTTP_POLL task: every poll that was made.",
            json("The polls, oldest first.", listed(ref("Poll"))),
            query=(number("since", "Only polls numbered above this.", 0, 0), number("count", "How many at most; all by default.", least=1)),
            refuses=(404,),
            ours=True,
        ),
        "POST /api/tasks/<id>/poll-now": Operation(
            "pollNow",
            "Make the next poll of a waiting task now.",
            json("Which poll comes.", ref("HastenedPoll")),
            about="It counts as any poll does, and the next interval is from it. Asking twice makes one poll.",
            query=(_WHY,),
            body=Body("Why.", ref("PollNow"), required=False),
            refuses=(404, 409),
            ours=True,
        ),
        "POST /api/tasks/<id>/log": Operation(
            "writeTaskLog",
            "Add a line to a task's log.",
            empty(),
            body=Body("The line, raw.", WORD, required=False, content_type=TEXT),
            refuses=(404,),
        ),
        "GET /api/tasks/<id>/log": Operation(
            "getTaskLog",
            "Get a task's log.",
            {**json("The lines.", listed(ref("TaskExecLog"))), **nothing("There are none.")},
            refuses=(404,),
        ),
    },
    {"id": variable("id", "The task's id.")},
)

WORKERS = Room(
    "workers",
    "Asking for tasks and reporting on them.",
    {
        "GET /api/tasks/poll/<type>": Operation(
            "poll", "Take a task.", {**_WORK, **nothing("There is none.")}, query=(_WORKER, _DOMAIN), path=_TYPE
        ),
        "GET /api/tasks/poll/batch/<type>": Operation(
            "pollBatch",
            "Take tasks; wait for them if there are none.",
            json("The tasks.", listed(ref("Task"))),
            query=(
                _WORKER,
                _DOMAIN,
                number("count", "How many at most.", 1),
                number("timeout", "How long to wait, in milliseconds.", DEFAULT_TIMEOUT_MS, most=MAX_TIMEOUT_MS),
            ),
            path=_TYPE,
        ),
        "POST /api/tasks": Operation(
            "updateTaskResult", "Report on a task.", text("The task's id."), query=(_WHY,), body=_RESULT, refuses=(404, 409)
        ),
        "POST /api/tasks/update-v2": Operation(
            "updateTaskResultV2",
            "Report on a task and take the next one of its queue.",
            {**_WORK, **nothing("There is none, or the task is not over.")},
            query=(_WHY,),
            body=_RESULT,
            refuses=(404, 409),
        ),
        "POST /api/tasks/<workflow>/<reference>/<status>": Operation(
            "updateTaskByReference",
            "Report on a run's open task by its reference name.",
            text("The task's id."),
            query=(_WORKER, _WHY),
            body=_OUTPUT,
            path=_REPORT,
            refuses=(404, 409),
        ),
        "POST /api/tasks/<workflow>/<reference>/<status>/sync": Operation(
            "updateTaskByReferenceSync",
            "Report on a run's open task by its reference name, and see the run.",
            json("The run.", ref("Workflow")),
            query=(_WORKER, _WHY),
            body=_OUTPUT,
            path=_REPORT,
            refuses=(404, 409),
        ),
    },
)

SIGNALS = Room(
    "signals",
    "What an outside party tells the WAIT that blocks a run, or a run under it.",
    {
        "POST /api/tasks/<workflow>/<status>/signal": Operation(
            "signalWorkflow",
            "End the WAIT that blocks a run.",
            empty("Done, or nothing blocks it."),
            query=(_WHY,),
            body=_OUTPUT,
            refuses=(404, 409),
        ),
        "POST /api/tasks/<workflow>/<status>/signal/sync": Operation(
            "signalWorkflowSync",
            "End the WAIT that blocks a run, and wait until it stands still again.",
            json("The run, or what blocks it.", ref("SignalResponse")),
            query=(STRATEGY, number("timeoutMillis", "How long to wait, in milliseconds.", SIGNAL_TIMEOUT_MS, 0), _WHY),
            body=_OUTPUT,
            refuses=(404, 409),
        ),
    },
    _SIGNAL,
)

QUEUES = Room(
    "queues",
    "How many tasks wait for workers, and who polls.",
    {
        "GET /api/tasks/queue/sizes": Operation(
            "queueSizes",
            "Count what waits, by task type.",
            json("The counts.", by_name(WHOLE)),
            query=(words("taskType", "The task types."),),
        ),
        "GET /api/tasks/queue/size": Operation(
            "queueSize",
            "Count what waits in one queue.",
            json("The count.", WHOLE),
            query=(word("taskType", "The task type.", required=True), _DOMAIN),
        ),
        "GET /api/tasks/queue/all": Operation("allQueueSizes", "Count what waits in every queue.", json("By queue.", by_name(WHOLE))),
        "GET /api/tasks/queue/all/verbose": Operation(
            "allQueueSizesVerbose", "The same, as of a sharded queue.", json("By queue and shard.", by_name(by_name(ref("QueueShard"))))
        ),
        "POST /api/tasks/queue/requeue/<type>": Operation(
            "requeue",
            "Count what waits; there is nothing to put back.",
            text("The count."),
            path=_TYPE,
        ),
        "GET /api/tasks/queue/polldata": Operation(
            "pollData",
            "Who polled for a task type, and when.",
            json("By domain.", listed(ref("PollData"))),
            query=(word("taskType", "The task type."),),
        ),
        "GET /api/tasks/queue/polldata/all": Operation("allPollData", "Who polled, and when.", json("By queue.", listed(ref("PollData")))),
    },
)
