"""Air Pipe's files on the laptop: how they are read, what `check` says, and the pack's demo through the local cloud."""

import json
from datetime import timedelta

import pytest
from click.testing import CliRunner
from fermata.domain.errors import InvalidRequest
from fermata_local import airpipe
from fermata_local.cli import main
from fermata_local.clocks import skipping_from_now
from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud
from fermata_local.lambda_events import GatewayRequest

from tests.support.airpipe import PACK


def _file(tmp_path, text):
    path = tmp_path / "x.yml"
    path.write_text(text)
    return path


LEVELS = [f"k{level + 1}: &k{level + 1} [{','.join([f'*k{level}'] * 10)}]\n" for level in range(7)]
MANY = f"k0: &k0 [{','.join('1' * 10)}]\n{''.join(LEVELS)}"  # a hundred million values in eight lines
HEAD = "name: X\ninterfaces:\n  try:\n    actions:\n      - name: A\n"


def test_on_is_a_word_and_a_date_is_a_text(tmp_path):
    text = f"{HEAD}        http: {{url: https://x.test/2026-01-01}}\n        retry: {{attempts: 2, on: [404, timeout]}}\n"
    action = airpipe.read_file(_file(tmp_path, text)).interfaces[0].actions[0]
    assert action.retry.on == (404, "timeout")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: X\nname: Y\n", "'name' stands here twice"),
        ("a: [", "is no YAML"),
        ("a: !!python/object/apply:os.system ['true']", "is no YAML"),
        ("a: &a [*a]", "is no YAML"),
        (MANY, "more than"),
        ("- 1", "must be a map"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path, text, says):
    with pytest.raises(InvalidRequest, match=says):
        airpipe.read_file(_file(tmp_path, text))


def test_check_says_what_a_file_will_do():
    said = CliRunner().invoke(main, ["airpipe", "check", str(PACK / "demo.yml")])
    assert said.exit_code == 0
    for line in (
        "POST /demo/run",
        "    at most 6 tries, 150 s of waiting in all",
        "    longer than one call may wait: the caller gets 202 with a run id and the run is parked between tries",
        "    a failure of its own answers 504",
    ):
        assert line.replace("150 s", "2.5 min") in said.output.splitlines()
    assert "warning: interfaces.demo/jobs/status.actions.Status.response_on_success.body: a stray pipe was taken out" in said.output


def test_check_says_what_is_wrong(tmp_path):
    said = CliRunner().invoke(main, ["airpipe", "check", str(_file(tmp_path, f"{HEAD}        database: d\n        retry: 5\n"))])
    assert said.exit_code == 1
    assert "interfaces.try.actions.A.database: is not supported here" in said.output
    assert "interfaces.try.actions.A.retry: must be a map" in said.output


def test_check_says_that_there_is_no_file():
    said = CliRunner().invoke(main, ["airpipe", "check", "nowhere.yml"])
    assert said.exit_code == 2
    assert "nowhere.yml cannot be read" in said.output


def test_the_demo_through_the_local_cloud():
    cloud = LocalCloud(
        skipping_from_now(), sweep_every=SKIPPING_SWEEP, doors_of=lambda clock: airpipe.doors_of(clock, cloud.pauses), say=lambda _: None
    )
    with cloud:
        airpipe.publish(airpipe.read_file(PACK / "demo.yml"))
        answer = airpipe.answering(cloud)
        parked = answer(GatewayRequest("POST", "/demo/run"))
        place = parked.headers["location"]
        assert (parked.status, parked.headers["retry-after"]) == (202, "30")
        assert answer(GatewayRequest("GET", "/demo/run")).status == 405
        cloud.run_until(lambda: json.loads(answer(GatewayRequest("GET", place)).body)["status"] == "completed", timedelta(minutes=10))
        result = json.loads(answer(GatewayRequest("GET", f"{place}/result")).body)
        assert result["data"]["Result"]["data"]["polls"] == 3
        run = json.loads(answer(GatewayRequest("GET", f"/api/workflow/{place.rpartition('/')[2]}")).body)
        assert (run["status"], run["workflowName"]) == ("COMPLETED", "airpipe:POST:demo:run")
        task = next(each for each in run["tasks"] if each["referenceTaskName"] == "AwaitResult")
        assert len(json.loads(answer(GatewayRequest("GET", f"/api/tasks/{task['taskId']}/polls")).body)) == 3
        assert cloud.failures == []
