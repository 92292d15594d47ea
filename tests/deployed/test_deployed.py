"""The deployed system runs the main job from the first request to its end.

What ministack does not carry, and where it is tested instead: it serves no HTTP API routes (requests are handed to the api function
as the gateway would, tests/template holds the route to its integration); it enforces no IAM policies (tests/template compares them
with the calls that the adapters make); its scheduler looks every 10 s, where AWS's fires within the named minute.
"""

import json
import time
from pathlib import Path

import pytest

from examples import job_api

ROOT = Path(__file__).parents[2]
DEFINITION = (ROOT / "examples" / "http-poll-external-job.json").read_text()
POLLS = 2  # so that one real schedule lies between the first and the last: the definition asks for 60 s
LIMIT_SECONDS = 150

pytestmark = pytest.mark.xdist_group("deployed")


@pytest.fixture(scope="module")
def vendor():
    with job_api.serve(polls_to_finish=POLLS) as served:
        yield served


def _quick(definition):
    """The same job, polled every second: its wake-ups go by queue delay."""
    quick = json.loads(definition) | {"name": "quick_job"}
    quick["tasks"][1]["inputParameters"]["http_request"]["pollingInterval"] = 1
    return quick


def _wait(api, workflow_id, until):
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        _, run = api("GET", f"/api/workflow/{workflow_id}")
        if until(run):
            return run
        time.sleep(0.5)  # noqa: TID251 - what is waited for runs in other processes, on the wall clock
    pytest.fail(f"still waiting after {LIMIT_SECONDS} s: {json.dumps(run, indent=1)[:3000]}")


def _armed_polls(client, stack):
    """The one-shots armed for polls. That for the run's own timeout is none of them."""
    armed = client("scheduler").list_schedules(GroupName=stack.ScheduleGroupName)["Schedules"]
    return [schedule for schedule in armed if schedule["Name"].startswith("poll-")]


def _ended(run):
    return run["status"] != "RUNNING"


def test_the_main_job_completes_with_a_schedule_between_its_polls(api, interface, client, stack, vendor):
    parked = interface_is_called_and_parked(api, interface)
    assert api("PUT", "/api/metadata/workflow", f"[{DEFINITION}]")[0] == 200
    _, workflow_id = api("POST", "/api/workflow/http_poll_external_job", {"jobApiUrl": vendor.url, "dataset": "daily"})

    run = _wait(api, workflow_id, lambda run: any(task.get("pollCount") == 1 for task in run["tasks"]))
    (armed,) = _armed_polls(client, stack)
    assert armed["Target"]["Arn"].endswith("-wakeup")

    quick_job_completes(api, vendor)  # meanwhile
    event_starts_another_run(api)
    interfaces_run_completes(api, interface, parked)

    run = _wait(api, workflow_id, _ended)
    assert run["status"] == "COMPLETED"
    assert run["output"]["finalState"] == "SUCCEEDED"
    assert run["output"]["rows"] == 4211
    awaited = next(task for task in run["tasks"] if task["referenceTaskName"] == "await_job")
    assert awaited["pollCount"] == POLLS
    assert _armed_polls(client, stack) == [], "a schedule deletes itself when it has fired"


def interface_is_called_and_parked(api, interface):
    """Its file calls its own address, which nobody listens on: the functions answer themselves."""
    event = json.loads((ROOT / "events" / "api" / "publish-airpipe.json").read_text())
    status, told = api("PUT", "/api/airpipe/configurations", event["body"])
    assert status == 200, told
    status, parked = interface("POST", "/airpipe/demo/run", {})
    assert (status, parked["status"], parked["attempts"]) == (202, "suspended", 6)
    return parked


def interfaces_run_completes(api, interface, parked):
    run = _wait(api, parked["run_id"], _ended)
    assert run["status"] == "COMPLETED"
    status, told = interface("GET", parked["status_url"])
    assert (status, told["status"], told["result"]["data"]["Result"]["data"]["polls"]) == (200, "completed", 3)
    awaited = next(task for task in run["tasks"] if task["referenceTaskName"] == "AwaitResult")
    _, polls = api("GET", f"/api/tasks/{awaited['taskId']}/polls")
    assert [poll["decision"] for poll in polls] == ["AGAIN", "AGAIN", "DONE"]


def quick_job_completes(api, vendor):
    assert api("PUT", "/api/metadata/workflow", [_quick(DEFINITION)])[0] == 200
    _, workflow_id = api("POST", "/api/workflow/quick_job", {"jobApiUrl": vendor.url, "dataset": "hourly"})
    run = _wait(api, workflow_id, _ended)
    assert run["status"] == "COMPLETED", run.get("reasonForIncompletion")


def event_starts_another_run(api):
    """The task runner publishes, the queue of events hands over, the events function starts a run."""
    tell = {
        "name": "tell",
        "taskReferenceName": "tell",
        "type": "EVENT",
        "sink": "conductor:paid",
        "inputParameters": {"n": "${workflow.input.n}"},
    }
    done = {"name": "done", "taskReferenceName": "done", "type": "NOOP"}
    for name, step in (("order", tell), ("ship", done)):
        assert api("PUT", "/api/metadata/workflow", [{"name": name, "version": 1, "schemaVersion": 2, "tasks": [step]}])[0] == 200
    start = {"action": "start_workflow", "start_workflow": {"name": "ship", "input": {"n": "${n}"}}}
    handler = {"name": "h", "event": "conductor:order:paid", "condition": "$.n > 1", "active": True, "actions": [start]}
    assert api("POST", "/api/event", handler)[0] == 200
    _, workflow_id = api("POST", "/api/workflow/order", {"n": 7})
    assert _wait(api, workflow_id, _ended)["status"] == "COMPLETED"
    (execution,) = _until_there(api, "/api/event/executions/conductor:order:paid")
    run = _wait(api, execution["output"]["workflowId"], _ended)
    assert (run["status"], run["input"]["n"], run["event"]) == ("COMPLETED", 7, "conductor:order:paid")


def _until_there(api, path):
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        _, found = api("GET", path)
        if found and all(each["status"] != "IN_PROGRESS" for each in found):
            return found
        time.sleep(0.5)  # noqa: TID251 - as above
    pytest.fail(f"nothing came at {path} in {LIMIT_SECONDS} s")


def test_bad_input_gets_conductors_error_from_the_deployed_function(api):
    status, body = api("GET", "/api/workflow/3f1c2e7a-5d0b-4c62-9b7e-8a1d2c3b4e5f")
    assert status == 404
    assert body["status"] == 404
