"""Polling now, through the door."""

from datetime import timedelta

from tests.api.gateway import Gateway
from tests.support.world import World, step, workflow

NEVER = {"http_request": {"uri": "https://vendor.example/job", "terminationCondition": "false", "pollingInterval": 600}}


def test_a_poll_that_was_asked_for_stands_in_the_ledger(call: Gateway, world: World) -> None:
    call("POST", "/api/metadata/workflow", workflow(step("HTTP_POLL", "await", NEVER)))
    run_id = call("POST", "/api/workflow/flow", {}).text
    world.run_until(timedelta(seconds=90))
    [task] = call("GET", f"/api/workflow/{run_id}").json["tasks"]
    asked = call("POST", f"/api/tasks/{task['taskId']}/poll-now")
    now = int(world.clock.now().timestamp() * 1000)
    ids = {"workflowId": run_id, "taskId": task["taskId"], "taskReferenceName": "await"}
    assert (asked.status, asked.json) == (200, {**ids, "poll": 2, "due": now})
    world.run_until(timedelta(seconds=1))
    polls = call("GET", f"/api/tasks/{task['taskId']}/polls").json
    assert [(poll["poll"], poll["dueTime"]) for poll in polls][1:] == [(2, now)]
    shown = call("GET", f"/api/tasks/{task['taskId']}").json
    assert (shown["pollCount"], shown["nextPollTime"]) == (2, now + 600_000)


def test_what_cannot_be_polled_is_refused_with_the_reason(call: Gateway, world: World) -> None:
    call("POST", "/api/metadata/workflow", workflow(step("WAIT", "hold")))
    run_id = call("POST", "/api/workflow/flow", {}).text
    [task] = call("GET", f"/api/workflow/{run_id}").json["tasks"]
    refused = call("POST", f"/api/tasks/{task['taskId']}/poll-now")
    assert (refused.status, refused.json["message"]) == (
        409,
        "Task hold is a WAIT: only HTTP_POLL tasks and tries of actions are polled.",
    )
    assert call("POST", "/api/tasks/unknown/poll-now").status == 404
