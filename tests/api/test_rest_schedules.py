"""Schedules through the REST door, as Conductor's clients see them."""

from typing import Any
from urllib.parse import quote

import pytest
from fermata.adapters.memory.clock import START

from tests.api.gateway import Answer, Gateway
from tests.support.world import World, step, workflow

AT = "/api/scheduler"
T0 = int(START.timestamp() * 1000)
HOUR = 3_600_000


def body(name: str = "nightly", **fields: Any) -> dict[str, Any]:
    request = {"name": "flow", "input": {"a": 1}}
    return {"name": name, "cronExpression": "0 0 * * * *", "startWorkflowRequest": request, **fields}


@pytest.fixture(autouse=True)
def _flow(world: World) -> None:
    world.register(workflow(step("NOOP", "n")))


def save(call: Gateway, name: str = "nightly", **fields: Any) -> Answer:
    return call("POST", f"{AT}/schedules", body(name, **fields))


def errors(answered: Answer) -> dict[str, str]:
    assert answered.status == 400, answered.text
    return {error["path"]: error["message"] for error in answered.json.get("validationErrors", [])}


def test_a_schedule_is_saved_and_shown(call: Gateway) -> None:
    expected = {
        **body(),
        "zoneId": "UTC",
        "cronSchedules": [],
        "runCatchupScheduleInstances": False,
        "paused": False,
        "createTime": T0,
        "updatedTime": T0,
        "nextRunTime": T0 + HOUR,
    }
    answered = save(call)
    assert (answered.status, answered.json) == (200, expected)
    assert call("GET", f"{AT}/schedules/nightly").json == expected
    assert call("GET", f"{AT}/schedules").json == [expected]


def test_all_that_can_be_said_comes_back(call: Gateway) -> None:
    fields = {
        "zoneId": "Europe/Berlin",
        "cronSchedules": [
            {"cronExpression": "0 0 9 ? * MON-FRI", "zoneId": "Asia/Tokyo"},
            {"cronExpression": "@monthly", "zoneId": "Europe/Berlin"},
        ],
        "runCatchupScheduleInstances": True,
        "paused": True,
        "pausedReason": "not yet",
        "scheduleStartTime": T0 + HOUR,
        "scheduleEndTime": T0 + 2 * HOUR,
        "description": "d",
        "createdBy": "ada",
        "updatedBy": "bo",
    }
    shown = save(call, **fields).json
    assert {key: shown[key] for key in fields} == fields
    assert "nextRunTime" not in shown


def test_a_cron_of_the_list_without_a_zone_takes_the_schedules(call: Gateway) -> None:
    shown = save(call, cronExpression=None, zoneId="Asia/Tokyo", cronSchedules=[{"cronExpression": "@daily"}]).json
    assert shown["cronSchedules"] == [{"cronExpression": "@daily", "zoneId": "Asia/Tokyo"}]
    assert shown["nextRunTime"] == T0 + 15 * HOUR


def test_saving_again_keeps_the_creation(call: Gateway, world: World) -> None:
    save(call, createdBy="ada")
    world.clock.advance(world.engine.min_poll_interval)
    again = save(call, createdBy="bo", description="new").json
    assert (again["createTime"], again["updatedTime"], again["createdBy"]) == (T0, T0 + 60_000, "ada")
    assert len(call("GET", f"{AT}/schedules").json) == 1


@pytest.mark.parametrize(
    ("fields", "path", "said"),
    [
        ({"name": ""}, "name", "empty"),
        ({"name": "x" * 1001}, "name", "1000 bytes"),
        ({"cronExpression": None}, "cronExpression", "empty"),
        ({"cronExpression": "* * * * *"}, "cronExpression", "six fields"),
        ({"cronExpression": "0 0 25 * * *"}, "cronExpression", "hour '25'"),
        ({"cronExpression": "0 0 0 30 2 *"}, "cronExpression", "never comes"),
        ({"cronSchedules": [{"cronExpression": "@daily"}, {}]}, "cronSchedules[1].cronExpression", "six fields"),
        ({"cronSchedules": [{"cronExpression": "@daily"}] * 51}, "cronSchedules", "at most 50"),
        ({"cronSchedules": "x"}, "cronSchedules", "array"),
        ({"zoneId": "Mars/Olympus"}, "zoneId", "no time zone"),
        ({"cronSchedules": [{"cronExpression": "@daily", "zoneId": "x"}]}, "cronSchedules[0].zoneId", "no time zone"),
        ({"scheduleStartTime": -1}, "scheduleStartTime", "epoch"),
        ({"scheduleStartTime": T0 + 1, "scheduleEndTime": T0}, "scheduleEndTime", "before"),
        ({"startWorkflowRequest": None}, "startWorkflowRequest.name", "empty"),
        ({"startWorkflowRequest": {"name": "flow", "priority": 100}}, "startWorkflowRequest.priority", "between"),
        ({"startWorkflowRequest": {"name": "flow", "input": "x"}}, "startWorkflowRequest.input", "object"),
        ({"paused": "maybe"}, "paused", "true or false"),
        ({"description": "x" * 2001}, "description", "2000 characters"),
    ],
)
def test_what_is_wrong_is_named(call: Gateway, fields: dict[str, Any], path: str, said: str) -> None:
    found = errors(save(call, **{"name": "nightly", **fields}))
    assert said in found[path]
    assert call("GET", f"{AT}/schedules").json == []


def test_every_mistake_is_told_at_once(call: Gateway) -> None:
    found = errors(save(call, "", cronExpression="x", zoneId="y", startWorkflowRequest={}))
    assert set(found) == {"name", "cronExpression", "zoneId", "startWorkflowRequest.name"}


def test_a_request_that_is_too_large_to_keep_is_413(call: Gateway) -> None:
    assert save(call, startWorkflowRequest={"name": "flow", "input": {"x": "y" * 70_000}}).status == 413


def test_an_unknown_schedule_is_404_and_deleting_it_is_fine(call: Gateway) -> None:
    for method, path in (("GET", "x"), ("PUT", "x/pause"), ("PUT", "x/resume"), ("GET", "y" * 1001), ("PUT", f"{'y' * 1001}/pause")):
        assert call(method, f"{AT}/schedules/{path}").status == 404
    for name in ("x", "y" * 2000):
        deleted = call("DELETE", f"{AT}/schedules/{name}")
        assert (deleted.status, deleted.text) == (200, "")


@pytest.mark.parametrize("method", ["PUT", "GET"])
def test_pause_and_resume_by_either_method(call: Gateway, method: str) -> None:
    save(call)
    paused = call(method, f"{AT}/schedules/nightly/pause?reason=holiday")
    assert (paused.status, paused.text) == (200, "")
    shown = call("GET", f"{AT}/schedules/nightly").json
    assert (shown["paused"], shown["pausedReason"]) == (True, "holiday")
    assert call(method, f"{AT}/schedules/nightly/resume").status == 200
    assert call("GET", f"{AT}/schedules/nightly").json["paused"] is False
    assert call(method, f"{AT}/schedules/nightly/resume").status == 404


def test_a_name_may_hold_anything_but_a_slash(call: Gateway) -> None:
    name = "täglich 1 & mehr%"
    save(call, name)
    assert call("GET", f"{AT}/schedules/{quote(name, safe='')}").json["name"] == name
    assert call("DELETE", f"{AT}/schedules/{quote(name, safe='')}").status == 200
    assert call("GET", f"{AT}/schedules").json == []


def test_schedules_are_listed_by_their_workflow(call: Gateway) -> None:
    save(call, "a")
    save(call, "b", startWorkflowRequest={"name": "other"})
    assert [each["name"] for each in call("GET", f"{AT}/schedules?workflowName=other").json] == ["b"]


# --- next moments ---


def few(call: Gateway, cron: str, query: str = "") -> Answer:
    return call("GET", f"{AT}/nextFewSchedules?cronExpression={quote(cron)}{query}")


def test_the_next_few_moments_of_a_cron(call: Gateway) -> None:
    assert few(call, "0 0 */6 * * *").json == [T0 + 6 * n * HOUR for n in range(1, 6)]
    assert few(call, "0 0 */6 * * *", "&limit=2").json == [T0 + 6 * HOUR, T0 + 12 * HOUR]
    assert few(call, "0 0 */6 * * *", "&limit=99").json == few(call, "0 0 */6 * * *").json
    window = f"&scheduleStartTime={T0 + 6 * HOUR}&scheduleEndTime={T0 + 12 * HOUR}"
    assert few(call, "0 0 */6 * * *", window).json == [T0 + 6 * HOUR, T0 + 12 * HOUR]
    assert few(call, "0 0 0 30 2 *").json == []


def test_a_bad_cron_has_no_next_moments_but_a_name(call: Gateway) -> None:
    assert "six fields" in errors(few(call, "x"))["cronExpression"]
    assert "six fields" in errors(few(call, ""))["cronExpression"]
    assert few(call, "@daily", "&scheduleStartTime=-5").status == 400
    assert few(call, "@daily", "&limit=-1").status == 400


# --- many at once ---


def test_bulk_forms_tell_each_name(call: Gateway) -> None:
    save(call, "a")
    save(call, "b", paused=True)
    paused = call("PUT", f"{AT}/bulk/pause", ["a", "x"]).json
    assert (paused["bulkSuccessfulResults"], set(paused["bulkErrorResults"])) == (["a"], {"x"})
    resumed = call("PUT", f"{AT}/bulk/resume", ["a", "b", "a"]).json
    assert (resumed["bulkSuccessfulResults"], resumed["bulkErrorResults"]) == (["a", "b"], {})
    assert call("PUT", f"{AT}/bulk/pause", {"a": 1}).status == 400
    assert list(call("PUT", f"{AT}/bulk/pause", ["\ud800"]).json["bulkErrorResults"]) == ["\ud800"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_admin_pauses_all_resumes_those_and_arms_anew(call: Gateway, world: World, method: str) -> None:
    save(call, "a")
    save(call, "b", paused=True, pausedReason="own")
    assert call(method, f"{AT}/admin/pause").json == {"status": "done"}
    assert [each["paused"] for each in call("GET", f"{AT}/schedules").json] == [True, True]
    assert call(method, f"{AT}/admin/resume").json == {"status": "done"}
    assert [each["paused"] for each in call("GET", f"{AT}/schedules").json] == [False, True]
    world.recurring.remove("a", 1)
    assert call(method, f"{AT}/admin/requeue").json == {"status": "done"}
    assert [each.schedule for each in world.recurring.armed()] == ["a", "b"]


# --- search ---


def found(call: Gateway, query: str) -> list[str]:
    answered = call("GET", f"{AT}/schedules/search?{query}")
    assert answered.status == 200, answered.text
    return [each["name"] for each in answered.json["results"]]


def test_schedules_are_searched_sorted_and_paged(call: Gateway) -> None:
    save(call, "a")
    save(call, "b", paused=True, startWorkflowRequest={"name": "Other"})
    save(call, "c", cronExpression="@daily")
    assert found(call, "") == ["a", "b", "c"]
    assert found(call, "freeText=*&paused=true") == ["b"]
    assert found(call, "paused=false&sort=nextRunTime:DESC") == ["c", "a"]
    assert found(call, "workflowName=Other") == found(call, "freeText=OTHER") == ["b"]
    assert found(call, "scheduleName=c") == ["c"]
    assert found(call, "sort=paused:DESC,name:DESC") == ["b", "c", "a"]
    page = call("GET", f"{AT}/schedules/search?start=1&size=1").json
    assert (page["totalHits"], [each["name"] for each in page["results"]]) == (3, ["b"])
    assert "workflowName" not in page["results"][0]
    for bad in ("sort=size:UP", "sort=x", "size=-1", "paused=perhaps"):
        assert call("GET", f"{AT}/schedules/search?{bad}").status == 400


@pytest.fixture
def after_two_hours(call: Gateway, world: World) -> World:
    save(call, "a")
    save(call, "b", cronExpression="0 30 * * * *", startWorkflowRequest={"name": "absent"})
    world.run_until(2 * (world.engine.min_poll_interval * 60))
    return world


def starts(call: Gateway, query: str = "", rest: str = "") -> list[tuple[str, int]]:
    answered = call("GET", f"{AT}/search/executions?query={quote(query)}{rest}")
    assert answered.status == 200, answered.text
    return [(each["scheduleName"], (each["scheduledTime"] - T0) // 60_000) for each in answered.json["results"]]


def test_a_start_is_shown_as_conductor_shows_it(call: Gateway, after_two_hours: World) -> None:
    [_, _, _, failed] = call("GET", f"{AT}/search/executions?sort=scheduleName:ASC,scheduledTime:DESC").json["results"]
    [done] = call("GET", f"{AT}/search/executions?query={quote(f'scheduleName=a AND scheduledTime<{T0 + 2 * HOUR}')}").json["results"]
    run = call("GET", f"/api/workflow/{done['workflowId']}").json
    assert run["input"] == done["startWorkflowRequest"]["input"]
    assert run["input"]["_executionId"] == done["executionId"]
    assert {key: done[key] for key in ("scheduleName", "scheduledTime", "executionTime", "workflowName", "state", "zoneId")} == {
        "scheduleName": "a",
        "scheduledTime": T0 + HOUR,
        "executionTime": T0 + HOUR,
        "workflowName": "flow",
        "state": "EXECUTED",
        "zoneId": "UTC",
    }
    assert (failed["state"], failed["reason"]) == ("FAILED", "No such workflow found by name: absent")
    assert "workflowId" not in failed


def test_starts_are_searched_sorted_and_paged(call: Gateway, after_two_hours: World) -> None:
    assert starts(call) == starts(call, "*") == [("a", 120), ("b", 90), ("a", 60), ("b", 30)]
    assert starts(call, "b") == starts(call, "scheduleName IN (b, x)") == [("b", 90), ("b", 30)]
    assert starts(call, "state IN ('EXECUTED')") == starts(call, "workflowName=flow") == [("a", 120), ("a", 60)]
    assert starts(call, f"scheduledTime>{T0 + HOUR} AND scheduledTime<{T0 + 2 * HOUR}") == [("b", 90)]
    assert starts(call, "", "&sort=startTime:ASC&start=1&size=2") == [("a", 60), ("b", 90)]
    assert starts(call, "", "&freeText=absent") == [("b", 90), ("b", 30)]
    execution = call("GET", f"{AT}/search/executions?size=1").json["results"][0]["executionId"]
    assert starts(call, f"executionId={execution}") == [("a", 120)]
    assert starts(call, f"scheduleName={'y' * 1500}") == []


@pytest.mark.parametrize("query", ["owner=x", "state>1", "scheduledTime=5", "scheduledTime>x", "state IN (a) OR b=c", "state=", "a=b c=d"])
def test_a_clause_that_cannot_be_searched_is_refused(call: Gateway, query: str) -> None:
    assert call("GET", f"{AT}/search/executions?query={quote(query)}").status == 400
