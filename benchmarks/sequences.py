"""A long sequence of HTTP steps, as people write them: each reads the answer of the one before."""

from typing import Any

from tests.support.world import answer, step, workflow

LENGTH = 300
ANSWER = answer({"id": "8d1f2c", "state": "STORED", "rows": 4211, "links": ["https://vendor.example/1", "https://vendor.example/2"]})


def sequence(length: int = LENGTH) -> dict[str, Any]:
    return workflow(*(_call(number) for number in range(1, length + 1)))


def _call(number: int) -> dict[str, Any]:
    before = "${workflow.input.first}" if number == 1 else f"${{step_{number - 1}.output.response.body.id}}"
    headers = {"Accept": "application/json", "X-Client-Id": "reporting-pipeline-eu-7"}
    request = {"uri": f"https://vendor.example/api/v2/stages/{number}", "method": "POST", "headers": headers, "body": {"previous": before}}
    return step("HTTP", f"step_{number}", {"http_request": request})
