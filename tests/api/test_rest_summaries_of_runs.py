"""`summarize` leaves long payloads out and tells their sizes; `ETag` spares what has not moved."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fermata.domain.effects import Decision

from tests.api.gateway import Answer, Gateway
from tests.support.world import Vendor, World, answer, step, workflow

LONG, SHORT = "x" * 5000, "x" * 3000
JQ = {"queryExpression": '{long: ("y" * 5000)}'}
POLL = step("HTTP_POLL", "poll", {"http_request": {"uri": "https://a.example/", "terminationCondition": "$.output.body.done"}})


def began(call: Gateway, *steps: dict[str, Any], given: Any = None) -> str:
    call("POST", "/api/metadata/workflow?overwrite=true", workflow(*steps))
    return call("POST", "/api/workflow/flow", given or {}).text


def again(call: Gateway, path: str, before: Answer) -> Answer:
    return call("GET", path, headers={"if-none-match": before.headers["ETag"]})


# --- summarize ---


def test_long_payloads_are_left_out_and_their_sizes_told(call: Gateway) -> None:
    steps = (
        step("SET_VARIABLE", "v", {"kept": LONG}),
        step("INLINE", "i", {"long": LONG, "expression": "1"}),
        step("JSON_JQ_TRANSFORM", "j", JQ),
    )
    run_id = began(call, *steps, given={"a": LONG})
    whole, found = call("GET", f"/api/workflow/{run_id}").json, call("GET", f"/api/workflow/{run_id}?summarize=true").json
    assert found["inputSize"] == len('{"a":""}') + 5000
    assert found["variablesSize"] == len('{"kept":""}') + 5000
    assert not {"input", "variables"} & found.keys()
    inline, jq = found["tasks"][1:]
    assert (inline["inputDataSize"], inline["outputData"]) == (len('{"long":"","expression":"1"}') + 5000, {"result": 1})
    assert jq["outputDataSize"] > 5000
    assert "outputData" not in jq
    sizes = {"inputSize", "outputSize", "variablesSize", "inputDataSize", "outputDataSize"}
    for short, long in ((found, whole), *zip(found["tasks"], whole["tasks"], strict=True)):
        shown = {name: value for name, value in short.items() if name not in {*sizes, "tasks"}}
        assert shown.items() <= long.items()
        assert long.keys() - short.keys() == {size.removesuffix("Size") for size in sizes & short.keys()}


def test_short_payloads_stay(call: Gateway) -> None:
    run_id = began(call, step("INLINE", "i", {"short": SHORT, "expression": "1"}), given={"a": SHORT})
    path = f"/api/workflow/{run_id}"
    assert call("GET", f"{path}?summarize=true").json == call("GET", path).json
    assert call("GET", f"{path}/tasks?summarize=true").json == call("GET", f"{path}/tasks").json


def test_pages_of_tasks_are_summarized_too_and_a_task_alone_is_whole(call: Gateway) -> None:
    run_id = began(call, *(step("INLINE", f"i{number}", {"long": LONG, "expression": "1"}) for number in range(3)))
    page = call("GET", f"/api/workflow/{run_id}/tasks?summarize=true&start=1&count=1").json
    assert (page["totalHits"], [each["referenceTaskName"] for each in page["results"]]) == (3, ["i1"])
    [shown] = page["results"]
    assert shown["inputDataSize"] > 5000
    assert call("GET", f"/api/tasks/{shown['taskId']}").json["inputData"]["long"] == LONG


# --- ETag ---


def test_a_run_that_is_over_is_not_sent_again(call: Gateway) -> None:
    path = f"/api/workflow/{began(call, step('NOOP', 'n'))}"
    for query in ("", "?includeTasks=false", "?summarize=true", "/tasks", "/tasks?summarize=true&count=1"):
        first = call("GET", path + query)
        second = again(call, path + query, first)
        assert (first.status, second.status, second.text) == (200, 304, "")
        assert second.headers["ETag"] == first.headers["ETag"]
        assert second.headers["Cache-Control"] == "private, no-cache"


def test_several_tags_may_be_sent_and_what_is_no_tag_is_none(call: Gateway) -> None:
    path = f"/api/workflow/{began(call, step('NOOP', 'n'))}"
    tag = call("GET", path).headers["ETag"]
    for sent, status in ((f'"x", {tag}', 304), (tag.removeprefix("W/"), 304), (tag.strip('W/"'), 200), ('W/"1-1-p"', 200), ("*", 200)):
        assert call("GET", path, headers={"if-none-match": sent}).status == status
    assert call("GET", "/api/workflow/unknown", headers={"if-none-match": tag}).status == 404


def test_each_poll_makes_another_answer_and_nothing_else_does() -> None:
    world = World(Vendor(answer({}), answer({}), answer({"done": True})))
    call = Gateway(world.engine)
    path = f"/api/workflow/{began(call, POLL)}"
    world.run_until(timedelta(seconds=1))
    seen = call("GET", path)
    for polls in (2, 3):
        assert again(call, path, seen).status == 304
        world.run_until(timedelta(seconds=70))
        after = again(call, path, seen)
        assert (after.status, after.json["tasks"][0]["pollCount"]) == (200, polls)
        seen = after
    assert (seen.json["status"], again(call, path, seen).status) == ("COMPLETED", 304)


def test_a_poll_asked_for_now_makes_another_answer() -> None:
    world = World(Vendor(answer({})))
    call = Gateway(world.engine)
    path = f"/api/workflow/{began(call, POLL)}"
    world.run_until(timedelta(seconds=1))
    seen = call("GET", path)
    call("POST", f"/api/tasks/{seen.json['tasks'][0]['taskId']}/poll-now")
    assert again(call, path, seen).status == 200


def test_a_worker_that_takes_a_task_makes_another_answer(call: Gateway) -> None:
    path = f"/api/workflow/{began(call, {**step('SIMPLE', 's'), 'name': 'pack'})}"
    seen = call("GET", path)
    assert again(call, path, seen).status == 304
    call("GET", "/api/tasks/poll/pack?workerid=ann")
    taken = again(call, path, seen)
    assert (taken.status, taken.json["tasks"][0]["status"]) == (200, "IN_PROGRESS")
    assert again(call, path, taken).status == 304


@pytest.mark.parametrize("verb", ["pause", "resume", "terminate"])
def test_what_is_done_to_a_run_makes_another_answer(call: Gateway, verb: str) -> None:
    path = f"/api/workflow/{began(call, step('HUMAN', 'h'))}"
    if verb == "resume":
        call("PUT", f"{path}/pause")
    seen = call("GET", path)
    assert again(call, path, seen).status == 304
    done = call("DELETE", path) if verb == "terminate" else call("PUT", f"{path}/{verb}")
    assert (done.status, again(call, path, seen).status) == (200, 200)


def test_of_a_run_with_more_open_tasks_than_its_row_names_an_answer_stands_for_some_seconds() -> None:
    world = World(Vendor(answer({})))
    call = Gateway(world.engine)
    fork = {**step("FORK_JOIN", "fork"), "forkTasks": [[{**POLL, "taskReferenceName": f"p{number}"}] for number in range(5)]}
    path = f"/api/workflow/{began(call, fork, {**step('JOIN', 'join'), 'joinOn': ['p0']})}"
    world.run_until(timedelta(seconds=1))
    seen = call("GET", path)
    assert again(call, path, seen).status == 304
    world.run_until(timedelta(seconds=10))
    assert again(call, path, seen).status == 200


def test_no_tag_is_given_while_a_decision_is_being_carried_out(world: World, call: Gateway) -> None:
    run_id = began(call, step("HUMAN", "h"))
    path = f"/api/workflow/{run_id}"
    seen = call("GET", path)
    run = world.engine.executions.glance([run_id])[run_id].workflow
    moved = Decision(replace(run, revision=run.revision + 1))
    assert world.engine.executions.commit(moved)
    busy = again(call, path, seen)
    assert (busy.status, "ETag" in busy.headers) == (200, False)
    world.engine.executions.settled(moved)
    assert again(call, path, call("GET", path)).status == 304
