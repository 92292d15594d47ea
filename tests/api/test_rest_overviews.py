"""`GET /executions/waiting` tells of many runs at once what each waits for."""

from datetime import timedelta
from typing import Any

from fermata.domain.http_exchange import HttpAnswer

from tests.api.gateway import Gateway
from tests.support.world import Vendor, World, answer, step, workflow

POLLED = step(
    "HTTP_POLL",
    "poll",
    {"http_request": {"uri": "https://exports.example/jobs/71c2?token=secret", "terminationCondition": "false", "maxPollCount": 300}},
)
STARTED = 1_000


def polled(*answers: HttpAnswer) -> tuple[Gateway, World]:
    world = World(Vendor(*answers))
    return Gateway(world.engine), world


def began(call: Gateway, *steps: dict[str, Any], **fields: Any) -> str:
    call("POST", "/api/metadata/workflow?overwrite=true", workflow(*steps, **fields))
    return call("POST", "/api/workflow/flow", {}).text


def told(call: Gateway, *ids: str) -> Any:
    return call("GET", "/api/executions/waiting?" + "&".join(f"workflowId={each}" for each in ids)).json


def ms(world: World, **ago: float) -> int:
    return round((world.clock.now() - timedelta(**ago)).timestamp() * 1000)


def test_a_poll_tells_what_was_said_last_and_when_the_next_look_is() -> None:
    call, world = polled(answer({"state": "RUNNING"}))
    run_id = began(call, POLLED, timeoutSeconds=86_400, timeoutPolicy="TIME_OUT_WF")
    world.run_until(timedelta(minutes=2, seconds=10))
    [found] = told(call, run_id)
    in_get = call("GET", f"/api/workflow/{run_id}").json
    assert found["waitingFor"] == in_get["waitingFor"]
    assert found["waitingFor"][-1]["remoteState"] == "RUNNING"
    del found["waitingFor"], found["revision"]
    first = in_get["tasks"][0]["startTime"]
    assert found == {
        "workflowId": run_id,
        "status": "RUNNING",
        "openTasks": 1,
        "taskId": in_get["tasks"][0]["taskId"],
        "taskReferenceName": "poll",
        "taskType": "HTTP_POLL",
        "host": "exports.example",
        "remoteState": "RUNNING",
        "remoteStateSince": first,
        "pollCount": in_get["tasks"][0]["pollCount"],
        "maxPollCount": 300,
        "since": first,
        "lastPollTime": in_get["tasks"][0]["updateTime"],
        "nextPollTime": in_get["tasks"][0]["nextPollTime"],
        "until": in_get["createTime"] + 86_400_000,
    }
    assert found["pollCount"] == 3


def test_the_ledger_tells_where_the_state_changed() -> None:
    call, world = polled(*(answer({"state": state}) for state in ("QUEUED", "QUEUED", "RUNNING")))
    run_id = began(call, POLLED)
    world.run_until(timedelta(minutes=3, seconds=10))
    [found] = told(call, run_id)
    polls = call("GET", f"/api/tasks/{found['taskId']}/polls").json
    assert [poll.get("remoteState") for poll in polls] == ["QUEUED", None, "RUNNING", None]
    assert (found["remoteState"], found["remoteStateSince"]) == ("RUNNING", polls[2]["firedTime"])


def test_an_error_page_says_nothing_about_the_job() -> None:
    call, world = polled(answer({"state": "RUNNING"}), answer({"status": "oops"}, 500))
    run_id = began(call, POLLED)
    world.run_until(timedelta(seconds=70))
    assert [each["remoteState"] for each in told(call, run_id)] == ["RUNNING"]


def test_a_poll_deadline_tells_when_it_ends() -> None:
    call, world = polled(answer({}))
    given = {**POLLED["inputParameters"], "pollDeadlineSeconds": 600}
    run_id = began(call, {**POLLED, "inputParameters": given})
    world.run_until(timedelta(seconds=70))
    [found] = told(call, run_id)
    assert found["until"] == call("GET", f"/api/workflow/{run_id}").json["tasks"][0]["scheduledTime"] + 600_000
    assert "remoteState" not in found


def test_other_waits_are_told_and_a_poll_beside_them_is_shown() -> None:
    call, world = polled(answer({}))
    fork = {**step("FORK_JOIN", "fork"), "forkTasks": [[step("HUMAN", "approve")], [{**step("SIMPLE", "s"), "name": "pack"}], [POLLED]]}
    run_id = began(call, fork, {**step("JOIN", "join"), "joinOn": ["approve", "s", "poll"]})
    world.run_until(timedelta(seconds=10))
    call("GET", "/api/tasks/poll/pack?workerid=ann")
    [found] = told(call, run_id)
    assert (found["openTasks"], found["taskReferenceName"]) == (4, "poll")
    assert [(each["for"], each.get("name")) for each in found["waitingFor"]] == [
        ("PERSON", None),
        ("WORKER", "pack"),
        ("VENDOR", "exports.example"),
    ]
    assert found["waitingFor"][1]["workerId"] == "ann"
    assert found["waitingFor"][1]["lastPollTime"] == ms(world)


def test_of_many_open_tasks_some_are_told_until_the_last_is_over(call: Gateway) -> None:
    names = [f"approve_{number}" for number in range(6)]
    fork = {**step("FORK_JOIN", "fork"), "forkTasks": [[step("HUMAN", name)] for name in names]}
    run_id = began(call, fork, {**step("JOIN", "join"), "joinOn": names})
    assert [each["referenceTaskName"] for each in told(call, run_id)[0]["waitingFor"]] == names[:3]
    for name in names[:5]:
        call("POST", f"/api/tasks/{run_id}/{name}/COMPLETED", {})
    [found] = told(call, run_id)
    assert found["openTasks"] == 2  # with the JOIN
    call("POST", f"/api/tasks/{run_id}/{names[5]}/COMPLETED", {})
    assert told(call, run_id) == [None]


def test_a_paused_run_waits_for_its_operator(call: Gateway) -> None:
    run_id = began(call, step("WAIT", "hold", {"duration": "1 days"}))
    call("PUT", f"/api/workflow/{run_id}/pause")
    [found] = told(call, run_id)
    assert (found["status"], [each["for"] for each in found["waitingFor"]]) == ("PAUSED", ["OPERATOR", "TIME"])


def test_the_list_is_in_the_order_of_the_ids_with_null_for_what_waits_for_nothing(call: Gateway) -> None:
    over, one, two = began(call, step("NOOP", "n")), *(began(call, step("HUMAN", "h")) for _ in range(2))
    found = told(call, two, over, "nobody", one, two)
    assert [each and each["workflowId"] for each in found] == [two, None, None, one, two]


def test_too_many_ids_or_none_are_refused(call: Gateway) -> None:
    refused = call("GET", "/api/executions/waiting")
    assert (refused.status, "workflowId" in refused.json["message"]) == (400, True)
    assert call("GET", "/api/executions/waiting?workflowId=" + ",".join(map(str, range(101)))).status == 400
    assert call("GET", "/api/executions/waiting?workflowId=" + ",".join(map(str, range(100)))).json == [None] * 100


def test_a_page_asks_for_the_polls_that_are_new() -> None:
    call, world = polled(answer({}))
    run_id = began(call, POLLED)
    world.run_until(timedelta(minutes=20, seconds=30))
    path = f"/api/tasks/{told(call, run_id)[0]['taskId']}/polls"
    numbers = [poll["poll"] for poll in call("GET", path).json]
    assert len(numbers) > 13
    for query, wanted in (("since=13", numbers[13:]), ("since=2&count=3", [3, 4, 5]), ("count=2", [1, 2]), (f"since={10**17}", [])):
        assert [poll["poll"] for poll in call("GET", f"{path}?{query}").json] == wanted
    assert [call("GET", f"{path}?{query}").status for query in ("since=-1", "count=0", "since=x")] == [400] * 3
    assert call("GET", "/api/tasks/unknown/polls?since=3").status == 404
