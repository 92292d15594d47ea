"""The main job end to end: a vendor over HTTP, the real doors on moto, and the minutes in between skipped."""

import itertools
import json
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
import requests
from fermata_local import checkout, environment, moto_internals, server
from fermata_local.clocks import SkippingClock, skipping_from_now
from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
OVER = {"COMPLETED", "FAILED", "TIMED_OUT", "TERMINATED"}

job_api = checkout.load_job_api()


class House:
    """A local cloud and a vendor, with the definition registered."""

    def __init__(self, cloud, vendor, definition):
        self.cloud = cloud
        self.vendor = vendor
        self.name = definition["name"]
        answer = cloud.api("POST", "/api/metadata/workflow", definition)
        assert answer.status == 200, answer.text

    def start(self):
        answer = self.cloud.api("POST", f"/api/workflow/{self.name}", {"jobApiUrl": self.vendor.url, "dataset": "orders"})
        assert answer.status == 200, answer.text
        return answer.text

    def run(self, workflow_id):
        return self.cloud.api("GET", f"/api/workflow/{workflow_id}").json

    def finish(self, workflow_id):
        self.cloud.run_until(lambda: self.cloud.api("GET", f"/api/workflow/{workflow_id}/status").json["status"] in OVER)
        return self.run(workflow_id)

    def polls(self, task):
        return self.cloud.api("GET", f"/api/tasks/{task['taskId']}/polls").json

    @property
    def vendors_count(self):
        [polls] = self.vendor.jobs.polls().values()
        return polls


def _definition(**changes):
    definition = json.loads(checkout.EXAMPLE_DEFINITION.read_text())
    definition.update({name: value for name, value in changes.items() if name == "timeoutSeconds"})
    definition["tasks"][1]["inputParameters"]["http_request"].update({n: v for n, v in changes.items() if n != "timeoutSeconds"})
    return definition


@pytest.fixture
def house():
    opened = []

    def build(definition=None, *, polls=4, behaviour="normal"):
        vendor = job_api.serve(polls_to_finish=polls, behaviour=behaviour)
        opened.append(vendor)
        cloud = LocalCloud(SkippingClock(START), sweep_every=SKIPPING_SWEEP)
        opened.append(cloud)
        return House(cloud.__enter__(), vendor, definition or _definition())

    yield build
    for thing in reversed(opened):
        thing.__exit__(None, None, None)


def _await_job(run):
    [task] = [task for task in run["tasks"] if task["referenceTaskName"].startswith("await_job")]
    return task


def test_the_main_job_is_submitted_polled_and_branched_upon(house):
    here = house()
    run = here.finish(here.start())
    [job_id] = here.vendor.jobs.polls()
    assert run["status"] == "COMPLETED", run.get("reasonForIncompletion")
    assert run["output"] == {"jobId": job_id, "finalState": "SUCCEEDED", "rows": 4211, "artifact": f"s3://exports/{job_id}.csv"}
    assert [task["status"] for task in run["tasks"]] == ["COMPLETED"] * 4
    assert _await_job(run)["pollCount"] == here.vendors_count == 4
    assert [seen["times"] for seen in here.vendor.jobs.submits()] == [1]
    assert here.cloud.failures == []


def test_each_poll_is_in_the_ledger_a_minute_after_the_one_before(house):
    here = house()
    run = here.finish(here.start())
    ledger = here.polls(_await_job(run))
    assert [(entry["poll"], entry["statusCode"], entry["decision"]) for entry in ledger] == [
        (1, 200, "AGAIN"), (2, 200, "AGAIN"), (3, 200, "AGAIN"), (4, 200, "DONE"),
    ]  # fmt: skip
    minutes = [(entry["firedTime"] - ledger[0]["firedTime"]) / 60_000 for entry in ledger]
    assert minutes == pytest.approx([0, 1, 2, 3], abs=0.05)
    assert all(entry["nextDueTime"] == following["dueTime"] for entry, following in itertools.pairwise(ledger))


def test_between_two_polls_the_task_shows_its_count_and_the_next_look(house):
    here = house()
    workflow_id = here.start()
    here.cloud.run_until(lambda: here.vendor.jobs.polls() and here.vendors_count == 2)
    task = _await_job(here.run(workflow_id))
    assert (task["status"], task["pollCount"]) == ("IN_PROGRESS", 2)
    assert task["callbackAfterSeconds"] == 60
    assert task["nextPollTime"] == pytest.approx((here.cloud.clock.now().timestamp() + 60) * 1000, abs=3000)


def test_a_job_that_fails_takes_the_other_branch(house):
    here = house()
    workflow_id = here.start()
    here.cloud.run_until(lambda: here.vendor.jobs.polls() and here.vendors_count == 1)
    [job_id] = here.vendor.jobs.polls()
    here.vendor.jobs.fail(job_id)
    run = here.finish(workflow_id)
    assert run["status"] == "FAILED"
    assert run["output"] == {"error": "remote_job_failed", "jobId": job_id, "detail": "upstream rejected the job"}
    assert _await_job(run)["pollCount"] == here.vendors_count == 2
    assert here.cloud.failures == []


def test_a_job_that_never_ends_exhausts_its_polls(house):
    here = house(behaviour="never")
    run = here.finish(here.start())
    task = _await_job(run)
    assert (run["status"], task["status"]) == ("FAILED", "FAILED")
    assert task["outputData"]["outcome"] == "EXHAUSTED"
    assert task["outputData"]["response"]["body"]["state"] == "RUNNING"
    assert task["pollCount"] == here.vendors_count == 60
    assert "60" in task["reasonForIncompletion"]
    assert here.cloud.failures == []


def test_the_workflows_own_timeout_ends_the_run_and_the_polling(house):
    here = house(_definition(timeoutSeconds=600), behaviour="never")
    run = here.finish(here.start())
    assert run["status"] == "TIMED_OUT"
    polls = here.vendors_count
    here.cloud.run_until_idle()
    task = _await_job(here.run(run["workflowId"]))
    assert task["status"] in {"CANCELED", "TIMED_OUT"}
    assert task["pollCount"] == here.vendors_count == polls
    assert run["endTime"] - run["createTime"] == pytest.approx(600_000, abs=70_000)
    assert here.cloud.failures == []


def test_a_vendor_that_asks_to_slow_down_is_asked_later_and_still_finishes(house):
    here = house(behaviour="busy")
    run = here.finish(here.start())
    ledger = here.polls(_await_job(run))
    assert run["status"] == "COMPLETED"
    assert [entry["decision"] for entry in ledger][:3] == ["AGAIN", "SLOW_DOWN", "AGAIN"]
    assert ledger[1]["nextDueTime"] - ledger[1]["firedTime"] == pytest.approx(120_000, abs=2000)


def test_a_vendor_that_answers_html_fails_the_task_with_a_reason_to_act_on(house):
    here = house(behaviour="html")
    run = here.finish(here.start())
    assert run["status"] == "FAILED"
    assert _await_job(run)["pollCount"] == here.vendors_count == 3
    assert "3 polls in a row failed" in run["reasonForIncompletion"]
    assert "HTML" in run["reasonForIncompletion"]


def test_many_runs_at_once_each_see_their_own_job(house):
    here = house()
    ids = [here.start() for _ in range(3)]
    here.cloud.run_until(lambda: all(here.run(workflow_id)["status"] in OVER for workflow_id in ids))
    runs = [here.run(workflow_id) for workflow_id in ids]
    assert {run["output"]["jobId"] for run in runs} == set(here.vendor.jobs.polls())
    assert {_await_job(run)["pollCount"] for run in runs} == {4}


def test_runs_that_overlap_on_many_threads_each_finish_with_their_own_job():
    with (
        job_api.serve() as vendor,
        LocalCloud(skipping_from_now(), sweep_every=SKIPPING_SWEEP) as cloud,
        server.serving(cloud.http) as url,
    ):
        cloud.start_pump()
        here = House(cloud, vendor, _definition())
        inputs = {"jobApiUrl": vendor.url, "dataset": "orders"}
        ids = [requests.post(f"{url}/api/workflow/{here.name}", json=inputs, timeout=30).text for _ in range(6)]
        runs = [_over(url, workflow_id) for workflow_id in ids]
        assert [run["status"] for run in runs] == ["COMPLETED"] * 6
        assert {run["output"]["jobId"] for run in runs} == set(vendor.jobs.polls())
        assert set(vendor.jobs.polls().values()) == {4}
        assert cloud.failures == []


def _over(url, workflow_id):
    pause = threading.Event()
    for _ in range(600):
        run = requests.get(f"{url}/api/workflow/{workflow_id}", timeout=30).json()
        if run["status"] in OVER:
            return run
        pause.wait(0.05)
    return run


def test_a_secret_of_the_environment_reaches_the_vendor_and_nobody_else(house, monkeypatch):
    monkeypatch.setenv("CONDUCTOR_SECRET_KEY", "s3cret-key")
    definition = _definition()
    definition["tasks"][0]["inputParameters"]["http_request"]["headers"] = {"Idempotency-Key": "${workflow.secrets.KEY}"}
    here = house(definition)
    run = here.finish(here.start())
    assert run["status"] == "COMPLETED"
    assert [seen["key"] for seen in here.vendor.jobs.submits()] == ["s3cret-key"]
    assert "s3cret-key" not in json.dumps(run)


def test_an_alarm_that_is_lost_is_made_good_by_the_sweeper(house):
    here = house(_definition(timeoutSeconds=6 * 3600))
    workflow_id = here.start()
    here.cloud.run_until(lambda: here.vendor.jobs.polls() and here.vendors_count == 2)
    [poll] = [shot for shot in moto_internals.one_shots(environment.GROUP) if shot.name.startswith("poll-")]
    moto_internals.complete(environment.GROUP, poll)
    run = here.finish(workflow_id)
    assert run["status"] == "COMPLETED"
    assert _await_job(run)["pollCount"] == here.vendors_count == 4


def test_what_is_left_after_the_run_changes_nothing(house):
    here = house()
    run = here.finish(here.start())
    here.cloud.run_until_idle(timedelta(days=2))
    assert here.run(run["workflowId"]) == run
    assert here.vendors_count == 4
    assert here.cloud.failures == []


def _deliveries(cloud):
    """Count what each door is handed from now on."""
    handed, handlers = Counter(), cloud.doors._handlers

    def counted(name, handler):
        def handle(event, context):
            handed[name] += 1
            return handler(event, context)

        return handle

    handlers.update({name: counted(name, handler) for name, handler in handlers.items()})
    return handed


def test_five_hours_of_polling_are_one_delivery_a_poll_and_a_sweep_now_and_then(house):
    """What skips five hours quickly is that little happens in them; how long that takes is for `make bench ARGS=virtual_clock`."""
    here = house(_definition(timeoutSeconds=6 * 3600, maxPollCount=400), polls=300)
    workflow_id = here.start()
    handed = _deliveries(here.cloud)
    here.cloud.run_until(lambda: here.vendor.jobs.polls() and here.vendors_count == 300)
    run = here.finish(workflow_id)
    assert run["status"] == "COMPLETED"
    assert _await_job(run)["pollCount"] == 300
    assert run["endTime"] - run["createTime"] == pytest.approx(299 * 60_000, rel=0.02)
    assert here.cloud.failures == []
    assert handed["task_runner"] == 2  # the submit and the first poll
    assert 299 <= handed["wakeup"] <= 299 + 1  # the other polls; perhaps the run's own timeout
    assert handed["sweeper"] <= timedelta(hours=5) / SKIPPING_SWEEP + 1


def test_registration_warns_and_a_test_run_calls_nobody(house):
    home = house()
    checked = home.cloud.api("POST", "/api/metadata/workflow/validate", _definition(pollingInterval=5))
    headers = {name.lower(): value for name, value in checked.headers.items()}
    codes = [warning["code"] for warning in json.loads(headers["x-fermata-warnings"])]
    assert (checked.status, checked.text, codes) == (200, "", ["POLL_INTERVAL_RAISED", "EMPTY_DEFAULT_AFTER_POLL"])
    mocks = {"submit_job": [{}], "await_job": [{"output": {"response": {"body": {"state": "FAILED", "error": "no"}}}}]}
    tested = home.cloud.api("POST", "/api/workflow/test", {"name": home.name, "taskRefToMockOutput": mocks}).json
    assert (tested["status"], tested["output"]["detail"]) == ("FAILED", "no")
    assert home.vendor.jobs.polls() == {}
    assert home.cloud.api("GET", f"/api/workflow/{tested['workflowId']}").status == 404
