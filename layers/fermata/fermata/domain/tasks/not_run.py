"""Task types that Conductor or Orkes have and Fermata does not run: why, and what does the same work here. One line each."""

from collections.abc import Mapping
from typing import NamedTuple


class NotRun(NamedTuple):
    """`why` it is not run, and what to use `instead`; both are read in one sentence."""

    why: str
    instead: str


_MODEL = "it calls a model provider through libraries that are not part of Fermata"
_FILES = "it works on documents, which no function here opens"
_ORKES = "it is part of Orkes' product and not of open-source Conductor"

_CALL_THE_MODEL = "call the provider's API with an HTTP task, or let a worker do it in a SIMPLE task"
_CALL_THE_API = "call the service's API with an HTTP task"
_WORKER = "let a worker do it in a SIMPLE task"

NOT_RUN: Mapping[str, NotRun] = {
    # Open-source Conductor (engine reference 6.20, 6.22, 6.23).
    "KAFKA_PUBLISH": NotRun(
        "no connection to a broker is kept between two steps",
        "use EVENT with an sqs or eventbridge sink, or an HTTP task to a REST proxy of the broker",
    ),
    "PULL_WORKFLOW_MESSAGES": NotRun(
        "a run has no message queue of its own", "use WAIT or HUMAN and complete it with POST /tasks/{workflowId}/{status}/signal"
    ),
    "LLM_TEXT_COMPLETE": NotRun(_MODEL, _CALL_THE_MODEL),
    "LLM_CHAT_COMPLETE": NotRun(_MODEL, _CALL_THE_MODEL),
    "LLM_GENERATE_EMBEDDINGS": NotRun(_MODEL, _CALL_THE_MODEL),
    "LLM_STORE_EMBEDDINGS": NotRun(_MODEL, _CALL_THE_MODEL),
    "LLM_GET_EMBEDDINGS": NotRun(_MODEL, _CALL_THE_MODEL),
    "LLM_SEARCH_EMBEDDINGS": NotRun(_MODEL, _CALL_THE_MODEL),
    "LLM_INDEX_TEXT": NotRun(_MODEL, _CALL_THE_MODEL),
    "LLM_SEARCH_INDEX": NotRun(_MODEL, _CALL_THE_MODEL),
    "GENERATE_IMAGE": NotRun(_MODEL, _CALL_THE_MODEL),
    "GENERATE_AUDIO": NotRun(_MODEL, _CALL_THE_MODEL),
    "GENERATE_VIDEO": NotRun(_MODEL, f"submit the job with an HTTP task and await it with HTTP_POLL, or {_WORKER}"),
    "GENERATE_PDF": NotRun(_FILES, _WORKER),
    "LIST_MCP_TOOLS": NotRun(_MODEL, _CALL_THE_MODEL),
    "CALL_MCP_TOOL": NotRun(_MODEL, _CALL_THE_MODEL),
    "AGENT": NotRun(_MODEL, _WORKER),
    "GET_AGENT_CARD": NotRun(_MODEL, _CALL_THE_API),
    "CANCEL_AGENT": NotRun(_MODEL, _CALL_THE_API),
    "JDBC": NotRun("no database connection is kept between two steps", _WORKER),
    # Orkes (engine reference 6.24).
    "GET_WORKFLOW": NotRun(_ORKES, "read GET /workflow/{workflowId} of this API with an HTTP task"),
    "UPDATE_TASK": NotRun(_ORKES, "send POST /tasks/{workflowId}/{taskRefName}/{status} to this API with an HTTP task"),
    "TERMINATE_WORKFLOW": NotRun(_ORKES, "send DELETE /workflow/{workflowId} to this API with an HTTP task"),
    "WAIT_FOR_WEBHOOK": NotRun(_ORKES, "use WAIT and let the caller complete it with POST /tasks/{workflowId}/{status}/signal"),
    "WAIT_FOR_EVENT": NotRun(_ORKES, "use WAIT and an event handler that completes it"),
    "YIELD": NotRun(_ORKES, "use WAIT and complete it with POST /tasks/{workflowId}/{status}/signal"),
    "JUMP": NotRun(_ORKES, "use DO_WHILE around the steps to repeat, or SWITCH around those to leave out"),
    "UPDATE_SECRET": NotRun(_ORKES, _WORKER),
    "GET_SIGNED_JWT": NotRun(_ORKES, _WORKER),
    "BUSINESS_RULE": NotRun(_ORKES, "write the rules as a SWITCH or an INLINE script"),
    "QUERY_PROCESSOR": NotRun(_ORKES, _CALL_THE_API),
    "OPS_GENIE": NotRun(_ORKES, _CALL_THE_API),
    "SENDGRID": NotRun(_ORKES, _CALL_THE_API),
    "GRPC": NotRun(_ORKES, _WORKER),
    "GET_DOCUMENT": NotRun(_ORKES, _WORKER),
    "CHUNK_TEXT": NotRun(_ORKES, _WORKER),
    "PARSE_DOCUMENT": NotRun(_ORKES, _WORKER),
    "LIST_FILES": NotRun(_ORKES, _WORKER),
    # Conductor's own word for a type that it does not know (engine reference 6.27).
    "USER_DEFINED": NotRun("it names no work", "give the task the type SIMPLE and the name that its worker polls for"),
}


def refusal_of(task_type: str, reference_name: str) -> str | None:
    """Return why a task of this type is not run and what to use instead; None for a type that is not in the table."""
    found = NOT_RUN.get(task_type)
    return f"task type '{task_type}' of {reference_name} is not run here: {found.why}; {found.instead}" if found else None
