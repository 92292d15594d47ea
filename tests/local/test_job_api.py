"""The stub job API behaves like a slow vendor, over real HTTP."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
import requests

EXAMPLES = Path(__file__).parents[2] / "examples"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fermata_example_job_api", EXAMPLES / "job_api.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


job_api = _load()


@pytest.fixture
def api():
    with job_api.serve(polls_to_finish=4) as served:
        yield served


def _submit(api, body=None, **headers):
    return requests.post(f"{api.url}/jobs", json=body or {}, headers=headers, timeout=5)


def _poll(api, job_id):
    return requests.get(f"{api.url}/jobs/{job_id}", timeout=5)


def test_a_job_goes_one_step_per_poll_until_it_succeeds(api):
    answer = _submit(api)
    job_id = answer.json()["jobId"]
    assert (answer.status_code, answer.json()["state"]) == (202, "QUEUED")
    polls = [_poll(api, job_id).json() for _ in range(4)]
    assert [poll["state"] for poll in polls] == ["QUEUED", "RUNNING", "RUNNING", "SUCCEEDED"]
    assert polls[-1]["result"] == {"rows": 4211, "artifact": f"s3://exports/{job_id}.csv"}
    assert "result" not in polls[0]


def test_polls_and_history_say_what_was_asked_and_answered(api):
    job_id = _submit(api).json()["jobId"]
    _poll(api, job_id)
    _poll(api, job_id)
    assert requests.get(f"{api.url}/polls", timeout=5).json() == {"polls": {job_id: 2}}
    history = requests.get(f"{api.url}/jobs/{job_id}/history", timeout=5).json()["history"]
    assert [(entry["poll"], entry["state"]) for entry in history] == [(1, "QUEUED"), (2, "RUNNING")]


def test_a_job_told_to_fail_says_so_at_its_next_poll(api):
    job_id = _submit(api).json()["jobId"]
    requests.post(f"{api.url}/jobs/{job_id}/fail", timeout=5)
    assert _poll(api, job_id).json() == {"jobId": job_id, "state": "FAILED", "progress": 100, "error": "upstream rejected the job"}


def test_a_repeated_submit_with_one_key_starts_one_job(api):
    first = _submit(api, **{"Idempotency-Key": "k1"}).json()
    again = _submit(api, **{"Idempotency-Key": "k1"}).json()
    other = _submit(api, **{"Idempotency-Key": "k2"}).json()
    assert first == again != other
    submits = requests.get(f"{api.url}/submits", timeout=5).json()["submits"]
    assert [(seen["key"], seen["times"]) for seen in submits] == [("k1", 2), ("k2", 1)]


@pytest.mark.parametrize(
    ("behaviour", "statuses", "states"),
    [
        ("never", [200, 200, 200], ["RUNNING", "RUNNING", "RUNNING"]),
        ("busy", [200, 429, 200], ["QUEUED", None, "SUCCEEDED"]),
        ("fails", [200, 200, 200], ["QUEUED", "RUNNING", "FAILED"]),
        ("broken", [500, 500, 500], [None, None, None]),
    ],
)
def test_a_submit_chooses_how_its_job_misbehaves(api, behaviour, statuses, states):
    job_id = _submit(api, {"behaviour": behaviour, "polls": 3}).json()["jobId"]
    answers = [_poll(api, job_id) for _ in range(3)]
    assert [answer.status_code for answer in answers] == statuses
    assert [answer.json().get("state") for answer in answers] == states


def test_an_html_answer_is_html_and_a_busy_one_says_when_to_come_back(api):
    html = _submit(api, {"behaviour": "html"}).json()["jobId"]
    assert _poll(api, html).headers["Content-Type"].startswith("text/html")
    busy = _submit(api, {"behaviour": "busy"}).json()["jobId"]
    _poll(api, busy)
    assert _poll(api, busy).headers["Retry-After"] == "120"


@pytest.mark.parametrize("path", ["/jobs/none", "/nowhere"])
def test_what_is_not_there_is_404(api, path):
    assert requests.get(api.url + path, timeout=5).status_code == 404
