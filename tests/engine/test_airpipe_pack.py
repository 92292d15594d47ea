"""The pack's two files, byte for byte, on the virtual clock: the worked traces, and what goes wrong on the way."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from fermata.application import look
from fermata.application.airpipe.interfaces import publish
from fermata.application.airpipe.serving import Place, respond
from fermata.application.deliver import deliver
from fermata.domain.airpipe.caller import CallerRequest
from fermata.domain.messages import PollDue
from fermata.domain.polling import PollDecision
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.ports import WorkflowQuery

from tests.support.airpipe import PACK, pack
from tests.support.world import World, answer

SECRETS = {"JOB_API_BASE": "https://api.test", "JOB_API_KEY": "k-secret"}
HALF_MINUTE = timedelta(seconds=30)


class Jobs:
    """A job API with path-style addresses: a job is done at its n-th look; `looks` may answer otherwise."""

    def __init__(self, done_at=3, looks=None, submit=None, hook=None):
        self.requests = []
        self._done_at, self._looks, self._hook = done_at, looks or {}, hook or answer({"ok": True})
        self._submit = submit or answer({"id": "j1"}, 202)
        self.looked = 0

    def __call__(self, request):
        self.requests.append(request)
        if request.uri.startswith("https://example.com"):
            return self._hook
        if request.method == "POST":
            return self._submit
        self.looked += 1
        state = "completed" if self.looked >= self._done_at else "processing"
        return self._looks.get(self.looked) or answer({"id": "j1", "status": state, "frames": 7})


class Served(World):
    """A world that serves one of the pack's files."""

    def __init__(self, name="demo.yml", vendor=None, **place):
        self.vendor = vendor or Jobs()
        super().__init__(self.vendor, secrets=SECRETS)
        self.place = Place(**place)
        publish(self.engine, pack(name))

    def call(self, method, path, body=None, **headers):
        content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        path, _, query = path.partition("?")
        params = dict(each.split("=", 1) for each in query.split("&")) if query else {}
        return respond(self.engine, CallerRequest(method, path, params, headers, content), self.place)

    def get(self, path):
        return json.loads(self.call("GET", path).body)

    def runs(self, interface):
        found = self.executions.search(WorkflowQuery(workflow_type=f"airpipe:{interface}"))
        return list(found.workflows)


@pytest.mark.parametrize("name", ["demo.yml", "jobs.yml"])
def test_the_files_are_as_they_were_published(name):
    sizes = {"demo.yml": 3743, "jobs.yml": 5580}
    assert len((PACK / name).read_bytes()) == sizes[name]


def test_submitting_the_fake_job():
    served = Served()
    sent = served.call("POST", "/demo/jobs/submit")
    job = json.loads(sent.body)["id"]
    assert (sent.http_code, sent.headers) == (200, {"content-type": "application/json"})
    assert sent.body == f'{{"id": "{job}"}}'
    assert job != json.loads(served.call("POST", "/demo/jobs/submit").body)["id"]


def test_the_fake_job_is_done_at_its_third_look():
    served = Served()
    bodies = [served.call("GET", "/demo/jobs/status?id=J").body for _ in range(4)]
    assert bodies == [
        '{"id": "J", "polls": 1, "status": "processing"}',
        '{"id": "J", "polls": 2, "status": "processing"}',
        '{"id": "J", "polls": 3, "status": "completed"}',
        '{"id": "J", "polls": 4, "status": "completed"}',
    ]


def test_a_quote_in_an_id_forges_nothing():
    served = Served()
    hostile = 'x","status":"completed'
    body = json.loads(respond(served.engine, CallerRequest("GET", "/demo/jobs/status", {"id": hostile}, {}), Place()).body)
    assert body == {"id": hostile, "polls": 1, "status": "processing"}


def test_the_demo_parks_twice_and_completes_at_the_third_poll():
    served = Served()
    began = served.clock.now()
    parked = served.call("POST", "/demo/run")
    told = json.loads(parked.body)
    run = told["run_id"]
    assert parked.http_code == 202
    assert parked.headers == {"content-type": "application/json", "location": f"/runs/{run}", "retry-after": "30"}
    assert told == {
        "run_id": run,
        "status": "suspended",
        "config": "AsyncJobPollingDemo",
        "interface": "demo/run",
        "action": "AwaitResult",
        "attempt": 1,
        "attempts": 6,
        "resume_at": (began + HALF_MINUTE).isoformat().replace("+00:00", "Z"),
        "status_url": f"/runs/{run}",
    }
    assert served.get(f"/runs/{run}") == told
    assert served.call("GET", f"/runs/{run}/result").http_code == 202

    served.run_until(HALF_MINUTE)
    assert (served.get(f"/runs/{run}")["status"], served.get(f"/runs/{run}")["attempt"]) == ("suspended", 2)
    served.run_until(HALF_MINUTE)
    ended = served.get(f"/runs/{run}")
    assert (ended["status"], ended["http_code"]) == ("completed", 200)
    job = ended["result"]["data"]["Result"]["data"]["id"]
    document = {"id": job, "polls": 3, "status": "completed"}
    assert _without_headers(served.get(f"/runs/{run}")["result"]) == {
        "data": {
            "Submit": {"data": {"status": 200, "body": {"id": job}}, "message": "success", "time.ms": 0},
            "AwaitResult": {"data": {"status": 200, "body": document}, "message": "success", "time.ms": 0},
            "Result": {"data": document, "time.ms": 0},
        }
    }
    replayed = served.call("GET", f"/runs/{run}/result")
    assert (replayed.http_code, json.loads(replayed.body)) == (200, ended["result"])
    assert [len(served.runs("POST:demo:jobs:submit")), len(served.runs("GET:demo:jobs:status"))] == [1, 3]
    assert served.vendor.requests == []  # its calls to itself never came near the network


def _without_headers(result):
    for action in ("Submit", "AwaitResult"):
        del result["data"][action]["data"]["headers"]
    return result


def test_a_run_is_an_ordinary_execution_with_a_ledger():
    served = Served()
    run = json.loads(served.call("POST", "/demo/run").body)["run_id"]
    served.run()
    view = served.view(run)
    assert (view.workflow.status, view.workflow.workflow_name) == (WorkflowStatus.COMPLETED, "airpipe:POST:demo:run")
    tasks = served.tasks(run)
    assert {name: task.task_type for name, task in tasks.items()} == {
        "Submit": "AIRPIPE_HTTP",
        "AwaitResult": "AIRPIPE_HTTP",
        "Result": "AIRPIPE_OUTPUT",
        "(answer)": "AIRPIPE_ANSWER",
    }
    polls = look.polls(served.engine, tasks["AwaitResult"].task_id)
    assert [(each.poll, each.decision, each.status_code) for each in polls] == [
        (1, PollDecision.AGAIN, 200),
        (2, PollDecision.AGAIN, 200),
        (3, PollDecision.DONE, 200),
    ]
    assert tasks["AwaitResult"].poll_count == 3


def test_a_wake_up_that_comes_twice_counts_once():
    served = Served()
    run = json.loads(served.call("POST", "/demo/run").body)["run_id"]
    task = served.tasks(run)["AwaitResult"].task_id
    for _ in range(2):
        deliver(served.engine, PollDue(run, task, 2))  # too early: no poll
    served.clock.move_to(served.clock.now() + HALF_MINUTE)
    for _ in range(3):
        deliver(served.engine, PollDue(run, task, 2))
    assert served.get(f"/runs/{run}")["attempt"] == 2
    assert len(served.runs("GET:demo:jobs:status")) == 2


def test_a_poll_whose_result_was_lost_does_not_count_twice():
    """The process dies after the call to itself and before it is stored: the next delivery finds the same run and its answer."""
    served = Served()
    run = json.loads(served.call("POST", "/demo/run").body)["run_id"]
    served.clock.move_to(served.clock.now() + HALF_MINUTE)
    task = served.tasks(run)["AwaitResult"].task_id
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(served.polls, "advance", _dies)
        with pytest.raises(ConnectionError):
            deliver(served.engine, PollDue(run, task, 2))
    served.run()
    ended = served.get(f"/runs/{run}")
    assert (ended["status"], ended["result"]["data"]["Result"]["data"]["polls"]) == ("completed", 3)


def _dies(*_):
    raise ConnectionError


def test_six_polls_that_never_see_the_end_fail_the_run():
    served = Served()
    served.engine.state.put = _forgetful(served.engine.state.put)
    run = json.loads(served.call("POST", "/demo/run").body)["run_id"]
    began = served.clock.now()
    served.run()
    ended = served.get(f"/runs/{run}")
    assert (ended["status"], ended["http_code"]) == ("failed", 504)
    data = ended["result"]["data"]
    assert data["AwaitResult"]["error"] == "the demo job did not finish within the polling window"
    assert data["AwaitResult"]["errors"] == ["body.status::is_equal_to: expected completed, got processing"]
    assert data["Result"] == {"data": None, "error": "action 'AwaitResult' did not succeed", "time.ms": 0}
    assert served.clock.now() - began == 5 * HALF_MINUTE
    assert [len(served.runs("POST:demo:jobs:submit")), len(served.runs("GET:demo:jobs:status"))] == [1, 6]
    tasks = served.tasks(run)
    assert tasks["AwaitResult"].status is TaskStatus.COMPLETED_WITH_ERRORS
    assert look.polls(served.engine, tasks["AwaitResult"].task_id)[-1].decision is PollDecision.EXHAUSTED
    assert "504" in (served.view(run).workflow.reason_for_incompletion or "")


def _forgetful(put):
    """Return a store that takes every write for the first one: the counter stays at 1."""
    return lambda record, instead_of: put(replace(record, version=0), instead_of) or True


def test_without_a_store_a_long_wait_is_refused_before_anything_runs():
    served = Served(durable=False)
    sent = served.call("POST", "/demo/run")
    assert sent.http_code == 503
    assert json.loads(sent.body) == {
        "error": "durable_store_required",
        "interface": "demo/run",
        "action": "AwaitResult",
        "message": "retry may wait 150000 ms in total, the in-process limit is 5000 ms, and no durable run store is configured",
    }
    assert served.runs("POST:demo:run") == served.runs("POST:demo:jobs:submit") == []
    assert served.call("POST", "/demo/jobs/submit").http_code == 200


def test_a_job_that_is_done_at_the_first_look_is_answered_at_once():
    vendor = Jobs(done_at=1)
    served = Served("jobs.yml", vendor)
    sent = served.call("POST", "/jobs/run", {"prompt": "a cat surfing", "duration": 5}, authorization="Bearer caller")
    assert sent.http_code == 200
    assert json.loads(sent.body)["data"]["Result"]["data"] == {"id": "j1", "status": "completed", "frames": 7}
    submit, poll = vendor.requests
    assert (submit.method, submit.uri, json.loads(submit.body)) == (
        "POST",
        "https://api.test/jobs",
        {"prompt": "a cat surfing", "duration": 5},
    )
    assert submit.headers["Authorization"] == poll.headers["Authorization"] == "Bearer k-secret"
    assert (poll.method, poll.uri, poll.body) == ("GET", "https://api.test/jobs/j1", None)


def test_no_secret_is_stored():
    served = Served("jobs.yml", Jobs(done_at=2))
    run = json.loads(served.call("POST", "/jobs/run", {}, authorization="Bearer caller", cookie="c=1").body)["run_id"]
    served.run()
    stored = repr(
        (served.executions.load(run), served.executions.all_tasks(run), served.polls.load(served.tasks(run)["AwaitResult"].task_id))
    )
    assert not any(secret in stored for secret in ("k-secret", "Bearer caller", "c=1"))


def test_forty_polls_a_minute_apart():
    vendor = Jobs(done_at=99)
    served = Served("jobs.yml", vendor)
    parked = served.call("POST", "/jobs/run", {})
    told = json.loads(parked.body)
    assert (parked.http_code, parked.headers["retry-after"], told["attempts"]) == (202, "60", 40)
    began = served.clock.now()
    served.run()
    ended = served.get(told["status_url"])
    assert (ended["http_code"], vendor.looked, served.clock.now() - began) == (504, 40, timedelta(minutes=39))
    assert ended["result"]["data"]["AwaitResult"]["error"] == "the job did not finish within the polling window"


@pytest.mark.parametrize(
    "submit",
    [answer({"why": "no"}, 401), answer({"oops": 1}, 500), answer({"no": "id"}, 200)],
    ids=["refused", "broken", "no id"],
)
def test_a_job_that_is_not_accepted_is_told_at_once(submit):
    vendor = Jobs(submit=submit)
    served = Served("jobs.yml", vendor)
    sent = served.call("POST", "/jobs/run", {})
    data = json.loads(sent.body)["data"]
    assert (sent.http_code, data["Submit"]["error"]) == (502, "the job API did not accept the request")
    assert data["AwaitResult"] == {"data": None, "error": "action 'Submit' did not succeed", "time.ms": 0}
    assert data["Result"]["error"] == "action 'AwaitResult' did not succeed"
    assert len(vendor.requests) == 1


def test_a_status_that_no_try_can_mend_ends_the_polling():
    vendor = Jobs(done_at=9, looks={2: answer({}, 404)})
    served = Served("jobs.yml", vendor)
    told = json.loads(served.call("POST", "/jobs/run", {}).body)
    served.run()
    assert (served.get(told["status_url"])["http_code"], vendor.looked) == (504, 2)


def test_a_vendor_that_asks_for_patience_gets_it():
    vendor = Jobs(done_at=3, looks={2: answer({}, 503, {"Retry-After": "600"})})
    served = Served("jobs.yml", vendor)
    told = json.loads(served.call("POST", "/jobs/run", {}).body)
    began = served.clock.now()
    served.run()
    assert served.get(told["status_url"])["status"] == "completed"
    assert served.clock.now() - began == timedelta(minutes=11)


HOOK = {"input": {"prompt": "a cat surfing"}, "notify_url": "https://example.com/hooks/done"}


def test_the_webhook_is_told_once_the_job_is_done():
    vendor = Jobs(done_at=2)
    served = Served("jobs.yml", vendor)
    parked = served.call("POST", "/jobs/run-and-notify", HOOK)
    assert (parked.http_code, json.loads(vendor.requests[0].body)) == (202, {"prompt": "a cat surfing"})
    served.run()
    told = served.get(json.loads(parked.body)["status_url"])
    assert (told["status"], told["http_code"], list(told["result"]["data"])) == ("completed", 200, ["Submit", "AwaitResult", "Notify"])
    notified = vendor.requests[-1]
    assert notified.uri == "https://example.com/hooks/done"
    assert json.loads(notified.body) == {
        "job_id": "j1",
        "status": "completed",
        "result": {"id": "j1", "status": "completed", "frames": 7},
    }


def test_a_webhook_that_is_sent_again_carries_the_same_key():
    vendor = Jobs(done_at=1)
    served = Served("jobs.yml", vendor)
    with pytest.MonkeyPatch.context() as patch:
        record = served.executions.record
        patch.setattr(served.executions, "record", lambda outcome: _dies() if len(vendor.requests) == 3 else record(outcome))
        with pytest.raises(ConnectionError):
            served.call("POST", "/jobs/run-and-notify", HOOK)
    run = served.runs("POST:jobs:run-and-notify")[0].workflow_id
    deliver(served.engine, PollDue(run, served.tasks(run)["Notify"].task_id, 1))
    keys = [request.headers["Idempotency-Key"] for request in vendor.requests if request.uri.startswith("https://example.com")]
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert served.view(run).workflow.status is WorkflowStatus.COMPLETED
    assert [request.method for request in vendor.requests].count("POST") == 3  # the job itself was submitted once


def test_a_webhook_that_is_not_taken_fails_the_run():
    served = Served("jobs.yml", Jobs(done_at=2, hook=answer({}, 500)))
    told = json.loads(served.call("POST", "/jobs/run-and-notify", HOOK).body)
    served.run()
    ended = served.get(told["status_url"])
    assert (ended["status"], ended["http_code"]) == ("failed", 500)


@pytest.mark.parametrize(
    "body",
    [
        {"input": {}},
        {"input": {}, "notify_url": "http://169.254.169.254/latest"},
        {"input": {}, "notify_url": "http://localhost:9001/2018-06-01/runtime"},
        {"input": {}, "notify_url": "http://[::1]/"},
        {"input": {}, "notify_url": "https://example.com/\r\nx: y"},
        b'{"input": ',
    ],
)
def test_a_webhook_that_cannot_be_is_refused_before_a_job_is_paid_for(body):
    vendor = Jobs()
    served = Served("jobs.yml", vendor)
    assert served.call("POST", "/jobs/run-and-notify", body, **{"content-type": "application/json"}).http_code == 400
    assert vendor.requests == []
    assert served.runs("POST:jobs:run-and-notify") == []


def test_a_crash_after_the_submit_does_not_submit_again():
    vendor = Jobs(done_at=2)
    served = Served("jobs.yml", vendor)
    with pytest.MonkeyPatch.context() as patch:
        advance = served.polls.advance
        patch.setattr(served.polls, "advance", lambda after: _dies() if vendor.looked else advance(after))
        with pytest.raises(ConnectionError):
            served.call("POST", "/jobs/run", {})
    served.run()  # the alarm for the second look was armed before the first was stored
    run = served.runs("POST:jobs:run")[0].workflow_id
    assert served.get(f"/runs/{run}")["status"] == "completed"
    assert [request.method for request in vendor.requests].count("POST") == 1


def test_a_new_version_of_the_file_leaves_parked_runs_alone():
    served = Served()
    told = json.loads(served.call("POST", "/demo/run").body)
    config = pack("demo.yml")
    publish(served.engine, type(config)(config.name, config.interfaces[:2]))  # demo/run is gone
    assert served.call("POST", "/demo/run").http_code == 404
    served.run()
    assert served.get(told["status_url"])["status"] == "completed"


def test_what_nobody_answers():
    served = Served()
    assert served.call("GET", "/nowhere").http_code == 404
    wrong = served.call("GET", "/demo/run")
    assert (wrong.http_code, wrong.headers["allow"]) == (405, "POST")
    assert served.call("GET", "/runs/00000000-0000-0000-0000-000000000000").http_code == 404
    assert served.call("DELETE", "/runs/x").http_code == 404


def test_the_interfaces_are_described_as_openapi():
    served = Served("jobs.yml", prefix="/airpipe")
    described = served.get("/airpipe/docs.json")
    assert (described["openapi"], described["info"]["title"]) == ("3.0.3", "AsyncJobPolling")
    assert list(described["paths"]) == [
        "/airpipe/jobs/run",
        "/airpipe/jobs/run-and-notify",
        "/airpipe/runs/{run_id}",
        "/airpipe/runs/{run_id}/result",
    ]
    run = described["paths"]["/airpipe/jobs/run"]["post"]
    assert run["summary"] == "Submit a job and return its finished result"
    assert run["tags"] == ["jobs"]
    assert run["requestBody"]["content"]["application/json"]["example"] == {"prompt": "a cat surfing", "duration": 5}
    assert set(run["responses"]) == {"200", "202", "default"}


def test_interfaces_under_a_prefix():
    served = Served(prefix="/airpipe")
    assert served.call("POST", "/demo/run").http_code == 404
    parked = served.call("POST", "/airpipe/demo/run")
    assert parked.headers["location"].startswith("/airpipe/runs/")
    assert served.call("GET", parked.headers["location"]).http_code == 200
