"""The operations on runs that change their course, signals, bulk forms and idempotent starts, through the door."""

from typing import Any

import pytest

from tests.api.gateway import Answer, Gateway
from tests.support.world import World, step, workflow

UNKNOWN = "00000000-0000-0000-0000-00000000dead"
HOLD = workflow(step("WAIT", "hold"), step("INLINE", "calc", {"expression": "$.n", "n": "${workflow.input.n}"}), step("WAIT", "last"))


@pytest.fixture
def run_id(call: Gateway) -> str:
    return begun(call)


def begun(call: Gateway, query: str = "", **body: Any) -> str:
    call("POST", "/api/metadata/workflow?overwrite=true", HOLD)
    return call("POST", f"/api/workflow/flow{query}", body).text


def signal(call: Gateway, run_id: str, output: Any = None, status: str = "COMPLETED", sync: str = "") -> Answer:
    return call("POST", f"/api/tasks/{run_id}/{status}/signal{sync}", output or {})


def shown(call: Gateway, run_id: str) -> Any:
    return call("GET", f"/api/workflow/{run_id}").json


def status(call: Gateway, run_id: str) -> str:
    return str(shown(call, run_id)["status"])


def end(call: Gateway, run_id: str) -> None:
    signal(call, run_id)
    signal(call, run_id)
    assert status(call, run_id) == "COMPLETED"


# --- rerun, skip, variables, decide, resetcallbacks ---


def test_a_rerun_answers_with_the_bare_id_and_takes_input_and_correlation_id(call: Gateway, run_id: str) -> None:
    end(call, run_id)
    answered = call("POST", f"/api/workflow/{run_id}/rerun", {"workflowInput": {"n": 3}, "correlationId": "c2"})
    assert (answered.status, answered.text, answered.headers["Content-Type"]) == (200, run_id, "text/plain;charset=UTF-8")
    again = shown(call, run_id)
    assert (again["status"], again["input"], again["correlationId"], len(again["tasks"])) == ("RUNNING", {"n": 3}, "c2", 1)


def test_a_rerun_from_a_task_takes_its_input(call: Gateway, run_id: str) -> None:
    end(call, run_id)
    task_id = shown(call, run_id)["tasks"][1]["taskId"]
    body = {"reRunFromWorkflowId": run_id, "reRunFromTaskId": task_id, "taskInput": {"expression": "$.n * 2", "n": 21}}
    assert call("POST", f"/api/workflow/{run_id}/rerun", body).status == 200
    tasks = shown(call, run_id)["tasks"]
    assert [(task["referenceTaskName"], task["status"]) for task in tasks] == [
        ("hold", "COMPLETED"),
        ("calc", "COMPLETED"),
        ("last", "IN_PROGRESS"),
    ]
    assert tasks[1]["outputData"] == {"result": 42}


def test_a_rerun_is_refused_where_it_makes_no_sense(call: Gateway, run_id: str) -> None:
    assert call("POST", f"/api/workflow/{run_id}/rerun", {}).status == 409
    end(call, run_id)
    refused = call("POST", f"/api/workflow/{run_id}/rerun", {"reRunFromTaskId": "nobody"})
    assert (refused.status, "nobody" in refused.json["message"]) == (400, True)
    assert call("POST", f"/api/workflow/{run_id}/rerun", {"taskInput": 3}).status == 400
    assert call("POST", f"/api/workflow/{UNKNOWN}/rerun", {}).status == 404
    assert call("POST", f"/api/workflow/{run_id}/rerun").status == 200


@pytest.mark.parametrize(
    ("query", "body", "output"),
    [
        ("", {"taskOutput": {"result": 7}, "taskInput": {"a": 1}}, {"result": 7}),
        ("?taskOutput=%7B%22result%22%3A8%7D", None, {"result": 8}),
        ("?skipTaskRequest=%7B'task_input'%3A%20None%7D", {}, {}),
        ("?skipTaskRequest=%26%7Bmap%5B%5D%20map%5B%5D%7D", None, {}),
        ("?taskOutput=oops", "not json", {}),
        ("", {"taskOutput": 3}, {}),
        ("", [1], {}),
        ("", b"\xff\xfe", {}),
    ],
)
def test_skipping_takes_an_output_and_never_fails_over_how_it_is_sent(
    call: Gateway, run_id: str, query: str, body: Any, output: dict[str, Any]
) -> None:
    assert call("PUT", f"/api/workflow/{run_id}/skiptask/calc{query}", body).status == 200
    signal(call, run_id)
    tasks = shown(call, run_id)["tasks"]
    skipped = next(task for task in tasks if task["referenceTaskName"] == "calc")
    assert (skipped["status"], skipped["outputData"]) == ("SKIPPED", output)
    assert {task["referenceTaskName"] for task in tasks} == {"hold", "calc", "last"}


def test_skipping_is_refused_where_it_makes_no_sense(call: Gateway, run_id: str) -> None:
    assert call("PUT", f"/api/workflow/{run_id}/skiptask/nobody").status == 404
    assert call("PUT", f"/api/workflow/{run_id}/skiptask/hold").status == 409
    assert call("PUT", f"/api/workflow/{UNKNOWN}/skiptask/hold").status == 404
    call("PUT", f"/api/workflow/{run_id}/pause")
    assert call("PUT", f"/api/workflow/{run_id}/skiptask/calc").status == 409


def test_variables_may_hold_half_a_surrogate_pair(call: Gateway, run_id: str) -> None:
    assert call("POST", f"/api/workflow/{run_id}/variables", {"a": "\ud800", "\udfff": 1}).status == 200
    assert call("GET", f"/api/workflow/{run_id}").json["variables"] == {"a": "\ud800", "\udfff": 1}


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"type": "SET_VARIABLE", "inputParameters": {"w": "${workflow.input.w}"}}, "COMPLETED"),
        ({"type": "EVENT", "sink": "conductor:${workflow.input.w}"}, "FAILED"),
        ({"type": "DYNAMIC", "dynamicTaskNameParam": "w", "inputParameters": {"w": "${workflow.input.w}"}}, "FAILED"),
        ({"type": "FORK_JOIN_DYNAMIC", "inputParameters": {"forkTaskName": "${workflow.input.w}", "forkTaskInputs": [1]}}, "FAILED"),
    ],
)
def test_half_a_surrogate_pair_in_an_input_sticks_no_run(call: Gateway, fields: dict[str, object], status: str) -> None:
    tasks = [{"name": "t", "taskReferenceName": "t", **fields}, {"name": "j", "taskReferenceName": "j", "type": "JOIN"}]
    tasks = tasks if fields["type"] == "FORK_JOIN_DYNAMIC" else tasks[:1]
    assert call("POST", "/api/metadata/workflow", {"name": "half", "version": 1, "schemaVersion": 2, "tasks": tasks}).status == 200
    started = call("POST", "/api/workflow/half", {"w": "\ud800"})
    assert started.status == 200
    assert call("GET", f"/api/workflow/{started.text}").json["tasks"][0]["status"] == status


def test_variables_are_merged_and_shown(call: Gateway, run_id: str) -> None:
    call("POST", f"/api/workflow/{run_id}/variables", {"a": 1})
    answered = call("POST", f"/api/workflow/{run_id}/variables", {"b": 2})
    assert (answered.status, answered.json["variables"]) == (200, {"a": 1, "b": 2})
    assert call("POST", f"/api/workflow/{run_id}/variables", [1]).status == 400
    assert call("POST", f"/api/workflow/{UNKNOWN}/variables", {}).status == 404


def test_decide_and_resetcallbacks(call: Gateway, run_id: str) -> None:
    assert call("PUT", f"/api/workflow/decide/{run_id}").status == 200
    assert call("POST", f"/api/workflow/{run_id}/resetcallbacks").status == 204
    end(call, run_id)
    assert call("POST", f"/api/workflow/{run_id}/resetcallbacks").status == 409
    assert call("PUT", f"/api/workflow/decide/{UNKNOWN}").status == 404


def test_retry_accepts_the_flag_for_subworkflows(call: Gateway, run_id: str) -> None:
    call("DELETE", f"/api/workflow/{run_id}")
    assert call("POST", f"/api/workflow/{run_id}/retry?resumeSubworkflowTasks=true").status == 204
    assert call("POST", f"/api/workflow/{run_id}/retry?resumeSubworkflowTasks=maybe").status == 400


# --- remove ---


def test_a_removed_run_is_gone(call: Gateway, run_id: str, world: World) -> None:
    refused = call("DELETE", f"/api/workflow/{run_id}/remove")
    assert (refused.status, "terminate" in refused.json["message"]) == (400, True)
    task_id = shown(call, run_id)["tasks"][0]["taskId"]
    end(call, run_id)
    assert call("DELETE", f"/api/workflow/{run_id}/remove").status == 200
    for method, target in (
        ("GET", f"/api/workflow/{run_id}"),
        ("GET", f"/api/tasks/{task_id}"),
        ("DELETE", f"/api/workflow/{run_id}/remove"),
    ):
        assert call(method, target).status == 404
    assert call("GET", "/api/workflow/search").json["totalHits"] == 0
    world.run()  # whatever still travels for it finds nothing


def test_a_running_run_is_removed_by_force_or_with_its_termination(call: Gateway) -> None:
    forced, terminated = begun(call), begun(call)
    assert call("DELETE", f"/api/workflow/{forced}/remove?archiveWorkflow=false").status == 200
    assert call("DELETE", f"/api/workflow/{terminated}/terminate-remove?reason=old").status == 200
    assert [call("GET", f"/api/workflow/{each}").status for each in (forced, terminated)] == [404, 404]


# --- signals ---


def test_a_signal_is_answered_with_nothing_even_when_nothing_waits(call: Gateway, run_id: str) -> None:
    answered = signal(call, run_id, {"by": "me"})
    assert (answered.status, answered.text) == (200, "")
    assert shown(call, run_id)["tasks"][0]["outputData"] == {"by": "me"}
    end_again = [signal(call, run_id).status for _ in range(2)]
    assert end_again == [200, 200]
    assert signal(call, UNKNOWN).status == 404
    assert signal(call, run_id, status="SKIPPED").status == 400
    assert call("POST", f"/api/tasks/{run_id}/COMPLETED/signal", [1]).status == 400


def test_a_synchronous_signal_answers_with_the_run(call: Gateway, run_id: str) -> None:
    answered = signal(call, run_id, {"by": "me"}, sync="/sync?timeoutMillis=5000")
    body = answered.json
    assert answered.status == 200
    assert (body["responseType"], body["targetWorkflowId"], body["workflowId"]) == ("TARGET_WORKFLOW", run_id, run_id)
    assert (body["targetWorkflowStatus"], body["status"], body["signalTimeout"]) == ("RUNNING", "RUNNING", False)
    assert [task["referenceTaskName"] for task in body["tasks"]] == ["hold", "calc", "last"]
    assert signal(call, run_id, sync="/sync").json["status"] == "COMPLETED"
    assert signal(call, run_id, sync="/sync").status == 404
    assert signal(call, UNKNOWN, sync="/sync").status == 404


@pytest.mark.parametrize("strategy", ["BLOCKING_TASK", "BLOCKING_TASK_INPUT", "BLOCKING_WORKFLOW"])
def test_a_synchronous_signal_answers_with_what_blocks_now(call: Gateway, run_id: str, strategy: str) -> None:
    body = signal(call, run_id, sync=f"/sync?returnStrategy={strategy}").json
    assert (body["responseType"], body["workflowId"]) == (strategy, run_id)
    if strategy == "BLOCKING_WORKFLOW":
        assert len(body["tasks"]) == 3
    else:
        assert (body["referenceTaskName"], body["taskType"], body["status"]) == ("last", "WAIT", "IN_PROGRESS")
        ended = signal(call, run_id, sync=f"/sync?returnStrategy={strategy}").json
        assert (ended["responseType"], ended["status"]) == ("TARGET_WORKFLOW", "COMPLETED")
    assert signal(call, run_id, sync="/sync?returnStrategy=ANY").status == 400


# --- finding ---


def test_running_runs_are_named_by_version_one_unless_asked(call: Gateway) -> None:
    first = begun(call)
    call("POST", "/api/metadata/workflow", {**HOLD, "version": 2})
    second, over = (call("POST", "/api/workflow/flow?version=2").text for _ in range(2))
    end(call, over)
    assert call("GET", "/api/workflow/running/flow").json == [first]
    assert call("GET", "/api/workflow/running/flow?version=2").json == [second]
    assert call("GET", "/api/workflow/running/flow?startTime=1&endTime=2").json == []
    assert call("GET", "/api/workflow/running/flow?startTime=1").json == [first]
    assert call("GET", "/api/workflow/running/flow?startTime=-1").status == 400


def test_correlated_runs_are_found_one_id_or_many(call: Gateway) -> None:
    first, over, other = begun(call, "?correlationId=a"), begun(call, "?correlationId=a"), begun(call, "?correlationId=b")
    end(call, over)
    (found,) = call("GET", "/api/workflow/flow/correlated/a").json
    assert (found["workflowId"], found["tasks"]) == (first, [])
    closed = call("GET", "/api/workflow/flow/correlated/a?includeClosed=true&includeTasks=true").json
    assert {run["workflowId"] for run in closed} == {first, over}
    assert all(run["tasks"] for run in closed)
    many = call("POST", "/api/workflow/flow/correlated", ["a", "b", "c"]).json
    assert {key: [run["workflowId"] for run in runs] for key, runs in many.items()} == {"a": [first], "b": [other], "c": []}
    assert call("POST", "/api/workflow/flow/correlated", {"a": 1}).status == 400


def test_correlated_runs_of_several_workflows_are_found_in_one_batch(call: Gateway) -> None:
    first, over = begun(call, "?correlationId=a"), begun(call, "?correlationId=a")
    end(call, over)
    call("POST", "/api/metadata/workflow", {**HOLD, "name": "other"})
    second = call("POST", "/api/workflow/other?correlationId=a").text
    third = call("POST", "/api/workflow/other?correlationId=b").text

    def batch(names: Any, ids: Any, query: str = "") -> dict[str, list[str]]:
        found = call("POST", f"/api/workflow/correlated/batch{query}", {"workflowNames": names, "correlationIds": ids}).json
        return {key: sorted(run["workflowId"] for run in runs) for key, runs in found.items()}

    assert batch(["flow", "other"], ["a", "b", "c"]) == {"a": sorted([first, second]), "b": [third], "c": []}
    assert batch(["flow"], ["a", "b"], "?includeClosed=True&includeTasks=False") == {"a": sorted([first, over]), "b": []}
    assert batch([], ["a"]) == {"a": []}
    assert batch(["flow"], []) == {}
    assert batch(["f*"], ["a"]) == {"a": []}
    assert batch(["flow"], ["*"]) == {"*": []}
    whole = call("POST", "/api/workflow/correlated/batch?includeTasks=true", {"workflowNames": ["flow"], "correlationIds": ["a"]}).json
    assert whole["a"][0]["tasks"]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ([], "object"),
        ({}, "workflowNames"),
        ({"workflowNames": "flow", "correlationIds": []}, "workflowNames"),
        ({"workflowNames": ["flow"]}, "correlationIds"),
        ({"workflowNames": ["flow"], "correlationIds": [1]}, "correlationIds"),
        ({"workflowNames": ["flow"], "correlationIds": ["a"] * 101}, "100"),
        ({"workflowNames": ["flow"] * 101, "correlationIds": ["a"]}, "100"),
        ("nonsense", "JSON"),
    ],
)
def test_a_batch_of_correlation_ids_is_refused_by_name(call: Gateway, body: Any, named: str) -> None:
    refused = call("POST", "/api/workflow/correlated/batch", body)
    assert (refused.status, named in refused.json["message"]) == (400, True), refused.text


def test_the_second_search_shows_whole_runs(call: Gateway, run_id: str) -> None:
    found = call("GET", "/api/workflow/search-v2?query=status%3D'RUNNING'").json
    assert (found["totalHits"], found["results"][0]["workflowId"]) == (1, run_id)
    assert found["results"][0]["workflowDefinition"]["name"] == "flow"
    assert call("GET", "/api/workflow/search-v2?size=5001").status == 400


# --- bulk ---


def bulk(call: Gateway, method: str, verb: str, *ids: str) -> tuple[list[Any], dict[str, str]]:
    answered = call(method, f"/api/workflow/bulk/{verb}", list(ids))
    assert answered.status == 200, answered.text
    assert answered.json["message"] == "Bulk Request has been processed."
    return answered.json["bulkSuccessfulResults"], answered.json["bulkErrorResults"]


def test_each_id_of_a_bulk_request_stands_for_itself(call: Gateway) -> None:
    first, second = begun(call), begun(call)
    done, errors = bulk(call, "PUT", "pause", first, UNKNOWN, second, first)
    assert (done, list(errors)) == ([first, second], [UNKNOWN])
    assert "No such workflow" in errors[UNKNOWN]
    for method, verb, left in (
        ("PUT", "resume", "RUNNING"),
        ("POST", "terminate?reason=x", "TERMINATED"),
        ("POST", "retry", "RUNNING"),
        ("POST", "terminate", "TERMINATED"),
        ("POST", "restart?useLatestDefinitions=true", "RUNNING"),
    ):
        assert bulk(call, method, verb, first, second) == ([first, second], {})
        assert {status(call, each) for each in (first, second)} == {left}
    assert list(bulk(call, "PUT", "resume", first)[1]) == [first]


def test_bulk_search_and_bulk_removal(call: Gateway) -> None:
    first, second = begun(call), begun(call)
    found, errors = bulk(call, "POST", "search?includeTasks=false", first, UNKNOWN)
    assert ([run["workflowId"] for run in found], found[0]["tasks"], list(errors)) == ([first], [], [UNKNOWN])
    assert list(bulk(call, "DELETE", "remove", first)[1]) == [first]
    assert bulk(call, "DELETE", "remove?archiveWorkflow=false", first) == ([first], {})
    assert bulk(call, "DELETE", "terminate-remove?reason=x", second, first)[0] == [second]
    assert call("GET", "/api/workflow/search").json["totalHits"] == 0


@pytest.mark.parametrize("ids", [[], ["x"] * 1001, {"a": 1}, [1], [""]])
def test_a_bulk_request_needs_one_to_a_thousand_ids(call: Gateway, ids: Any) -> None:
    assert call("PUT", "/api/workflow/bulk/pause", ids).status == 400


# --- idempotent starts ---


def test_a_key_in_the_body_or_the_headers_starts_one_run(call: Gateway) -> None:
    call("POST", "/api/metadata/workflow", HOLD)
    asked = {"name": "flow", "idempotencyKey": "k", "idempotencyStrategy": "RETURN_EXISTING"}
    first = call("POST", "/api/workflow", asked).text
    assert call("POST", "/api/workflow", asked).text == first
    headers = {"x-idempotency-key": "k", "x-on-conflict": "RETURN_EXISTING"}
    assert call("POST", "/api/workflow/flow", {}, headers=headers).text == first
    refused = call("POST", "/api/workflow/flow", {}, headers={"x-idempotency-key": "k"})
    assert (refused.status, first in refused.json["message"]) == (409, True)
    assert call("POST", "/api/workflow", {**asked, "idempotencyStrategy": "FAIL_ON_RUNNING"}).status == 409
    assert call("POST", "/api/workflow", {**asked, "idempotencyStrategy": "MAYBE"}).status == 400
    assert call("GET", "/api/workflow/search").json["totalHits"] == 1


def test_a_strategy_without_a_key_means_nothing(call: Gateway) -> None:
    call("POST", "/api/metadata/workflow", HOLD)
    for strategy in ("FAIL", "FAIL", "MAYBE"):
        assert call("POST", "/api/workflow", {"name": "flow", "idempotencyKey": "", "idempotencyStrategy": strategy}).status == 200


def test_a_synchronous_signal_shows_the_child_that_blocks(call: Gateway, world: World) -> None:
    child = workflow(step("WAIT", "one"), step("WAIT", "two"), name="child")
    call("POST", "/api/metadata/workflow", child)
    call("POST", "/api/metadata/workflow", workflow(step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "child"})))
    parent = call("POST", "/api/workflow/flow", {}).text
    world.run()
    for strategy, shown_type in (("BLOCKING_WORKFLOW", None), ("BLOCKING_TASK", "WAIT")):
        run = call("POST", "/api/workflow/flow", {}).text
        world.run()
        body = signal(call, run, sync=f"/sync?returnStrategy={strategy}").json
        assert (body["targetWorkflowId"], body["responseType"], body.get("taskType")) == (run, strategy, shown_type)
        assert body["workflowId"] != run
    assert status(call, parent) == "RUNNING"
