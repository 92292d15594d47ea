"""A dry run tells what would happen, and nothing happens."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.api.gateway import Gateway
from tests.support.world import World, main_job, step, workflow

PAGE = (Path(__file__).parents[2] / "docs" / "dry-run.md").read_text()
ANSWERS = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
GIVEN = {"jobApiUrl": "https://jobs.example", "dataset": "orders"}
NEVER = {"http_request": {"uri": "https://v.example/job", "terminationCondition": "false", "pollingInterval": 60}}


def dry(call: Gateway, definition: dict[str, Any], *answers: Any, **more: Any) -> Any:
    answered = call("POST", "/api/workflow/dry-run", {"workflowDef": definition, "answers": list(answers), **more})
    assert answered.status == 200, answered.text
    return answered.json


def said(told: Any, what: str) -> list[str]:
    return [event["detail"] for event in told["events"] if event["what"] == what]


def test_the_page_of_the_documentation_is_right_and_nothing_is_stored_or_sent(call: Gateway, world: World) -> None:
    told = dry(call, main_job(), *ANSWERS, input=GIVEN)
    assert (told["workflow"]["status"], told["ending"], told["endedBy"]) == ("COMPLETED", "OVER", "The run is COMPLETED.")
    assert [(poll["statusCode"], poll["decision"]) for poll in told["polls"]["await_job"] if "statusCode" in poll] == [
        (200, "AGAIN"),
        (200, "AGAIN"),
        (200, "AGAIN"),
        (503, "SLOW_DOWN"),
        (200, "DONE"),
    ]
    assert (told["requests"], told["cost"]["polls"], len(told["polls"]["await_job"])) == (7, 6, 6)
    assert told["elapsedSeconds"] == pytest.approx(0.12 + 3 * 60.08 + 300 + 30 + 60)
    moments = [event["atMs"] for event in told["events"]]
    assert moments == sorted(moments)
    assert said(told, "POLL")[3] == "poll 4: 503, SLOW_DOWN; the next one after 300 s"
    assert said(told, "RUN_ENDED") == ["http_poll_external_job is COMPLETED"]
    assert [event["what"] for event in told["events"][-6:]] == ["REQUEST", "POLL", *["TASK_ENDED"] * 3, "RUN_ENDED"]
    assert world.http.requests == []
    assert call("GET", f"/api/workflow/{told['workflow']['workflowId']}").status == 404
    assert call("GET", "/api/metadata/workflow").json == []


def test_a_registered_definition_is_run_with_the_registered_ones_it_names(call: Gateway) -> None:
    child = {**workflow(step("HTTP_POLL", "await", {**NEVER})), "name": "child"}
    child["tasks"][0]["inputParameters"]["http_request"]["maxPollCount"] = 2
    parent = workflow(step("SUB_WORKFLOW", "sub", subWorkflowParam={"name": "child", "version": 1}), name="parent")
    for each in (child, parent):
        call("POST", "/api/metadata/workflow", each)
    told = call("POST", "/api/workflow/dry-run", {"name": "parent"}).json
    assert [len(told["polls"][name]) for name in told["polls"]] == [2]
    assert list(told["polls"]) == ["child.await"]
    assert (told["workflow"]["status"], told["cost"]["requests"]) == ("FAILED", 2)


def test_a_request_that_is_not_scripted_is_assumed_to_be_answered_and_told(call: Gateway) -> None:
    told = dry(call, workflow(step("HTTP", "ask", {"http_request": {"uri": "https://v.example/a?b=1", "method": "GET"}})))
    assert said(told, "NO_ANSWER_SCRIPTED") == ["no answer scripted for GET https://v.example/a?b=1: 200 {} assumed"]
    assert told["workflow"]["status"] == "COMPLETED"


def test_an_answer_is_for_a_task_or_an_address_and_the_first_that_fits_counts(call: Gateway) -> None:
    asks = [step("HTTP", name, {"http_request": {"uri": f"https://v.example/{name}", "method": "GET"}}) for name in ("a", "b", "c")]
    told = dry(
        call,
        workflow(*asks),
        {"taskReferenceName": "b", "url": "*/other", "responses": [{"statusCode": 500}]},
        {"taskReferenceName": "b", "responses": [{"body": "from b"}]},
        {"url": "https://*/a", "responses": [{"body": "from a"}]},
        {"responses": [{"body": "from anybody"}]},
    )
    bodies = [task["outputData"]["response"]["body"] for task in told["workflow"]["tasks"]]
    assert bodies == ["from a", "from b", "from anybody"]


def test_a_secret_stands_for_itself(call: Gateway) -> None:
    given = {"http_request": {"uri": "https://v.example", "method": "GET", "headers": {"X": "${workflow.secrets.TOKEN}"}}}
    assert dry(call, workflow(step("HTTP", "ask", given)))["workflow"]["status"] == "COMPLETED"


def test_a_run_that_waits_for_somebody_says_for_whom(call: Gateway) -> None:
    told = dry(call, workflow(step("WAIT", "cool_off", {"duration": "3 days"}), step("HUMAN", "approve")))
    assert (told["ending"], told["elapsedSeconds"]) == ("WAITING", 3 * 86400)
    assert told["endedBy"] == "Only somebody outside moves it on: approve (PERSON)."
    assert (told["workflow"]["waitingFor"][0]["for"], said(told, "STOPPED")) == ("PERSON", [told["endedBy"]])


def test_a_wait_beyond_a_year_is_not_waited_for(call: Gateway) -> None:
    told = dry(call, workflow(step("WAIT", "long", {"duration": "400 days"})))
    assert (told["ending"], told["elapsedSeconds"]) == ("TOO_LONG", 0)


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({"responses": []}, "answers[0].responses"),
        ({"responses": [{"statusCode": 99}]}, "answers[0].responses[0].statusCode"),
        ({"responses": [{"latencyMs": -1}]}, "answers[0].responses[0].latencyMs"),
        ({"responses": [{"times": 0}]}, "answers[0].responses[0].times"),
        ({"responses": [{"failure": "sulks"}]}, "answers[0].responses[0].failure"),
        ({"responses": [{}] * 1001}, "answers"),
    ],
)
def test_what_is_wrong_with_the_script_is_named(call: Gateway, answer: Any, path: str) -> None:
    refused = call("POST", "/api/workflow/dry-run", {"workflowDef": workflow(step("NOOP", "a")), "answers": [answer]})
    assert (refused.status, [each["path"] for each in refused.json["validationErrors"]]) == (400, [path])


def test_an_unknown_definition_and_a_wrong_one_are_refused_as_a_start_refuses_them(call: Gateway) -> None:
    assert call("POST", "/api/workflow/dry-run", {"name": "nobody"}).status == 404
    assert call("POST", "/api/workflow/dry-run", {"workflowDef": workflow(step("NOPE", "a"))}).status == 400
    assert call("POST", "/api/workflow/dry-run", {"workflowDef": {}}).status == 400
    assert call("POST", "/api/workflow/dry-run", []).status == 400
