"""Air Pipe's files on the laptop: how they are read, what `check` says, and the pack's demo through the local cloud."""

import json
from datetime import timedelta

import pytest
from click.testing import CliRunner
from fermata.domain.errors import InvalidRequest
from fermata_local import airpipe, server
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


def _call(cloud, method, path, headers=()):
    return cloud.http(GatewayRequest(method, path, tuple(headers)))


@pytest.mark.parametrize("prefix", ["/airpipe", ""])
def test_the_demo_through_the_local_cloud(prefix):
    with LocalCloud(skipping_from_now(), sweep_every=SKIPPING_SWEEP, airpipe_prefix=prefix, say=lambda _: None) as cloud:
        airpipe.publish(airpipe.read_file(PACK / "demo.yml"))
        parked = _call(cloud, "POST", f"{prefix}/demo/run")
        place = parked.headers["location"]
        assert (parked.status, parked.headers["retry-after"]) == (202, "30")
        assert place.startswith(f"{prefix}/runs/")
        assert json.loads(parked.body)["status_url"] == place
        assert _call(cloud, "GET", f"{prefix}/demo/run").status == 405
        cloud.run_until(lambda: json.loads(_call(cloud, "GET", place).body)["status"] == "completed", timedelta(minutes=10))
        result = json.loads(_call(cloud, "GET", f"{place}/result").body)
        assert result["data"]["Result"]["data"]["polls"] == 3
        run = cloud.api("GET", f"/api/workflow/{place.rpartition('/')[2]}").json
        assert (run["status"], run["workflowName"]) == ("COMPLETED", "airpipe:POST:demo:run")
        task = next(each for each in run["tasks"] if each["referenceTaskName"] == "AwaitResult")
        assert len(cloud.api("GET", f"/api/tasks/{task['taskId']}/polls").json) == 3
        assert f"{prefix}/demo/run" in json.loads(_call(cloud, "GET", f"{prefix}/docs.json").body)["paths"]
        assert [each["path"] for each in cloud.api("GET", "/api/airpipe/interfaces").json] == [
            f"{prefix}/demo/jobs/status",
            f"{prefix}/demo/jobs/submit",
            f"{prefix}/demo/run",
        ]
        assert cloud.failures == []


def test_without_a_store_what_would_be_parked_is_refused():
    clock = skipping_from_now()
    cloud = LocalCloud(clock, airpipe_prefix="", doors_of=lambda ours: airpipe.doors_without_store(ours, cloud.pauses), say=lambda _: None)
    with cloud:
        airpipe.publish(airpipe.read_file(PACK / "demo.yml"))
        refused = _call(cloud, "POST", "/demo/run")
        assert (refused.status, json.loads(refused.body)["error"]) == (503, "durable_store_required")


def test_a_file_is_deployed_listed_and_withdrawn_by_the_command_line(monkeypatch):
    def said(*words):
        run = CliRunner().invoke(main, ["airpipe", *words])
        assert run.exit_code == 0, run.output
        return json.loads(run.stdout)

    with LocalCloud(skipping_from_now(), say=lambda _: None) as cloud, server.serving(cloud.http) as url:
        monkeypatch.setenv("CONDUCTOR_SERVER_URL", f"{url}/api")
        names = ["airpipe:GET:demo:jobs:status", "airpipe:POST:demo:jobs:submit", "airpipe:POST:demo:run"]
        assert said("deploy", str(PACK / "demo.yml"), "--query", "sort(changed)") == names
        assert said("deploy", str(PACK / "demo.yml"), "--query", "[changed, withdrawn]") == [[], []]
        assert said("interfaces", "--query", "[].path") == ["/airpipe/demo/jobs/status", "/airpipe/demo/jobs/submit", "/airpipe/demo/run"]
        rows = CliRunner().invoke(main, ["airpipe", "interfaces", "-o", "table"]).output.splitlines()
        assert [row.split()[:3] for row in rows][0::3] == [["method", "path", "definition"], ["POST", "/airpipe/demo/run", names[2]]]
        assert said("withdraw", "AsyncJobPollingDemo", "--query", "withdrawn") == names
        assert said("interfaces") == []
        assert CliRunner().invoke(main, ["airpipe", "withdraw", "AsyncJobPollingDemo"]).exit_code != 0


def test_what_json_does_not_have_is_refused(tmp_path):
    with pytest.raises(InvalidRequest, match="holds what JSON does not have"):
        airpipe.values_of(_file(tmp_path, "a: !!binary aGk=\n"))


def test_with_keys_interfaces_ask_for_a_token_and_their_calls_of_each_other_do_not():
    with LocalCloud(skipping_from_now(), keys=True, say=lambda _: None) as cloud:
        airpipe.publish(airpipe.read_file(PACK / "demo.yml"))
        assert _call(cloud, "POST", "/airpipe/demo/run").status == 401
        token = [("x-authorization", cloud.api("POST", "/api/token", cloud.first_key()).json["token"])]
        parked = _call(cloud, "POST", "/airpipe/demo/run", token)
        assert (parked.status, json.loads(parked.body)["action"]) == (202, "AwaitResult"), "the submit, a call of its own, went through"
        place = parked.headers["location"]
        assert (_call(cloud, "GET", place).status, _call(cloud, "GET", place, token).status) == (401, 200)
