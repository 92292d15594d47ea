"""The command line as somebody uses it for an afternoon, against the local cloud in this process."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from fermata_local import server
from fermata_local.cli import main
from fermata_local.clocks import SkippingClock
from fermata_local.cloud import LocalCloud

APPROVAL = {
    "name": "approval",
    "version": 1,
    "schemaVersion": 2,
    "tasks": [
        {"name": "ask", "taskReferenceName": "ask", "type": "WAIT"},
        {"name": "pack", "taskReferenceName": "pack", "type": "SIMPLE"},
    ],
    "outputParameters": {"approved": "${ask.output.approved}"},
}
HANDLER = {
    "name": "on_order",
    "event": "conductor:orders",
    "active": True,
    "actions": [{"action": "start_workflow", "start_workflow": {"name": "approval"}}],
}


@pytest.fixture(scope="module")
def served():
    with LocalCloud(SkippingClock(datetime(2026, 3, 1, 12, tzinfo=UTC))) as cloud, server.serving(cloud.http) as url:
        yield cloud, url
        assert cloud.failures == []


@pytest.fixture
def fermata(served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "approval.json").write_text(json.dumps(APPROVAL))
    (tmp_path / "handler.json").write_text(json.dumps(HANDLER))

    def run(*args, code=0):
        result = CliRunner().invoke(main, args, env={"CONDUCTOR_SERVER_URL": served[1]})
        assert result.exit_code == code, result.output
        return result.stdout or result.stderr

    run("workflow", "create", "approval.json")
    return run


def test_a_run_is_started_signalled_worked_for_and_read(fermata):
    workflow_id = fermata("workflow", "start", "-w", "approval", "--correlation", "order-7").strip()
    signal = ("--workflow-id", workflow_id, "--status", "COMPLETED", "--output", '{"approved": true}')
    assert fermata("task", "signal", *signal) == f"{workflow_id} signalled COMPLETED.\n"
    [task] = json.loads(fermata("task", "poll", "pack", "--worker-id", "me"))
    assert (task["workerId"], task["workflowInstanceId"]) == ("me", workflow_id)
    assert fermata("task", "logs", task["taskId"]) == "[]\n"
    reported = fermata("task", "update-execution", "--workflow-id", workflow_id, "--task-ref-name", "pack", "--status", "COMPLETED")
    assert reported == f"{task['taskId']}\n"
    assert json.loads(fermata("workflow", "status", workflow_id, "--query", "[status, output]")) == ["COMPLETED", {"approved": True}]
    assert fermata("workflow", "search", "-w", "approval", "-s", "COMPLETED", "--query", "[].correlationId | [0]") == "order-7\n"
    assert "COMPLETED" in fermata("workflow", "watch", workflow_id)


def test_runs_are_steered_and_each_refusal_has_its_code(fermata):
    workflow_id = fermata("workflow", "start", "approval").strip()
    assert fermata("workflow", "pause", workflow_id) == f"{workflow_id} paused.\n"
    assert fermata("workflow", "resume", workflow_id) == f"{workflow_id} resumed.\n"
    assert "retr" in fermata("workflow", "retry", workflow_id, code=3)  # as Conductor: 404 for a run that is not over
    assert fermata("workflow", "skip-task", workflow_id, "pack") == f"pack in {workflow_id} skipped.\n"
    assert fermata("workflow", "terminate", workflow_id, "--reason", "no use") == f"{workflow_id} terminated.\n"
    assert "pause" in fermata("workflow", "pause", workflow_id, code=4)
    assert fermata("workflow", "restart", workflow_id) == f"{workflow_id} restarted.\n"
    assert fermata("workflow", "delete-execution", workflow_id) == f"{workflow_id} deleted.\n"
    assert workflow_id in fermata("workflow", "get-execution", workflow_id, code=3)


def test_a_definition_is_tried_with_made_up_outputs(fermata):
    mocks = json.dumps({"ask": [{"output": {"approved": True}}], "pack": [{}]})
    assert json.loads(fermata("workflow", "test", "approval.json", "--mock", mocks, "--query", "output")) == {"approved": True}
    failing = json.dumps({"ask": [{"status": "FAILED"}]})
    assert fermata("workflow", "test", "-w", "approval", "--mock", failing, "--query", "status", code=1) == "FAILED\n"


def test_a_start_that_waits_prints_the_output(fermata):
    at_once = {"name": "n", "taskReferenceName": "n", "type": "NOOP"}
    Path("quick.json").write_text(json.dumps({**APPROVAL, "name": "quick", "tasks": [at_once], "outputParameters": {"rows": 3}}))
    fermata("workflow", "create", "quick.json")
    assert json.loads(fermata("workflow", "start", "-w", "quick", "--sync")) == {"rows": 3}
    assert fermata("workflow", "start", "quick", "--watch").splitlines()[2] == "COMPLETED"


def test_the_names_of_secrets_are_listed(fermata, monkeypatch):
    monkeypatch.setenv("CONDUCTOR_SECRET_VENDOR", "s3cret")
    assert "s3cret" not in fermata("secret", "list")


def test_event_handlers_are_kept(fermata):
    assert fermata("event", "create", "handler.json") == "Registered on_order.\n"
    assert fermata("event", "update", "handler.json") == "Updated on_order.\n"
    assert fermata("event", "get", "on_order", "--query", "event") == "conductor:orders\n"
    assert fermata("event", "list", "-o", "table").splitlines()[1].split() == ["on_order", "conductor:orders", "true"]
    assert fermata("event", "executions", "conductor:orders") == "[]\n"
    assert fermata("event", "delete", "on_order") == "Deleted on_order.\n"
    assert "on_order" in fermata("event", "get", "on_order", code=3)
