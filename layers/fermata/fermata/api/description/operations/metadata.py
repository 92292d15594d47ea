"""Workflow definitions and task definitions."""

from fermata.api.description.vocabulary import (
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
    ref,
    variable,
    word,
)
from fermata.wire.definitions import MAX_VERSION

_WORKFLOW, _TASK = "/api/metadata/workflow", "/api/metadata/taskdefs"
_WARNINGS = {"X-Fermata-Warnings": "What looks like a mistake, a JSON list of `{path, message, code}`. Ours."}
_ONE = Body("A workflow definition.", ref("WorkflowDef"))

WORKFLOW_DEFINITIONS = Room(
    "workflow definitions",
    "What can be started, by name and version.",
    {
        f"POST {_WORKFLOW}": Operation(
            "registerWorkflow",
            "Register a workflow definition.",
            empty("It is registered.", **_WARNINGS),
            about="A definition that cannot run here is refused with every mistake at once.",
            query=(flag("overwrite", "Replace this version if it exists, instead of 409.", default=False),),
            body=_ONE,
            refuses=(409,),
        ),
        f"PUT {_WORKFLOW}": Operation(
            "updateWorkflows",
            "Register workflow definitions, or replace them.",
            json("The names.", ref("BulkResponse"), **_WARNINGS),
            body=Body("Workflow definitions.", listed(ref("WorkflowDef"), minItems=1)),
        ),
        f"POST {_WORKFLOW}/validate": Operation(
            "validateWorkflow",
            "Check a workflow definition without registering it.",
            empty("It can be registered.", **_WARNINGS),
            body=_ONE,
        ),
        f"GET {_WORKFLOW}": Operation(
            "listWorkflows",
            "List all versions of all workflow definitions.",
            json("The definitions.", listed(ref("WorkflowDef"))),
            query=(word("classifier", "Only these: `workflow` or `agent`, or what a definition's metadata says it is."),),
        ),
        f"GET {_WORKFLOW}/names": Operation("listWorkflowNames", "List the names.", json("The names.", listed(WORD))),
        f"GET {_WORKFLOW}/names-and-versions": Operation(
            "listWorkflowNamesAndVersions",
            "List the versions of every name.",
            json("The versions, by name.", by_name(listed(ref("WorkflowDefSummary")))),
        ),
        f"GET {_WORKFLOW}/latest-versions": Operation(
            "listLatestWorkflows", "List the highest version of every name.", json("The definitions.", listed(ref("WorkflowDef")))
        ),
        f"GET {_WORKFLOW}/<name>": Operation(
            "getWorkflowDefinition",
            "Get a workflow definition.",
            json("The definition.", ref("WorkflowDef")),
            query=(number("version", "The version; the highest by default."),),
            refuses=(404,),
        ),
        f"GET {_WORKFLOW}/<name>/versions": Operation(
            "listWorkflowVersions",
            "List the versions of a name.",
            json("The versions; none when the name is unknown.", listed(ref("WorkflowDefSummary"))),
        ),
        f"DELETE {_WORKFLOW}/<name>/<version>": Operation(
            "deleteWorkflowDefinition", "Delete a version.", empty(), about="Runs keep the definition they began with.", refuses=(404,)
        ),
    },
    {
        "name": variable("name", "The workflow definition's name."),
        "version": variable("version", "Its version.", {**WHOLE, "minimum": 0, "maximum": MAX_VERSION}),
    },
)

TASK_DEFINITIONS = Room(
    "task definitions",
    "The policy of a kind of task: retries, timeouts, limits.",
    {
        f"POST {_TASK}": Operation(
            "registerTasks",
            "Register task definitions, or replace them.",
            empty(),
            body=Body("Task definitions.", listed(ref("TaskDef"))),
        ),
        f"PUT {_TASK}": Operation(
            "updateTask", "Replace a task definition.", empty(), body=Body("A task definition.", ref("TaskDef")), refuses=(404,)
        ),
        f"GET {_TASK}": Operation("listTasks", "List all task definitions.", json("The definitions.", listed(ref("TaskDef")))),
        f"GET {_TASK}/<name>": Operation(
            "getTaskDefinition", "Get a task definition.", json("The definition.", ref("TaskDef")), refuses=(404,)
        ),
        f"DELETE {_TASK}/<name>": Operation("deleteTaskDefinition", "Delete a task definition.", empty(), refuses=(404,)),
    },
    {"name": variable("name", "The task definition's name.")},
)
