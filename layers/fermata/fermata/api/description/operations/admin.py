"""What an operator asks of the server itself."""

from fermata.api.admin import DEFAULT_COUNT, MAX_COUNT
from fermata.api.description.vocabulary import (
    OBJECT,
    WHOLE,
    WORD,
    Body,
    Operation,
    Room,
    by_name,
    empty,
    flag,
    json,
    listed,
    number,
    one_of,
    ref,
    text,
    variable,
    word,
)
from fermata.application.end_wait import ENDS

_OUTPUT = Body("Output of the task.", OBJECT, required=False)
_WHY = word("reason", "Why; shown in the run's operations log.")
_RUN = variable("workflow", "The run's id.")

ADMIN = Room(
    "administration",
    "Settings, repair, and the names that definitions may use.",
    {
        "GET /api/admin/config": Operation("getConfig", "Get what the operator decided.", json("By the names of the settings.", OBJECT)),
        "GET /api/admin/task/<type>": Operation(
            "getOpenTasks",
            "List the tasks of a type that are not over.",
            json("The tasks.", listed(ref("Task"))),
            query=(number("start", "The first one's place.", 0, 0), number("count", "How many at most.", DEFAULT_COUNT, 0, MAX_COUNT)),
        ),
        "POST /api/admin/sweep/requeue/<workflow>": Operation(
            "requeueSweep", "Look at a run again.", text("`true.` and the run's id."), refuses=(404, 409)
        ),
        "POST /api/admin/consistency/verifyAndRepair/<workflow>": Operation(
            "verifyAndRepair", "Send again what a run waits for.", text("`true` if there was anything to repair."), refuses=(404, 409)
        ),
        "GET /api/admin/queues": Operation(
            "getEventQueues",
            "List the queue behind each event that a handler listens to.",
            json("By event; with `verbose` the sizes by queue, which are not known: null.", OBJECT),
            query=(flag("verbose", "With sizes.", default=False),),
        ),
        "GET /api/secrets": Operation("listSecretNames", "List the names of secrets, never a value.", json("The names.", listed(WORD))),
        "GET /api/environment": Operation(
            "listEnvironment", "List the environment variables that expressions may read.", json("", listed(ref("EnvironmentVariable")))
        ),
        "GET /api/environment/<key>": Operation("getEnvironmentVariable", "Get one of them.", text("Its value."), refuses=(404,)),
    },
    {
        "workflow": _RUN,
        "type": variable("type", "The task type."),
        "key": variable("key", "The variable's name."),
    },
)

COMPLETION_QUEUES = Room(
    "completion queues",
    "Conductor's queues whose messages end waiting tasks. Here the task ends at once, and nothing ever lies in them.",
    {
        "GET /api/queue/": Operation("getQueueNames", "List the queues.", json("By the status that they give.", by_name(WORD))),
        "GET /api/queue/size": Operation("getQueueSizes", "Count what lies in them: nothing.", json("By queue.", by_name(WHOLE))),
        "POST /api/queue/update/<workflow>/<reference>/<status>": Operation(
            "endWaitByReference", "End a WAIT by its reference name.", empty(), query=(_WHY,), body=_OUTPUT, refuses=(404, 409)
        ),
        "POST /api/queue/update/<workflow>/task/<task>/<status>": Operation(
            "endWait", "End a WAIT by its id.", empty(), query=(_WHY,), body=_OUTPUT, refuses=(404, 409)
        ),
    },
    {
        "workflow": _RUN,
        "reference": variable("reference", "The task's reference name."),
        "task": variable("task", "The task's id."),
        "status": variable("status", "The task's new status.", one_of(ENDS)),
    },
)
