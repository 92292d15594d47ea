"""Finding runs and tasks."""

from fermata.api import finding, overviews, search
from fermata.api.description.vocabulary import (
    WORD,
    Body,
    Operation,
    Parameter,
    Room,
    by_name,
    flag,
    json,
    listed,
    number,
    ref,
    variable,
    word,
    words,
)

_PAGE = (
    number("start", f"The first one's place. start and size reach no further than {search.MAX_REACH}.", 0, 0, search.MAX_REACH),
    number("size", "How many at most.", search.DEFAULT_SIZE, 0, search.MAX_SIZE),
    word("sort", "`field:ASC` or `field:DESC`."),
    word("freeText", "A word that must be somewhere; `*` is no condition."),
    word("query", "Conditions, such as `workflowType = 'order' AND status IN (FAILED, TIMED_OUT)`."),
)
_OF_RUNS = (
    *_PAGE,
    word("cursor", "The `nextCursor` of the page before: goes on behind it, however far it is, and counts only what follows."),
    words("classifier", "Only runs of these kinds."),
    flag("topLevelOnly", "Without runs that other runs started.", default=False),
)
_INCLUDED = (
    flag("includeClosed", "Those that are over, too.", default=False),
    flag("includeTasks", "With their tasks.", default=False),
)
_MOST = finding.MAX_MOMENT
_SUMMARIES = json("A page of runs.", ref("SearchResultOfWorkflowSummary"))
_WHOLE = json("A page of whole runs, without their tasks.", ref("SearchResultOfWorkflow"))

FINDING = Room(
    "finding",
    "Searching for runs and tasks. What is too long for a page is left out of it; a size tells.",
    {
        "GET /api/workflow/search": Operation("searchWorkflows", "Search for runs.", _SUMMARIES, query=_OF_RUNS),
        "GET /api/workflow/search-v2": Operation("searchWorkflowsV2", "Search for runs and show them whole.", _WHOLE, query=_OF_RUNS),
        "GET /api/workflow/search-by-tasks": Operation(
            "searchWorkflowsByTasks", "Search for runs by what their tasks are.", _SUMMARIES, query=_PAGE
        ),
        "GET /api/workflow/search-by-tasks-v2": Operation(
            "searchWorkflowsByTasksV2", "Search for runs by what their tasks are, and show them whole.", _WHOLE, query=_PAGE
        ),
        "GET /api/tasks/search": Operation(
            "searchTasks", "Search for tasks.", json("A page of tasks.", ref("SearchResultOfTaskSummary")), query=_PAGE
        ),
        "GET /api/tasks/search-v2": Operation(
            "searchTasksV2", "Search for tasks and show them whole.", json("A page of tasks.", ref("SearchResultOfTask")), query=_PAGE
        ),
        "GET /api/executions/waiting": Operation(
            "getWaiting",
            "Get what each of many runs waits for.",
            json(
                "A list in the order of the ids: null for a run that is over or unknown.",
                listed({"anyOf": [ref("Waiting"), {"type": "null"}]}),
            ),
            about="For lists of runs: it costs a few reads for all of them, however many tasks they have.",
            query=(Parameter("workflowId", "The runs' ids.", listed(WORD, minItems=1, maxItems=overviews.MOST), required=True),),
            ours=True,
        ),
        "GET /api/workflow/running/<name>": Operation(
            "getRunningWorkflows",
            "List the ids of a definition's unfinished runs.",
            json("The ids.", listed(WORD)),
            query=(
                number("version", "The version.", finding.FIRST_VERSION),
                number("startTime", "Only runs from then on, in epoch milliseconds; needs endTime.", 0, 0, _MOST),
                number("endTime", "Only runs until then, in epoch milliseconds; needs startTime.", 0, 0, _MOST),
            ),
        ),
        "GET /api/workflow/<name>/correlated/<correlation>": Operation(
            "getCorrelatedWorkflows",
            "List the running runs of a correlation id.",
            json("The runs.", listed(ref("Workflow"))),
            query=_INCLUDED,
            path={"correlation": variable("correlation", "The correlation id.")},
        ),
        "POST /api/workflow/<name>/correlated": Operation(
            "getCorrelatedWorkflowsOfMany",
            "List the running runs of several correlation ids.",
            json("The runs, by correlation id.", by_name(listed(ref("Workflow")))),
            query=_INCLUDED,
            body=Body("Correlation ids.", listed(WORD, maxItems=finding.MAX_CORRELATED)),
        ),
        "POST /api/workflow/correlated/batch": Operation(
            "getCorrelatedWorkflowsOfManyDefinitions",
            "List the running runs of several correlation ids and several definitions.",
            json("The runs, by correlation id.", by_name(listed(ref("Workflow")))),
            about="Orkes Conductor has it; Conductor's open server has not.",
            query=_INCLUDED,
            body=Body("What to look for.", ref("CorrelationIdsSearchRequest")),
        ),
    },
    {"name": variable("name", "The workflow definition's name.")},
)
