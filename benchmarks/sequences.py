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


def _call(number: int, before: str) -> dict[str, Any]:
    headers = {"Accept": "application/json", "X-Client-Id": "reporting-pipeline-eu-7"}
    request = {"uri": f"https://vendor.example/api/v2/stages/{number}", "method": "POST", "headers": headers, "body": {"previous": before}}
    return step("HTTP", f"step_{number}", {"http_request": request})
