"""A schedule end to end: saved over REST, kept by moto's scheduler, fired by the local cloud, delivered to the real doors."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from fermata_local import moto_internals, server
from fermata_local.cli import main
from fermata_local.clocks import SkippingClock
from fermata_local.cloud import LocalCloud

START = datetime(2026, 1, 1, 12, 0, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
FLOW = {"name": "flow", "version": 1, "schemaVersion": 2, "tasks": [{"name": "n", "taskReferenceName": "n", "type": "NOOP"}]}
AT = "/api/scheduler"


@pytest.fixture
def cloud():
    with LocalCloud(SkippingClock(START), sweep_every=timedelta(hours=12)) as made:
        assert made.api("POST", "/api/metadata/workflow", FLOW).status == 200
        yield made
        assert made.failures == []


def save(cloud, **fields):
    body = {"name": "s", "cronExpression": "0 0 * * * *", "startWorkflowRequest": {"name": "flow"}, **fields}
    answer = cloud.api("POST", f"{AT}/schedules", body)
    assert answer.status == 200, answer.text
    return answer.json


def starts(cloud):
    results = cloud.api("GET", f"{AT}/search/executions?sort=scheduledTime:ASC").json["results"]
    return [(datetime.fromtimestamp(each["scheduledTime"] / 1000, UTC) - START.replace(second=0), each["state"]) for each in results]


def test_a_workflow_starts_by_the_clock_until_the_schedule_is_paused_and_deleted(cloud):
    assert save(cloud)["nextRunTime"] == (START + timedelta(minutes=59, seconds=30)).timestamp() * 1000
    cloud.run_for(2 * HOUR)
    assert starts(cloud) == [(HOUR, "EXECUTED"), (2 * HOUR, "EXECUTED")]
    [newest, _] = cloud.api("GET", f"{AT}/search/executions").json["results"]
    run = cloud.api("GET", f"/api/workflow/{newest['workflowId']}").json
    assert (run["status"], run["input"]["_startedByScheduler"]) == ("COMPLETED", "s")
    cloud.api("PUT", f"{AT}/schedules/s/pause")
    cloud.run_for(2 * HOUR)
    cloud.api("PUT", f"{AT}/schedules/s/resume")
    cloud.run_for(HOUR)
    assert [moment for moment, _ in starts(cloud)] == [HOUR, 2 * HOUR, 5 * HOUR]
    cloud.api("DELETE", f"{AT}/schedules/s")
    assert moto_internals.recurring("fermata-recurring") == []
    cloud.run_for(HOUR)
    assert cloud.api("GET", "/api/workflow/search").json["totalHits"] == 3


def test_seconds_windows_zones_and_both_kinds_of_days_pass_the_real_translation(cloud):
    save(cloud, cronExpression="10,50 */30 * * * *", scheduleEndTime=(START + HOUR).timestamp() * 1000)
    save(cloud, name="t", cronExpression="0 30 21 1,2 * THU", zoneId="Asia/Tokyo")
    cloud.run_for(25 * HOUR)  # the second day is no Thursday
    minutes = [moment.total_seconds() / 60 for moment, _ in starts(cloud)]
    assert minutes == [pytest.approx(found, abs=0.01) for found in (0.83, 30, 30.17, 30.83, 60.17)]


def test_missed_moments_come_one_after_another_through_the_doors(cloud):
    save(cloud, paused=True, runCatchupScheduleInstances=True)
    cloud.run_for(3 * HOUR)
    cloud.api("PUT", f"{AT}/schedules/s/resume")
    cloud.run_until_idle()
    assert starts(cloud) == [(hours * HOUR, "EXECUTED") for hours in (1, 2, 3)]


def test_the_command_line_keeps_schedules(cloud, tmp_path, monkeypatch):
    file = tmp_path / "schedule.json"
    file.write_text(json.dumps({"name": "s", "cronExpression": "@hourly", "startWorkflowRequest": {"name": "flow"}}))

    def run(*args):
        result = CliRunner().invoke(main, ["schedule", *args])
        assert result.exit_code == 0, result.output
        return result.output

    with server.serving(cloud.http) as url:
        monkeypatch.setenv("CONDUCTOR_SERVER_URL", url)
        assert run("create", str(file)) == "Saved s.\n"
        assert run("pause", "s", "--reason", "no use") == "s paused.\n"
        assert run("get", "s", "--query", "pausedReason") == "no use\n"
        assert run("resume", "s") == "s resumed.\n"
        cloud.run_for(HOUR)
        assert run("search", "s", "--query", "[].state") == '[\n  "EXECUTED"\n]\n'
        assert "cronExpression" in run("list", "-o", "table")
        assert run("delete", "s") == "Deleted s.\n"
        assert run("list") == "[]\n"
