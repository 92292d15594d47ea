"""Warnings about a definition come in a header; bodies and refusals are as they were."""

import json
from typing import Any

import pytest

from tests.api.gateway import Answer, Gateway
from tests.support.world import main_job, step, workflow

WORKFLOW = "/api/metadata/workflow"
HEADER = "X-Fermata-Warnings"


def warned(answer: Answer) -> list[Any]:
    assert answer.status == 200
    return json.loads(answer.headers.get(HEADER, "[]"))


@pytest.mark.parametrize("path", [WORKFLOW, f"{WORKFLOW}/validate"])
def test_the_main_job_registers_with_one_warning(call: Gateway, path: str) -> None:
    answer = call("POST", path, main_job())
    [warning] = warned(answer)
    assert (warning["path"], warning["code"]) == ("tasks[2].defaultCase", "EMPTY_DEFAULT_AFTER_POLL")
    assert "route_job chooses by await_job's answer" in warning["message"]
    assert answer.text == ""


POLL = {"http_request": {"uri": "http://v", "terminationCondition": "$.output.body.state === 'SUCCEEDED'", "maxPollCount": 100}}
CHOICE = step(
    "SWITCH", "s", {"v": "${p.output.body.state}"}, evaluatorType="value-param", expression="v", decisionCases={"a": [step("NOOP", "a")]}
)
FORK = step("FORK_JOIN", "f", forkTasks=[[step("NOOP", "a")]])
FAULTS: dict[str, dict[str, Any]] = {
    "UNREACHABLE": workflow(step("TERMINATE", "t", {"terminationStatus": "COMPLETED"}), step("NOOP", "n")),
    "JOIN_UNKNOWN_TASK": workflow(FORK, step("JOIN", "j", joinOn=["a", "ghost"])),
    "JOIN_WAITS_FOR_ITSELF": workflow(FORK, step("JOIN", "j", joinOn=["a", "j"])),
    "REFERENCE_TOO_EARLY": workflow(step("INLINE", "i", {"expression": "1", "x": "${late.output.x}"}), step("NOOP", "late")),
    "POLLS_OUTLAST_TIMEOUT": workflow(step("HTTP_POLL", "p", POLL), timeoutSeconds=3600, timeoutPolicy="TIME_OUT_WF"),
    "CONDITION_MISSES_FAILURE": workflow(step("HTTP_POLL", "p", POLL)),
    "EMPTY_DEFAULT_AFTER_POLL": workflow(step("HTTP_POLL", "p", POLL), CHOICE),
}


@pytest.mark.parametrize(("code", "definition"), FAULTS.items(), ids=FAULTS)
@pytest.mark.parametrize("path", [WORKFLOW, f"{WORKFLOW}/validate"])
def test_each_kind_of_fault_is_told_by_registration_and_by_validation(
    call: Gateway, path: str, code: str, definition: dict[str, Any]
) -> None:
    assert code in {warning["code"] for warning in warned(call("POST", path, definition))}


def test_a_bulk_update_says_which_definition(call: Gateway) -> None:
    plain = workflow(step("NOOP", "n"))
    answer = call("PUT", WORKFLOW, [plain, main_job()])
    assert [warning["path"] for warning in warned(answer)] == ["workflowDefinitions[1].tasks[2].defaultCase"]
    assert answer.json["bulkSuccessfulResults"] == ["flow", "http_poll_external_job"]


def test_without_a_fault_there_is_no_header(call: Gateway) -> None:
    answer = call("POST", f"{WORKFLOW}/validate", workflow(step("NOOP", "n")))
    assert (answer.status, HEADER in answer.headers) == (200, False)


def test_a_wrong_definition_is_refused_without_warnings(call: Gateway) -> None:
    answer = call("POST", f"{WORKFLOW}/validate", {**main_job(), "schemaVersion": 3})
    assert (answer.status, HEADER in answer.headers) == (400, False)


def test_registered_task_definitions_are_taken_into_account(call: Gateway) -> None:
    request = {"uri": "http://v", "method": "POST", "idempotencyKey": False}
    definition = workflow(step("HTTP", "h", {"http_request": request}))
    assert warned(call("POST", f"{WORKFLOW}/validate", definition)) == []
    call("POST", "/api/metadata/taskdefs", [{"name": "h", "retryCount": 2}])
    assert [each["code"] for each in warned(call("POST", f"{WORKFLOW}/validate", definition))] == ["RETRY_WITHOUT_KEY"]


def test_the_header_is_bounded_and_plain_text(call: Gateway) -> None:
    steps = [step("INLINE", f"\N{SNOWMAN} {'x' * 200} {n}", {"expression": "1", "x": "${end.output}"}) for n in range(300)]
    answer = call("POST", WORKFLOW, workflow(*steps, step("NOOP", "end")))
    value = answer.headers[HEADER]
    assert len(value) <= 4096
    assert value.isascii()
    assert value.isprintable()
    shown = warned(answer)
    assert shown[-1] == {"path": "", "message": f"{300 - len(shown) + 1} more", "code": "MORE"}
