"""`GET /workflow/{id}` tells what an unfinished run waits for, in a field of our own."""

from typing import Any

from tests.api.gateway import Gateway
from tests.support.world import World, step, workflow


def begun(call: Gateway, *steps: dict[str, Any]) -> str:
    call("POST", "/api/metadata/workflow?overwrite=true", workflow(*steps))
    return call("POST", "/api/workflow/flow", {}).text


def waits(call: Gateway, run_id: str, query: str = "") -> Any:
    return call("GET", f"/api/workflow/{run_id}{query}").json.get("waitingFor")


def test_a_worker_is_waited_for_by_its_queue(call: Gateway, world: World) -> None:
    run_id = begun(call, {**step("SIMPLE", "a"), "name": "pack"})
    [found] = waits(call, run_id)
    assert (found["for"], found["referenceTaskName"], found["name"]) == ("WORKER", "a", "pack")
    assert found.keys() == {"for", "referenceTaskName", "taskId", "name"}, "nobody polled the queue, and nothing else moves the run"
    call("GET", "/api/tasks/poll/pack?workerid=ann")
    [found] = waits(call, run_id)
    now = round(world.clock.now().timestamp() * 1000)
    assert (found["workerId"], found["lastPollTime"], found["dueTime"]) == ("ann", now, now + 3_600_000)


def test_a_paused_run_waits_for_its_operator_with_and_without_its_tasks(call: Gateway) -> None:
    run_id = begun(call, step("HUMAN", "approve"))
    call("PUT", f"/api/workflow/{run_id}/pause")
    assert [found["for"] for found in waits(call, run_id)] == ["OPERATOR", "PERSON"]
    assert waits(call, run_id, "?includeTasks=false") == [{"for": "OPERATOR"}]


def test_a_finished_run_waits_for_nothing(call: Gateway) -> None:
    assert waits(call, begun(call, step("NOOP", "n"))) is None
