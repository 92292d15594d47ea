"""Who steered a run, and why, is written down once for each thing that was done, and shown in order."""

from datetime import timedelta
from typing import Any

import pytest
from fermata.domain.access import Role

from tests.api.gateway import Gateway
from tests.api.keyring import Keyring
from tests.support.world import World, step, workflow

SECOND = timedelta(seconds=1)
FLOW = workflow(step("HUMAN", "hold"), step("NOOP", "later"), step("WAIT", "last"))


@pytest.fixture
def run_id(call: Gateway) -> str:
    call("POST", "/api/metadata/workflow?overwrite=true", FLOW)
    return call("POST", "/api/workflow/flow", {}).text


def log(call: Any, run_id: str) -> list[Any]:
    told: list[Any] = call("GET", f"/api/workflow/{run_id}/operations").json
    return told


def said(call: Any, run_id: str) -> list[tuple[Any, ...]]:
    return [(each["operation"], each.get("reason"), each.get("taskReferenceName")) for each in log(call, run_id)]


def test_each_thing_that_was_done_stands_in_the_log_in_order(call: Gateway, world: World, run_id: str) -> None:
    def do(method: str, path: str, body: Any = None) -> None:
        world.clock.advance(SECOND)
        assert call(method, path, body).status in (200, 204)

    do("PUT", f"/api/workflow/{run_id}/pause?reason=the%20vendor%20is%20down")
    do("PUT", f"/api/workflow/{run_id}/resume")
    do("PUT", f"/api/workflow/{run_id}/skiptask/later?reason=not+needed")
    do("POST", f"/api/tasks/{run_id}/hold/FAILED?reason=declined", {})
    do("POST", f"/api/workflow/{run_id}/retry?reason=asked+again")
    [held] = [task for task in call("GET", f"/api/workflow/{run_id}").json["tasks"] if task["status"] == "IN_PROGRESS"]
    do("POST", "/api/tasks?reason=approved", {"workflowInstanceId": run_id, "taskId": held["taskId"], "status": "COMPLETED"})
    do("POST", f"/api/tasks/{run_id}/COMPLETED/signal?reason=go", {})
    do("POST", f"/api/workflow/{run_id}/restart?reason=once+more")
    do("DELETE", f"/api/workflow/{run_id}?reason=enough")
    do("POST", f"/api/workflow/{run_id}/rerun?reason=after+all", {})
    assert said(call, run_id) == [
        ("pause", "the vendor is down", None),
        ("resume", None, None),
        ("skip-task", "not needed", "later"),
        ("fail-task", "declined", "hold"),
        ("retry", "asked again", None),
        ("complete-task", "approved", "hold"),
        ("complete-task", "go", "last"),
        ("restart", "once more", None),
        ("terminate", "enough", None),
        ("rerun", "after all", None),
    ]
    first, second = log(call, run_id)[:2]
    assert first["by"] == "local"
    assert second["time"] - first["time"] == 1000


def test_a_rerun_from_a_task_names_it(call: Gateway, run_id: str) -> None:
    call("POST", f"/api/tasks/{run_id}/hold/FAILED", {})
    [task] = call("GET", f"/api/workflow/{run_id}").json["tasks"]
    call("POST", f"/api/workflow/{run_id}/rerun?reason=mended", {"reRunFromTaskId": task["taskId"]})
    assert said(call, run_id)[-1] == ("rerun", "mended", "hold")


def test_what_changed_nothing_or_was_refused_is_not_written_down(call: Gateway, run_id: str) -> None:
    for _ in range(2):
        call("PUT", f"/api/workflow/{run_id}/pause")
    call("POST", f"/api/workflow/{run_id}/retry")
    assert said(call, run_id) == [("pause", None, None)]
    for _ in range(2):
        call("DELETE", f"/api/workflow/{run_id}")
    call("POST", f"/api/tasks/{run_id}/hold/COMPLETED", {})
    assert said(call, run_id) == [("pause", None, None), ("terminate", None, None)]


def test_bulk_orders_are_written_down_in_each_run(call: Gateway, run_id: str) -> None:
    other = call("POST", "/api/workflow/flow", {}).text
    call("PUT", "/api/workflow/bulk/pause?reason=maintenance", [run_id, other, "unknown"])
    assert [said(call, each) for each in (run_id, other)] == [[("pause", "maintenance", None)]] * 2


def test_a_workers_result_is_its_work_and_no_operation(call: Gateway, world: World) -> None:
    call("POST", "/api/metadata/workflow", {**workflow(step("SIMPLE", "work")), "name": "work"})
    run_id = call("POST", "/api/workflow/work", {}).text
    world.run()
    given = call("GET", "/api/tasks/poll/work?workerid=w").json
    call("POST", "/api/tasks", {"workflowInstanceId": run_id, "taskId": given["taskId"], "status": "COMPLETED"})
    assert (call("GET", f"/api/workflow/{run_id}").json["status"], said(call, run_id)) == ("COMPLETED", [])


def test_asking_twice_for_one_poll_is_one_entry(call: Gateway, world: World) -> None:
    never = {"http_request": {"uri": "https://v.example", "terminationCondition": "false", "pollingInterval": 600}}
    call("POST", "/api/metadata/workflow", workflow(step("HTTP_POLL", "await", never)))
    run_id = call("POST", "/api/workflow/flow", {}).text
    world.run_until(SECOND)
    [task] = call("GET", f"/api/workflow/{run_id}").json["tasks"]
    for reason in ("the vendor called", "still waiting"):
        call("POST", f"/api/tasks/{task['taskId']}/poll-now", {"reason": reason})
    assert said(call, run_id) == [("poll-now", "the vendor called", "await")]
    assert call("POST", f"/api/tasks/{task['taskId']}/poll-now", {"reason": 7}).status == 400


def test_the_log_names_the_key_and_goes_with_the_run() -> None:
    ring = Keyring()
    key_id, secret = ring.key(Role.ADMIN)
    token = ring.exchange(key_id, secret).json["token"]

    def call(*asked: Any) -> Any:
        return ring.with_token(token, *asked)

    call("POST", "/api/metadata/workflow", FLOW)
    run_id = call("POST", "/api/workflow/flow", {}).text
    call("PUT", f"/api/workflow/{run_id}/pause")
    ring.signed("PUT", f"/api/workflow/{run_id}/resume")
    assert [each["by"] for each in log(call, run_id)] == [key_id, "arn:aws:iam::123456789012:user/caller"]
    call("DELETE", f"/api/workflow/{run_id}/terminate-remove")
    assert call("GET", f"/api/workflow/{run_id}/operations").status == 404
    assert list(ring.world.engine.operations.of(run_id)) == []
