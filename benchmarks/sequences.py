"""Many HTTP steps, as people write them: in a row, each reading the answer of the one before; side by side; again and again."""

from typing import Any

from tests.support.world import answer, step, workflow

LENGTH = 300
ANSWER = answer({"id": "8d1f2c", "state": "STORED", "rows": 4211, "links": ["https://vendor.example/1", "https://vendor.example/2"]})


def sequence(length: int = LENGTH) -> dict[str, Any]:
    first = _call(1, "${workflow.input.first}")
    return workflow(first, *(_call(number, f"${{step_{number - 1}.output.response.body.id}}") for number in range(2, length + 1)))


def fork(branches: int) -> dict[str, Any]:
    """Return a fork of one call each, joined at its end."""
    calls = [_call(number, "${workflow.input.first}") for number in range(1, branches + 1)]
    joining = step("JOIN", "join", joinOn=[call["taskReferenceName"] for call in calls])
    return workflow(step("FORK_JOIN", "fork", forkTasks=[[call] for call in calls]), joining)


def loop(iterations: int) -> dict[str, Any]:
    """Return a loop of one call an iteration that keeps its last two."""
    body = [_call(1, "${workflow.input.first}")]
    again = f"$.loop.iteration < {iterations}"
    return workflow(step("DO_WHILE", "loop", {"keepLastN": 2}, loopCondition=again, loopOver=body))


def loop_over_items(body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a loop over the input's `all` that keeps its last two iterations: one call each, unless another body is given."""
    each = body or _call(1, "${loop.output.loopItem}")
    return workflow(step("DO_WHILE", "loop", {"keepLastN": 2}, loopCondition="", items="${workflow.input.all}", loopOver=[each]))


def dynamic_fork(kind: str) -> dict[str, Any]:
    """Return a fork of one task of this type for each element of the input's `all`."""
    given = {"forkTaskType": kind, "forkTaskName": "resize", "forkTaskInputs": "${workflow.input.all}"}
    return workflow(step("FORK_JOIN_DYNAMIC", "fork", given), step("JOIN", "join"))


def _call(number: int, before: str) -> dict[str, Any]:
    headers = {"Accept": "application/json", "X-Client-Id": "reporting-pipeline-eu-7"}
    request = {"uri": f"https://vendor.example/api/v2/stages/{number}", "method": "POST", "headers": headers, "body": {"previous": before}}
    return step("HTTP", f"step_{number}", {"http_request": request})
