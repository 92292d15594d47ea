"""What a dry run is asked for, and how it is told. Ours: Conductor has none."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fermata.domain.errors import InvalidRequest, Violation
from fermata.domain.http_exchange import FailureKind
from fermata.domain.json_value import Json
from fermata.wire.codec import VALIDATION_FAILED
from fermata.wire.requests import StartWorkflowRequest, request_from_json

MAX_RESPONSES = 1_000
MAX_LATENCY_MS = 600_000
LEAST_STATUS, MOST_STATUS = 200, 599


@dataclass(frozen=True)
class ScriptedResponse:
    """What the vendor says: an answer after `latency_ms`, or with `failure` none. Given `times` times before the next one."""

    status_code: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Json = None
    latency_ms: int = 0
    times: int = 1
    failure: str | None = None


@dataclass(frozen=True)
class ScriptedAnswers:
    """To which requests these responses are given: those of a task, those to an address (`*` stands for anything), both, or all."""

    task_reference_name: str | None = None
    url: str | None = None
    responses: tuple[ScriptedResponse, ...] = ()


@dataclass(frozen=True)
class DryRunRequest(StartWorkflowRequest):
    answers: tuple[ScriptedAnswers, ...] = ()


def dry_run_from_json(value: Json) -> DryRunRequest:
    """Raises `InvalidRequest`, naming every wrong field. A definition in the request names the run, too."""
    named = value
    if isinstance(value, dict) and isinstance(value.get("workflowDef"), dict):
        named = {"name": value["workflowDef"].get("name"), **value}
    request = request_from_json(DryRunRequest, named)
    wrong = list(_violations(request))
    if wrong:
        raise InvalidRequest(VALIDATION_FAILED, wrong)
    return request


def _violations(request: DryRunRequest) -> Iterator[Violation]:
    if sum(len(each.responses) for each in request.answers) > MAX_RESPONSES:
        yield Violation("answers", f"must hold at most {MAX_RESPONSES} responses together")
    for number, each in enumerate(request.answers):
        if not each.responses:
            yield Violation(f"answers[{number}].responses", "must not be empty")
        for index, response in enumerate(each.responses):
            yield from _wrong(response, f"answers[{number}].responses[{index}]")


def _wrong(response: ScriptedResponse, path: str) -> Iterator[Violation]:
    if not LEAST_STATUS <= response.status_code <= MOST_STATUS:
        yield Violation(f"{path}.statusCode", f"must be from {LEAST_STATUS} to {MOST_STATUS}", response.status_code)
    if not 0 <= response.latency_ms <= MAX_LATENCY_MS:
        yield Violation(f"{path}.latencyMs", f"must be from 0 to {MAX_LATENCY_MS}", response.latency_ms)
    if response.times < 1:
        yield Violation(f"{path}.times", "must be at least 1", response.times)
    if response.failure is not None and response.failure not in set(FailureKind):
        yield Violation(f"{path}.failure", f"must be one of {', '.join(FailureKind)}", response.failure[:40])
