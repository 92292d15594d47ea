"""What `${...}` costs: names, text, and the paths that need the JSONPath library."""

from collections.abc import Mapping, Sequence
from typing import Any

from fermata.domain.expressions import Scope, resolve

from benchmarks.figures import Figure
from benchmarks.timing import median_seconds

TIMES = 200
REPEATS = 50  # in one timing: a single one is too short for the clock
DOCUMENTS: Mapping[str, dict[str, Any]] = {
    "workflow": {"input": {"jobApiUrl": "https://jobs.example", "dataset": "orders"}, "variables": {}},
    "submit": {"output": {"response": {"body": {"jobId": "8d1f2c", "parts": [{"size": number} for number in range(20)]}}}},
}
SCOPE = Scope(DOCUMENTS.get)
TEMPLATES: Mapping[str, Any] = {
    "no expression": "https://jobs.example/jobs",
    "a name": "${submit.output.response.body.jobId}",
    "names in text": "${workflow.input.jobApiUrl}/jobs/${submit.output.response.body.jobId}",
    "a filter": "${submit.output.response.body.parts[?(@.size > 15)].size}",
}


def measure() -> Sequence[Figure]:
    return [Figure("expressions", name, _microseconds(template), "us", note=f"median of {TIMES}") for name, template in TEMPLATES.items()]


def _microseconds(template: object) -> float:
    assert resolve(template, SCOPE) is not None

    def work() -> None:
        for _ in range(REPEATS):
            resolve(template, SCOPE)

    return 1e6 * median_seconds(work, TIMES) / REPEATS
