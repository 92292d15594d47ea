"""A server to be fuzzed by its own document: the local server's HTTP door over an engine in memory that has something of everything."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import schemathesis
from fermata.adapters.clock import SystemChance
from fermata.adapters.memory.access import MemoryAccessKeys, MemorySigningKeys
from fermata.api.app import create
from fermata.api.description.document import document
from fermata.application.access import Access
from fermata.application.handle_event import handle_event
from fermata.domain.event_handlers import EventMessage
from fermata_local import lambda_events, server
from fermata_local.lambda_events import GatewayAnswer, GatewayRequest
from schemathesis.schemas import APIOperation

from tests.api.gateway import Context, Gateway
from tests.support.airpipe import PACK, yaml_of
from tests.support.world import World, step, workflow

VENDOR = {"uri": "https://vendor.example", "method": "GET"}
FLOW = workflow(
    step("SWITCH", "route", {"x": "a"}, evaluatorType="value-param", expression="x", decisionCases={"a": [step("NOOP", "nothing")]}),
    step("HTTP", "ask", {"http_request": VENDOR}),
    step("SIMPLE", "work"),
    step("WAIT", "wait"),
    outputParameters={"asked": "${ask.output.response.body}"},
    ownerEmail="a@b.example",
)
POLLING = workflow(step("HTTP_POLL", "poll", {"http_request": {**VENDOR, "terminationCondition": "false"}}), name="polling")
WAITING = workflow(step("WAIT", "pause"), step("NOOP", "later"), name="waiting")
FAILING = workflow(step("TERMINATE", "end", {"terminationStatus": "FAILED"}), name="failing")
WORK = {"name": "work", "ownerEmail": "a@b.example"}
CRON = {"name": "nightly", "cronExpression": "0 0 3 * * *", "startWorkflowRequest": {"name": "flow"}}
HANDLER = {
    "name": "on_order",
    "event": "sqs:orders",
    "active": True,
    "actions": [{"action": "start_workflow", "start_workflow": {"name": "flow"}}],
}

FILE = yaml_of(PACK / "jobs.yml")


class FuzzedServer:
    """`refill` gives it a fresh world of the same things under the same ids."""

    def __init__(self) -> None:
        self._requests = 0
        self.refill()
        self._schema = schemathesis.openapi.from_dict(_strict(document()))
        self._schema.app = _with_query(server._application(self._http))

    def refill(self) -> None:
        self.world = World(environment={"STAGE": "test"})
        access = Access(MemoryAccessKeys(), MemorySigningKeys(), SystemChance(), self.world.clock, timedelta(hours=1))
        engine = replace(self.world.engine, access=access)
        self._door: Any = create(engine)
        self._fill(Gateway(engine))

    def _fill(self, call: Gateway) -> None:
        call("POST", "/api/metadata/taskdefs", [WORK])
        call("PUT", "/api/metadata/workflow", [FLOW, POLLING, WAITING, FAILING])
        names = ("flow", "flow", "flow", "waiting", "waiting", "polling", "failing")
        runs = [call("POST", f"/api/workflow/{name}?correlationId=c1", {"a": 1}).text for name in names]
        self.world.run_until(timedelta(minutes=3))
        given = call("GET", "/api/tasks/poll/work?workerid=w").json
        reported = {"workflowInstanceId": given["workflowInstanceId"], "taskId": given["taskId"]}
        call("POST", "/api/tasks", {**reported, "status": "COMPLETED", "logs": [{"log": "line"}]})
        call("DELETE", f"/api/workflow/{runs[1]}")
        call("PUT", f"/api/workflow/{runs[3]}/pause")
        for schedule in (CRON, {**CRON, "name": "paused", "paused": True}):
            call("POST", "/api/scheduler/schedules", schedule)
        call("POST", "/api/event", HANDLER)
        handle_event(self.world.engine, EventMessage("sqs:orders", "message-1", {"order": 1}))
        call("PUT", "/api/airpipe/configurations", FILE)
        key = call("POST", "/api/keys", {"name": "first", "role": "reader"}).json
        tasks = [task["taskId"] for run in runs for task in call("GET", f"/api/workflow/{run}").json["tasks"]]
        self._ids = {"workflow": runs, "task": tasks, "access key": [key["keyId"]]}
        self.bodies = _bodies(runs, reported, key)
        self.queries: Mapping[str, Mapping[str, Any]] = {**_QUERIES, "getWaiting": {"workflowId": [*runs, "unknown"]}}

    def operations(self, room: str) -> Iterator[APIOperation]:
        """Yield the operations of a tag, each on a fresh world."""
        for found in self._schema.get_all_operations():
            operation = found.ok()
            if operation.tags == [room]:
                self.refill()
                yield operation

    def known(self, path: str, variable: str) -> list[str]:
        """Return what there is that a path's variable may name."""
        room = next((room for room in _NAMES if path.startswith(room)), "")
        named = {**self._ids, **_WORDS, **_NAMES.get(room, {})}
        if variable == "id":
            return named["access key" if room == "/api/keys" else "task" if path.startswith("/api/tasks") else "workflow"]
        return named[variable]

    def _http(self, request: GatewayRequest) -> GatewayAnswer:
        self._requests += 1
        request = replace(request, headers=[pair for pair in request.headers if pair[0].lower() != "accept-encoding"])  # gzip is not read
        event = lambda_events.http_api(request, f"fuzz-{self._requests}", self.world.clock.now())
        return lambda_events.gateway_answer(self._door(event, Context()))


_WORDS: Mapping[str, list[str]] = {
    "name": ["flow"],
    "version": ["1"],
    "type": ["work"],
    "correlation": ["c1"],
    "reference": ["pause", "wait"],
    "ref": ["later", "wait"],
    "event": ["sqs:orders"],
    "status": ["COMPLETED"],
    "key": ["STAGE"],
}
_NAMES: Mapping[str, Mapping[str, list[str]]] = {
    "/api/metadata/taskdefs": {"name": ["work"]},
    "/api/scheduler": {"name": ["nightly", "paused"]},
    "/api/event": {"name": ["on_order"]},
    "/api/keys": {},
    "/api/airpipe": {"name": [FILE["name"]]},
}
_LEAVE = {"operation": "WRITE", "payloadType": "TASK_OUTPUT"}
_QUERIES: Mapping[str, Mapping[str, str]] = {
    "queueSize": {"taskType": "work"},
    "getWorkflowStorageLocation": _LEAVE,
    "getWorkflowStorageLocationDashed": _LEAVE,
    "getTaskStorageLocation": _LEAVE,
    "getTaskStorageLocationDashed": _LEAVE,
    "nextFewSchedules": {"cronExpression": CRON["cronExpression"]},
}


def _bodies(runs: list[str], reported: dict[str, str], key: dict[str, str]) -> Mapping[str, Any]:
    """Return a good body for each operation that none made up at random would ever please."""
    work = {**reported, "status": "COMPLETED", "outputData": {"b": None}}
    return {
        **_for({"name": "flow", "input": {"a": 1}}, "startWorkflow", "executeWorkflow", "testWorkflow", "dryRunWorkflow"),
        **_for({**FLOW, "name": "other"}, "registerWorkflow", "validateWorkflow"),
        **_for([FLOW], "updateWorkflows"),
        **_for([*runs, "unknown"], *_BULK),
        **_for(work, "updateTaskResult", "updateTaskResultV2"),
        **_for([WORK], "registerTasks"),
        **_for(WORK, "updateTask"),
        **_for({**HANDLER, "name": "other"}, "addEventHandlers"),
        **_for(HANDLER, "updateEventHandler"),
        **_for(CRON, "saveSchedule"),
        **_for({"keyId": key["keyId"], "keySecret": key["keySecret"]}, "getToken"),
        **_for({"name": "second", "role": "operator"}, "createKey"),
        **_for(["nightly", "unknown"], "pauseSchedules", "resumeSchedules"),
        **_for(FILE, "publishConfiguration"),
        **_for(["c1"], "getCorrelatedWorkflowsOfMany"),
        **_for({"workflowNames": ["flow"], "correlationIds": ["c1"]}, "getCorrelatedWorkflowsOfManyDefinitions"),
    }


def _for(body: Any, *operations: str) -> dict[str, Any]:
    return dict.fromkeys(operations, body)


_BULK = ("pauseWorkflows", "resumeWorkflows", "restartWorkflows", "retryWorkflows", "terminateWorkflows", "getWorkflows")
_BULK += ("removeWorkflows", "terminateAndRemoveWorkflows")


def _with_query(application: Any) -> Any:
    """Put the query into the request's target, where a real server has it: the client of schemathesis leaves it out."""

    def called(environ: dict[str, Any], start: Any) -> Any:
        query = environ.get("QUERY_STRING")
        return application({**environ, "REQUEST_URI": f"{environ['REQUEST_URI']}?{query}"} if query else environ, start)

    return called


def _strict(known: dict[str, Any]) -> dict[str, Any]:
    """Return the document with its named objects closed, so that a field that is answered and not described is found."""
    closed = copy.deepcopy(known)
    for schema in closed["components"]["schemas"].values():
        schema["additionalProperties"] = False
    return closed
