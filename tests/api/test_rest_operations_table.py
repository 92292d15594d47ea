"""Every operation on a run in every status: the answer's code and the status it leads to, alone and in bulk (engine reference, 7)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.api.gateway import Gateway
from tests.support.world import World, step, workflow

UNKNOWN = "00000000-0000-0000-0000-00000000dead"
FLOW = workflow(
    step("HUMAN", "hold"),
    step("INLINE", "later", {"expression": "1"}),
    step("HUMAN", "last"),
    timeoutSeconds=60,
    timeoutPolicy="TIME_OUT_WF",
)
STATUSES = ("RUNNING", "PAUSED", "COMPLETED", "FAILED", "TIMED_OUT", "TERMINATED", "unknown")
SAME, GONE, RUN = "the same", "gone", "RUNNING"

# By operation: method, path, body, and for each status above the code and what the run is then.
OPERATIONS: dict[str, tuple[str, str, Any, tuple[tuple[int, str], ...]]] = {
    "pause": ("PUT", "/pause", None, ((200, "PAUSED"), (200, SAME), *((409, SAME),) * 4, (404, GONE))),
    # Conductor answers 500 where we say 409.
    "resume": ("PUT", "/resume", None, ((409, SAME), (200, RUN), *((409, SAME),) * 4, (404, GONE))),
    "terminate": ("DELETE", "?reason=r", None, (*((200, "TERMINATED"),) * 2, (409, SAME), *((200, "TERMINATED"),) * 3, (404, GONE))),
    "restart": ("POST", "/restart", None, (*((409, SAME),) * 2, *((204, RUN),) * 4, (404, GONE))),
    "retry": ("POST", "/retry", None, (*((404, SAME),) * 2, (409, SAME), *((204, RUN),) * 3, (404, GONE))),
    "retry with children": (
        "POST",
        "/retry?resumeSubworkflowTasks=true",
        None,
        (*((404, SAME),) * 2, (409, SAME), *((204, RUN),) * 3, (404, GONE)),
    ),
    "rerun": ("POST", "/rerun", {}, (*((409, SAME),) * 2, *((200, RUN),) * 4, (404, GONE))),
    "rerun of no task": ("POST", "/rerun", {"reRunFromTaskId": "x"}, (*((409, SAME),) * 2, *((400, SAME),) * 4, (404, GONE))),
    # Conductor answers 500 where we say 409 and 404.
    "skip": ("PUT", "/skiptask/later", None, ((200, SAME), *((409, SAME),) * 5, (404, GONE))),
    "skip what runs": ("PUT", "/skiptask/hold", None, (*((409, SAME),) * 6, (404, GONE))),
    "resetcallbacks": ("POST", "/resetcallbacks", None, (*((204, SAME),) * 2, *((409, SAME),) * 4, (404, GONE))),
    "variables": ("POST", "/variables", {"a": 1}, (*((200, SAME),) * 2, *((409, SAME),) * 4, (404, GONE))),
    "remove": ("DELETE", "/remove", None, (*((400, SAME),) * 2, *((200, GONE),) * 4, (404, GONE))),
    "terminate-remove": ("DELETE", "/terminate-remove", None, (*((200, GONE),) * 6, (404, GONE))),
    "remove by force": ("DELETE", "/remove?archiveWorkflow=false", None, (*((200, GONE),) * 6, (404, GONE))),
}
CASES = [
    pytest.param(name, before, code, after, id=f"{name}, {before}")
    for name, (_, _, _, outcomes) in OPERATIONS.items()
    for before, (code, after) in zip(STATUSES, outcomes, strict=True)
]
BULK = {
    "pause": "PUT",
    "resume": "PUT",
    "restart": "POST",
    "retry": "POST",
    "terminate": "POST",
    "remove": "DELETE",
    "terminate-remove": "DELETE",
}


@pytest.fixture
def run_in(call: Gateway, world: World) -> Callable[[str], str]:
    """Return what makes a run of a status and returns its id."""
    call("POST", "/api/metadata/workflow?overwrite=true", FLOW)

    def end(run_id: str, status: str, *refs: str) -> None:
        for ref in refs:
            call("POST", f"/api/tasks/{run_id}/{ref}/{status}")

    def made(status: str) -> str:
        if status == "unknown":
            return UNKNOWN
        run_id = call("POST", "/api/workflow/flow", {}).text
        match status:
            case "PAUSED":
                call("PUT", f"/api/workflow/{run_id}/pause")
            case "COMPLETED":
                end(run_id, "COMPLETED", "hold", "last")
            case "FAILED":
                end(run_id, "FAILED", "hold")
            case "TIMED_OUT":
                world.run_until(timedelta(seconds=61))
            case "TERMINATED":
                call("DELETE", f"/api/workflow/{run_id}")
        assert status_of(call, run_id) == status
        return run_id

    return made


def status_of(call: Gateway, run_id: str) -> str:
    answered = call("GET", f"/api/workflow/{run_id}")
    return GONE if answered.status == 404 else str(answered.json["status"])


@pytest.mark.parametrize(("name", "before", "code", "after"), CASES)
def test_an_operation_in_a_status(call: Gateway, run_in: Any, name: str, before: str, code: int, after: str) -> None:
    method, path, body, _ = OPERATIONS[name]
    run_id = run_in(before)
    answered = call(method, f"/api/workflow/{run_id}{path}", body)
    assert (answered.status, status_of(call, run_id)) == (code, before if after == SAME else after)
    if code >= 400:
        assert (answered.json["status"], bool(answered.json["message"])) == (code, True)


@pytest.mark.parametrize("name", BULK)
def test_an_operation_in_bulk_does_to_each_run_what_it_does_to_one(call: Gateway, run_in: Any, name: str) -> None:
    *_, outcomes = OPERATIONS[name]
    runs = {status: run_in(status) for status in sorted(STATUSES, key=lambda status: status != "TIMED_OUT")}  # time passes for all
    answered = call(BULK[name], f"/api/workflow/bulk/{name}", [runs[status] for status in STATUSES])
    assert answered.status == 200
    codes = dict(zip(STATUSES, outcomes, strict=True))
    assert set(answered.json["bulkSuccessfulResults"]) == {runs[status] for status, (code, _) in codes.items() if code < 400}
    assert set(answered.json["bulkErrorResults"]) == {runs[status] for status, (code, _) in codes.items() if code >= 400}
    for status, (_, after) in codes.items():
        assert status_of(call, runs[status]) == (status if after == SAME else after)


@pytest.mark.parametrize("before", STATUSES[:-1])
def test_deciding_and_signaling_never_fail_for_a_run_that_is_there(call: Gateway, run_in: Any, before: str) -> None:
    run_id = run_in(before)
    assert call("PUT", f"/api/workflow/decide/{run_id}").status == 200
    assert call("POST", f"/api/tasks/{run_id}/COMPLETED/signal", {}).status == 200
    assert status_of(call, run_id) == before
    assert call("PUT", f"/api/workflow/decide/{UNKNOWN}").status == 404
    assert call("POST", f"/api/tasks/{UNKNOWN}/COMPLETED/signal", {}).status == 404
