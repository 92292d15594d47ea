"""Runs and tasks are searched through the door: every route, every parameter, and what cannot be honoured."""

import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from fermata.application import find_tasks

from tests.api.gateway import Answer, Gateway
from tests.support.world import World, step, workflow

HOLD = step("HUMAN", "hold")
RUN_SEARCHES = ["workflow/search", "workflow/search-v2", "workflow/search-by-tasks", "workflow/search-by-tasks-v2"]
TASK_SEARCHES = ["tasks/search", "tasks/search-v2"]


def ask(call: Gateway, route: str, **parameters: Any) -> Answer:
    return call("GET", f"/api/{route}?{urlencode(parameters)}")


def ids(call: Gateway, route: str = "workflow/search", **parameters: Any) -> list[str]:
    found = ask(call, route, **parameters)
    assert found.status == 200, found.text
    return [run["workflowId"] for run in found.json["results"]]


def begin(call: Gateway, world: World, name: str, *steps: dict[str, Any], given: Any = None, correlation: str | None = None) -> str:
    world.clock.move_to(world.clock.now() + timedelta(seconds=1))
    definition = {**workflow(*steps), "name": name}
    started = {"name": name, "workflowDef": definition, "input": given or {}, "correlationId": correlation}
    return call("POST", "/api/workflow", started).text


@pytest.fixture
def runs(call: Gateway, world: World) -> tuple[str, str, str]:
    """One that waits, one that is over, and one that waits for a child."""
    call("POST", "/api/metadata/workflow", {**workflow(HOLD), "name": "child"})
    waiting = begin(call, world, "waits", HOLD, given={"film": "Nosferatu"}, correlation="c-1")
    over = begin(call, world, "ends", step("INLINE", "script", {"evaluatorType": "javascript", "expression": "7"}), correlation="c-1")
    world.run()
    parent = begin(call, world, "parent", step("SUB_WORKFLOW", "sub", subWorkflowParam={"name": "child"}))
    world.run()
    return waiting, over, parent


def test_the_whole_language_reaches_the_runs(call: Gateway, runs: tuple[str, str, str]) -> None:
    waiting, over, parent = runs
    assert ids(call, query="status != COMPLETED AND correlationId IS NOT NULL") == [waiting]
    assert ids(call, query="(workflowType = 'ends' OR workflowType STARTS_WITH wai) AND status IN (RUNNING, COMPLETED)") == [over, waiting]
    assert ids(call, query="endTime > 0") == [over]
    assert ids(call, query="workflowType='*ar*'") == [parent]
    assert ids(call, query="input='nosfer*'") == [waiting]
    assert ids(call, freeText="NOSFERATU", query="status=RUNNING") == [waiting]
    assert ids(call, freeText="*", query="correlationId='c-1'", sort="startTime:ASC") == [waiting, over]
    assert ids(call, sort="workflowType:DESC|startTime", topLevelOnly="true") == [waiting, parent, over]
    assert ids(call, topLevelOnly="True", query="status=RUNNING") == [parent, waiting]
    (child,) = ids(call, query=f"parentWorkflowId={parent}")
    assert ids(call, classifier="workflow", query="workflowName=child") == [child]
    assert ids(call, classifier="agent,other") == []


def test_a_search_by_tasks_answers_their_runs(call: Gateway, runs: tuple[str, str, str]) -> None:
    waiting, over, parent = runs
    (child,) = ids(call, query=f"parentWorkflowId={parent}")
    assert ids(call, "workflow/search-by-tasks", query="taskType=HUMAN") == [child, waiting]
    assert ids(call, "workflow/search-by-tasks", query="taskType=HUMAN", sort="startTime:ASC", size=1) == [waiting]
    whole = ask(call, "workflow/search-by-tasks-v2", query="status=COMPLETED").json
    assert (whole["totalHits"], whole["results"][0]["workflowId"]) == (1, over)
    assert whole["results"][0]["workflowDefinition"]["name"] == "ends"


def test_tasks_are_searched_by_their_fields_and_by_their_runs(call: Gateway, runs: tuple[str, str, str]) -> None:
    waiting, over, _ = runs
    found = ask(call, "tasks/search", query=f"workflowId={over}").json
    (script,) = found["results"]
    assert found["totalHits"] == 1
    assert (script["taskType"], script["status"], script["workflowType"], script["correlationId"]) == ("INLINE", "COMPLETED", "ends", "c-1")
    assert json.loads(script["output"]) == {"result": 7}
    assert script["scheduledTime"].endswith("Z")
    assert ask(call, "tasks/search", query=f"taskId='{script['taskId']}'").json["results"] == [script]
    assert ask(call, "tasks/search", query="taskId=nobody").json == {"totalHits": 0, "results": []}
    assert ids(call, "tasks/search", query="referenceTaskName=hold AND correlationId='c-1'") == [waiting]
    assert ids(call, "tasks/search", query=f"status IN (COMPLETED) AND endTime>{0} AND output='7'", sort="startTime:DESC") == [over]
    (whole,) = ask(call, "tasks/search-v2", query="taskDefName=script").json["results"]
    assert (whole["workflowInstanceId"], whole["outputData"]) == (over, {"result": 7})
    assert ask(call, "tasks/search", freeText="Nosferatu").json["totalHits"] == 0


@pytest.mark.parametrize("route", [*RUN_SEARCHES, *TASK_SEARCHES])
@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"size": 5001}, "size"),
        ({"size": -1}, "size"),
        ({"start": -1}, "start"),
        ({"start": "x"}, "start"),
        ({"start": 9999, "size": 2}, "10000"),
        ({"sort": "nope:ASC"}, "nope"),
        ({"query": "nope=5"}, "at character 1"),
        ({"query": "status=RUNNING; DROP TABLE"}, "at character 8"),
    ],
)
def test_what_cannot_be_honoured_is_refused_by_name(call: Gateway, route: str, parameters: dict[str, Any], names: str) -> None:
    refused = ask(call, route, **parameters)
    assert refused.status == 400
    assert names in refused.json["message"]


def test_what_sdks_send_by_default_asks_for_the_newest_hundred(call: Gateway, runs: tuple[str, str, str]) -> None:
    found = ask(call, "workflow/search", queryId="", start=0, size=100, freeText="*", query="").json
    assert (found["totalHits"], len(found["results"]), "totalHitsIsLowerBound" in found) == (4, 4, False)


def test_large_outputs_are_left_out_of_a_page_and_their_size_is_told(call: Gateway, world: World) -> None:
    script = step("INLINE", "script", {"evaluatorType": "javascript", "expression": "'x'.repeat(200000)"})
    for _ in range(2):
        run = begin(call, world, "long", {**script})
        world.run()
    (newest, _) = ask(call, "workflow/search").json["results"]
    assert (newest["workflowId"], newest["status"], newest["output"]) == (run, "COMPLETED", "{}")
    assert newest["outputSize"] > 200_000
    assert ask(call, "workflow/search-v2").json["results"][0]["output"] == {}
    assert ask(call, "tasks/search").json["results"][0]["output"] == "{}"
    assert ask(call, "tasks/search-v2").json["results"][0]["outputData"] == {}
    assert len(call("GET", f"/api/workflow/{run}").json["output"]["result"]) == 200_000


def test_tasks_of_more_runs_than_a_search_may_look_at(call: Gateway, runs: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_tasks, "MAX_RUNS", 2)
    page = ask(call, "tasks/search", query="taskType=HUMAN", size=1).json
    assert (page["totalHits"], page["totalHitsIsLowerBound"], len(page["results"])) == (1, True, 1)
    for parameters in ({"query": "taskType=INLINE"}, {"sort": "startTime:DESC", "size": 1}):
        refused = ask(call, "tasks/search", **parameters)
        assert (refused.status, "taskId, workflowId" in refused.json["message"]) == (400, True)
    assert ids(call, "tasks/search", query=f"workflowId={runs[1]}", sort="startTime:DESC") == [runs[1]]
    assert ask(call, "workflow/search-by-tasks", query="taskType=INLINE").status == 400


def test_more_running_runs_than_fit_an_answer_are_refused(call: Gateway, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fermata.api.search.MAX_SIZE", 1)
    first = begin(call, world, "flow", HOLD)
    assert call("GET", "/api/workflow/running/flow").json == [first]
    begin(call, world, "flow", HOLD)
    refused = call("GET", "/api/workflow/running/flow")
    assert (refused.status, "start, size" in refused.json["message"]) == (400, True)
