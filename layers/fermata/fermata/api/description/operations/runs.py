"""Starting and reading runs, and what an operator does to them, alone and in bulk."""

from fermata.api.bulk import MAX_IDS
from fermata.api.description.vocabulary import (
    OBJECT,
    WHOLE,
    WORD,
    Body,
    Operation,
    Parameter,
    Room,
    empty,
    flag,
    header,
    json,
    json_once,
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
from fermata.api.waiting import DEFAULT_SECONDS
from fermata.api.workflows import DEFAULT_TASK_COUNT
from fermata.domain.idempotency import IdempotencyStrategy
from fermata.wire.definitions import MAX_VERSION
from fermata.wire.requests import MAX_PRIORITY
from fermata.wire.signals import ReturnStrategy
from fermata.wire.summarized import LONGEST_BYTES

_ID = {"id": variable("id", "The run's id.")}
_KEY = (
    header("X-Idempotency-Key", "Starts with the same key start one run. The body's `idempotencyKey` counts first."),
    header("X-on-conflict", "What a second start with the key does.", one_of(IdempotencyStrategy)),
)
_START = Body("What to start.", ref("StartWorkflowRequest"))
_ARCHIVE = flag("archiveWorkflow", "True: only a run that is over.", default=True)
_REASON = word("reason", "Why; shown in the run, and in its operations log.")
_WHY = word("reason", "Why; shown in the run's operations log.")
_LATEST = flag("useLatestDefinitions", "Run the newest definition, not the one the run began with.", default=False)
_ONCE = (
    flag("summarize", f"Without inputs, outputs and variables of more than {LONGEST_BYTES} bytes: their sizes instead.", default=False),
    header("If-None-Match", "The `ETag` of an earlier answer."),
)

STRATEGY = Parameter("returnStrategy", "Whose state is answered.", {**one_of(ReturnStrategy), "default": "TARGET_WORKFLOW"})

RUNS = Room(
    "runs",
    "Starting runs of workflow definitions, and reading them.",
    {
        "POST /api/workflow": Operation(
            "startWorkflow",
            "Start a run.",
            text("The run's id."),
            about="To start a definition that is not registered (`workflowDef`) takes the role admin.",
            query=_KEY,
            body=_START,
            refuses=(404, 409),
        ),
        "POST /api/workflow/<name>": Operation(
            "startWorkflowByName",
            "Start a run by name, with its input as the body.",
            text("The run's id."),
            query=(
                number("version", "The version; the highest by default."),
                word("correlationId", "An id of yours by which the run can be found."),
                number("priority", "Shown in the run.", 0, 0, MAX_PRIORITY),
                *_KEY,
            ),
            body=Body("The run's input.", OBJECT, required=False),
            path={"name": variable("name", "The workflow definition's name.")},
            refuses=(404, 409),
        ),
        "POST /api/workflow/execute/<name>/<version>": Operation(
            "executeWorkflow",
            "Start a run and wait until it stands still.",
            json("The run, or what blocks it.", ref("SignalResponse")),
            about="It is answered as it is when the wait is over (`signalTimeout`). The server's `LongestHoldSeconds` bounds every wait.",
            query=(
                word("requestId", "Comes back in the answer."),
                words("waitUntilTaskRef", "Answer, too, when one of these tasks is over."),
                number("waitForSeconds", "How long to wait.", DEFAULT_SECONDS, 0),
                STRATEGY,
                *_KEY,
            ),
            body=Body("As for a start; name and version of the path count.", ref("StartWorkflowRequest"), required=False),
            path={
                "name": variable("name", "The workflow definition's name."),
                "version": variable("version", "Its version; 0 is the highest.", {**WHOLE, "minimum": 0, "maximum": MAX_VERSION}),
            },
            refuses=(404, 409),
        ),
        "POST /api/workflow/test": Operation(
            "testWorkflow",
            "Run a definition with made-up task outputs.",
            json("The run.", ref("Workflow")),
            about="Nothing is stored and nothing is sent.",
            body=Body("A start request and the outputs.", ref("WorkflowTestRequest")),
            refuses=(404,),
        ),
        "POST /api/workflow/dry-run": Operation(
            "dryRunWorkflow",
            "Run a definition on a virtual clock, with a vendor that answers from a script.",
            json("What happened, when, and what it would cost.", ref("DryRun")),
            about="Nothing is stored and nothing is sent; secrets stand for themselves. A request that the script does not know is "
            "answered 200 `{}`, and the events say so. Definitions that the run names are the registered ones. It ends when the run is "
            "over, when only somebody outside can move it on, or when it has taken all that one request may.",
            body=Body("A start request and the vendor's answers.", ref("DryRunRequest")),
            refuses=(404,),
            ours=True,
        ),
        "GET /api/workflow/<id>": Operation(
            "getWorkflow",
            "Get a run and, while it is not over, what it waits for.",
            json_once("The run.", {"anyOf": [ref("Workflow"), ref("SummarizedWorkflow")]}),
            query=(flag("includeTasks", "With its tasks.", default=True), *_ONCE),
            refuses=(404,),
        ),
        "GET /api/workflow/<id>/status": Operation(
            "getWorkflowStatus",
            "Get a run's status.",
            json("The status.", ref("WorkflowStatus")),
            query=(
                flag("includeOutput", "With its output.", default=False),
                flag("includeVariables", "With its variables.", default=False),
            ),
            refuses=(404,),
        ),
        "GET /api/workflow/<id>/cost": Operation(
            "getCost",
            "Estimate what a run has cost so far on AWS.",
            json("The estimate.", ref("CostEstimate")),
            about="Worked out from its decisions, tasks and polls, at list prices. What it started is not in it.",
            refuses=(404,),
            ours=True,
        ),
        "GET /api/workflow/<id>/tasks": Operation(
            "getWorkflowTasks",
            "Get a page of a run's tasks.",
            json_once("The tasks.", {"anyOf": [ref("SearchResultOfTask"), ref("SearchResultOfSummarizedTask")]}),
            query=(
                number("start", "The first one's place.", 0, 0),
                number("count", "How many at most.", DEFAULT_TASK_COUNT, 0),
                words("status", "Only tasks of these statuses."),
                *_ONCE,
            ),
            refuses=(404,),
        ),
    },
    _ID,
)

OPERATIONS = Room(
    "operations on a run",
    "What an operator does to a run.",
    {
        "GET /api/workflow/<id>/operations": Operation(
            "getOperations",
            "Get what was done to a run from outside: when, by whom, and why.",
            json("The operations, oldest first.", listed(ref("OperationOnRun"))),
            about="Pause, resume, terminate, retry, restart, rerun, skip, poll now, and the end of a task that no worker did. An order "
            "that changed nothing is not among them. The log goes with the run.",
            refuses=(404,),
            ours=True,
        ),
        "DELETE /api/workflow/<id>": Operation("terminateWorkflow", "End a run.", empty(), query=(_REASON,), refuses=(404, 409)),
        "PUT /api/workflow/<id>/pause": Operation(
            "pauseWorkflow", "Schedule no further tasks.", empty(), query=(_WHY,), refuses=(404, 409)
        ),
        "PUT /api/workflow/<id>/resume": Operation("resumeWorkflow", "Let a paused run go on.", empty(), query=(_WHY,), refuses=(404, 409)),
        "POST /api/workflow/<id>/restart": Operation(
            "restartWorkflow", "Run it again from the start, under its id.", nothing(), query=(_LATEST, _WHY), refuses=(404, 409)
        ),
        "POST /api/workflow/<id>/retry": Operation(
            "retryWorkflow",
            "Try again what failed.",
            nothing(),
            query=(flag("resumeSubworkflowTasks", "Retry inside the child that failed.", default=False), _WHY),
            refuses=(404, 409),
        ),
        "POST /api/workflow/<id>/rerun": Operation(
            "rerunWorkflow",
            "Run it again from a task, with new input if you like.",
            text("The run's id, which stays the same."),
            query=(_WHY,),
            body=Body("From which task; from the start by default.", ref("RerunWorkflowRequest"), required=False),
            refuses=(404, 409),
        ),
        "PUT /api/workflow/<id>/skiptask/<ref>": Operation(
            "skipTask",
            "Skip a task that has not begun.",
            empty(),
            query=(word("taskInput", "Its input, a JSON object."), word("taskOutput", "Its output, a JSON object."), _WHY),
            body=Body("`taskInput` and `taskOutput`; they count before the query's.", OBJECT, required=False),
            path={"ref": variable("ref", "The task's reference name.")},
            refuses=(404, 409),
        ),
        "POST /api/workflow/<id>/resetcallbacks": Operation(
            "resetCallbacks", "Give workers at once what they put back for later.", nothing(), refuses=(404, 409)
        ),
        "PUT /api/workflow/decide/<id>": Operation("decideWorkflow", "Look at the run again.", empty(), refuses=(404, 409)),
        "POST /api/workflow/<id>/variables": Operation(
            "updateVariables",
            "Set variables of a run.",
            json("The run.", ref("Workflow")),
            about="Orkes Conductor has it; Conductor's open server has not.",
            body=Body("The variables, by name.", OBJECT, required=False),
            refuses=(404, 409),
        ),
        "DELETE /api/workflow/<id>/remove": Operation("removeWorkflow", "Forget a run.", empty(), query=(_ARCHIVE,), refuses=(404, 409)),
        "DELETE /api/workflow/<id>/terminate-remove": Operation(
            "terminateAndRemoveWorkflow", "End a run and forget it.", empty(), query=(_REASON, _ARCHIVE), refuses=(404, 409)
        ),
    },
    _ID,
)

_IDS = Body("The ids of runs.", listed(WORD, minItems=1, maxItems=MAX_IDS))
_BULK = json("What became of each id.", ref("BulkResponse"))

BULK = Room(
    "operations on many runs",
    f"One operation on up to {MAX_IDS} runs. Each id stands for itself: an error is told by its id, and the status stays 200.",
    {
        "PUT /api/workflow/bulk/pause": Operation("pauseWorkflows", "Pause runs.", _BULK, body=_IDS, query=(_WHY,)),
        "PUT /api/workflow/bulk/resume": Operation("resumeWorkflows", "Resume runs.", _BULK, body=_IDS, query=(_WHY,)),
        "POST /api/workflow/bulk/restart": Operation("restartWorkflows", "Restart runs.", _BULK, body=_IDS, query=(_LATEST, _WHY)),
        "POST /api/workflow/bulk/retry": Operation("retryWorkflows", "Retry runs.", _BULK, body=_IDS, query=(_WHY,)),
        "POST /api/workflow/bulk/terminate": Operation("terminateWorkflows", "End runs.", _BULK, body=_IDS, query=(_REASON,)),
        "POST /api/workflow/bulk/search": Operation(
            "getWorkflows",
            "Get runs.",
            json("The runs.", ref("BulkResponseOfWorkflow")),
            body=_IDS,
            query=(flag("includeTasks", "With their tasks.", default=True),),
        ),
        "DELETE /api/workflow/bulk/remove": Operation("removeWorkflows", "Forget runs.", _BULK, body=_IDS, query=(_ARCHIVE,)),
        "DELETE /api/workflow/bulk/terminate-remove": Operation(
            "terminateAndRemoveWorkflows", "End runs and forget them.", _BULK, body=_IDS, query=(_REASON, _ARCHIVE)
        ),
    },
)
