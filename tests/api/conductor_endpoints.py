"""The endpoints of open-source Conductor's REST API, written down as data: what is asked, and the kind of answer it gets there."""

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Kind(Enum):
    """A status and what comes with it. `VOID` and `NOTHING` have neither body nor content type."""

    JSON = 200, "application/json"
    TEXT = 200, "text/plain;charset=UTF-8"
    VOID = 200, None
    NOTHING = 204, None


JSON, TEXT, VOID, NOTHING = Kind


@dataclass(frozen=True)
class Endpoint:
    """`asks`: verb and path below `/api`, names in braces. `query` and `body` are an example of what is sent; `like` is its answer."""

    asks: str
    like: Kind = JSON
    body: Any = None
    query: str = ""

    @property
    def verb(self) -> str:
        return self.asks.split(" ")[0]

    @property
    def path(self) -> str:
        path = self.asks.split(" ")[1]
        return path if path in ("/health", "/api/health") else f"/api{path}"


FLOW = {"name": "new", "version": 1, "schemaVersion": 2, "tasks": [{"name": "w", "taskReferenceName": "w", "type": "WAIT"}]}
START = {"name": "flow"}
RESULT = {"workflowInstanceId": "{worked}", "taskId": "{work}", "status": "COMPLETED"}
HANDLER = {
    "name": "heard",
    "event": "conductor:x",
    "active": True,
    "actions": [{"action": "start_workflow", "start_workflow": {"name": "flow"}}],
}
SCHEDULE = {"name": "nightly", "cronExpression": "0 0 3 * * *", "startWorkflowRequest": {"name": "flow"}}
LOCATION = "operation=WRITE&payloadType=WORKFLOW_INPUT&path="

METADATA = (
    Endpoint("POST /metadata/workflow", VOID, FLOW),
    Endpoint("POST /metadata/workflow/validate", VOID, FLOW),
    Endpoint("PUT /metadata/workflow", JSON, [FLOW]),
    Endpoint("GET /metadata/workflow"),
    Endpoint("GET /metadata/workflow/flow", query="version=1"),
    Endpoint("GET /metadata/workflow/names"),
    Endpoint("GET /metadata/workflow/names-and-versions"),
    Endpoint("GET /metadata/workflow/flow/versions"),
    Endpoint("GET /metadata/workflow/latest-versions"),
    Endpoint("DELETE /metadata/workflow/flow/1", VOID),
    Endpoint("POST /metadata/taskdefs", VOID, [{"name": "more"}]),
    Endpoint("PUT /metadata/taskdefs", VOID, {"name": "known"}),
    Endpoint("GET /metadata/taskdefs"),
    Endpoint("GET /metadata/taskdefs/known"),
    Endpoint("DELETE /metadata/taskdefs/known", VOID),
)
RUNS = (
    Endpoint("POST /workflow", TEXT, START),
    Endpoint("POST /workflow/flow", TEXT, {}, "version=1&correlationId=c&priority=0"),
    Endpoint("POST /workflow/execute/flow/1", JSON, START, "requestId=r&waitUntilTaskRef=&waitForSeconds=10&consistency=DURABLE"),
    Endpoint("GET /workflow/{id}", query="includeTasks=true"),
    Endpoint("GET /workflow/{id}/status", query="includeOutput=true&includeVariables=true"),
    Endpoint("GET /workflow/{id}/tasks", query="start=0&count=15&status="),
    Endpoint("DELETE /workflow/{id}", VOID, query="reason=enough"),
    Endpoint("DELETE /workflow/{over}/remove", VOID, query="archiveWorkflow=true"),
    Endpoint("DELETE /workflow/{id}/terminate-remove", VOID, query="reason=enough"),
    Endpoint("GET /workflow/running/flow", query="version=1"),
    Endpoint("PUT /workflow/decide/{id}", VOID),
    Endpoint("PUT /workflow/{id}/pause", VOID),
    Endpoint("PUT /workflow/{paused}/resume", VOID),
    Endpoint("PUT /workflow/{id}/skiptask/later", VOID),
    Endpoint("POST /workflow/{over}/rerun", TEXT, {}),
    Endpoint("POST /workflow/{over}/restart", NOTHING, query="useLatestDefinitions=false"),
    Endpoint("POST /workflow/{over}/retry", NOTHING, query="resumeSubworkflowTasks=false"),
    Endpoint("POST /workflow/{id}/resetcallbacks", NOTHING),
    Endpoint("GET /workflow/flow/correlated/c", query="includeClosed=false&includeTasks=false"),
    Endpoint("POST /workflow/flow/correlated", JSON, ["c"]),
    Endpoint("GET /workflow/search", query="start=0&size=100&sort=&freeText=*&query=&classifier="),
    Endpoint("GET /workflow/search-v2"),
    Endpoint("GET /workflow/search-by-tasks"),
    Endpoint("GET /workflow/search-by-tasks-v2"),
    Endpoint("GET /workflow/externalstoragelocation", query=LOCATION),
    Endpoint("GET /workflow/external-storage-location", query=LOCATION),
    Endpoint("POST /workflow/test", JSON, {"name": "flow", "taskRefToMockOutput": {"hold": [{}], "later": [{}]}}),
    Endpoint("POST /workflow/{id}/messages", TEXT, {}),
)
BULK = (
    Endpoint("PUT /workflow/bulk/pause", JSON, ["{id}"]),
    Endpoint("PUT /workflow/bulk/resume", JSON, ["{paused}"]),
    Endpoint("POST /workflow/bulk/restart", JSON, ["{over}"]),
    Endpoint("POST /workflow/bulk/retry", JSON, ["{over}"]),
    Endpoint("POST /workflow/bulk/terminate", JSON, ["{id}"]),
    Endpoint("DELETE /workflow/bulk/remove", JSON, ["{over}"]),
    Endpoint("DELETE /workflow/bulk/terminate-remove", JSON, ["{id}"]),
    Endpoint("POST /workflow/bulk/search", JSON, ["{id}"]),
)
TASKS = (
    Endpoint("GET /tasks/poll/simple", query="workerid=w&domain="),
    Endpoint("GET /tasks/poll/nobody", NOTHING),
    Endpoint("GET /tasks/poll/batch/simple", query="workerid=w&count=1&timeout=100"),
    Endpoint("POST /tasks", TEXT, RESULT),
    Endpoint("POST /tasks/update-v2", NOTHING, RESULT),
    Endpoint("POST /tasks/{id}/hold/COMPLETED", TEXT, {}, "workerid=w"),
    Endpoint("POST /tasks/{id}/hold/COMPLETED/sync", JSON, {}),
    Endpoint("POST /tasks/{id}/COMPLETED/signal", VOID, {}),
    Endpoint("POST /tasks/{id}/COMPLETED/signal/sync", JSON, {}, "returnStrategy=TARGET_WORKFLOW"),
    Endpoint("POST /tasks/{hold}/log", VOID, "a line"),
    Endpoint("GET /tasks/{hold}/log", NOTHING),
    Endpoint("GET /tasks/{hold}"),
    Endpoint("GET /tasks/queue/sizes", query="taskType=simple&taskType=other"),
    Endpoint("GET /tasks/queue/size", query="taskType=simple&domain="),
    Endpoint("GET /tasks/queue/all"),
    Endpoint("GET /tasks/queue/all/verbose"),
    Endpoint("GET /tasks/queue/polldata", query="taskType=simple"),
    Endpoint("GET /tasks/queue/polldata/all"),
    Endpoint("POST /tasks/queue/requeue/simple", TEXT),
    Endpoint("GET /tasks/search"),
    Endpoint("GET /tasks/search-v2"),
    Endpoint("GET /tasks/externalstoragelocation", query=LOCATION),
    Endpoint("GET /tasks/external-storage-location", query=LOCATION),
)
EVENTS = (
    Endpoint("POST /event", VOID, HANDLER),
    Endpoint("PUT /event", VOID, {**HANDLER, "name": "listens"}),
    Endpoint("DELETE /event/listens", VOID),
    Endpoint("GET /event"),
    Endpoint("GET /event/conductor%3Ax", query="activeOnly=true"),
)
QUEUE_ADMIN = (
    Endpoint("GET /queue/size"),
    Endpoint("GET /queue/"),
    Endpoint("POST /queue/update/{id}/hold/COMPLETED", VOID, {"a": 1}),
    Endpoint("POST /queue/update/{id}/task/{hold}/FAILED", VOID, {"a": 1}),
)
ADMIN = (
    Endpoint("GET /admin/config"),
    Endpoint("GET /admin/task/WAIT", query="start=0&count=100"),
    Endpoint("POST /admin/sweep/requeue/{id}", TEXT),
    Endpoint("POST /admin/consistency/verifyAndRepair/{id}", TEXT),
    Endpoint("GET /admin/queues", query="verbose=false"),
    Endpoint("GET /health"),
    Endpoint("GET /api/health"),
    Endpoint("GET /version", TEXT),
)
SCHEDULER = (
    Endpoint("POST /scheduler/schedules", JSON, SCHEDULE),
    Endpoint("GET /scheduler/schedules", query="workflowName=flow"),
    Endpoint("GET /scheduler/schedules/search", query="workflowName=&scheduleName=&paused=&freeText=*&start=0&size=100&sort="),
    Endpoint("GET /scheduler/schedules/daily"),
    Endpoint("DELETE /scheduler/schedules/daily", VOID),
    Endpoint("PUT /scheduler/schedules/daily/pause", VOID, query="reason=holiday"),
    Endpoint("PUT /scheduler/schedules/stopped/resume", VOID),
    Endpoint("GET /scheduler/nextFewSchedules", query="cronExpression=0+0+3+*+*+*&limit=5"),
    Endpoint("GET /scheduler/admin/requeue"),
    Endpoint("GET /scheduler/admin/pause"),
    Endpoint("GET /scheduler/admin/resume"),
    Endpoint("GET /scheduler/search/executions", query="query=&freeText=*&start=0&size=100&sort="),
    Endpoint("PUT /scheduler/bulk/pause", JSON, ["daily"]),
    Endpoint("PUT /scheduler/bulk/resume", JSON, ["stopped"]),
)
FILES = tuple(
    Endpoint(f"{verb} /files{path}")
    for verb, path in (
        ("POST", "/"),
        ("GET", "/{id}/f"),
        ("GET", "/{id}/f/upload-url"),
        ("GET", "/{id}/f/download-url"),
        ("POST", "/{id}/f/upload-complete"),
        ("PUT", "/content/{id}/f"),
        ("GET", "/content/{id}/f"),
        ("POST", "/{id}/f/multipart"),
        ("GET", "/{id}/f/multipart/u/part/1"),
        ("POST", "/{id}/f/multipart/u/complete"),
        ("DELETE", "/{id}/f/multipart/u"),
    )
)
OTHERS = (
    Endpoint("GET /external/postgres/a"),
    Endpoint("GET /secrets"),
    Endpoint("POST /secrets"),
    Endpoint("GET /environment"),
    Endpoint("GET /environment/STAGE", TEXT),
)
ENDPOINTS = (*METADATA, *RUNS, *BULK, *TASKS, *EVENTS, *QUEUE_ADMIN, *ADMIN, *SCHEDULER, *FILES, *OTHERS)

# Why we do not serve one. The name in front stands in docs/compatibility.md with the reason.
NOT_SERVED = {
    "POST /workflow/{id}/messages": "messages",
    "GET /external/postgres/a": "external/postgres",
    "POST /secrets": "POST /secrets",
    **{endpoint.asks: "files" for endpoint in FILES},
}
