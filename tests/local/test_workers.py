"""Workers at the deployed functions' doors: a task is taken, its worker dies, another one finishes it."""

from datetime import UTC, datetime

from fermata_local.clocks import SkippingClock
from fermata_local.cloud import LocalCloud

PACK = {"name": "pack", "taskReferenceName": "pack", "type": "SIMPLE", "inputParameters": {"n": "${workflow.input.n}"}}
DEFINITION = {"name": "packing", "version": 1, "schemaVersion": 2, "tasks": [PACK]}


def test_a_dead_workers_task_is_finished_by_another():
    with LocalCloud(SkippingClock(datetime(2026, 1, 1, tzinfo=UTC))) as cloud:
        assert (
            cloud.api("POST", "/api/metadata/taskdefs", [{"name": "pack", "retryDelaySeconds": 0, "responseTimeoutSeconds": 90}]).status
            == 200
        )
        assert cloud.api("POST", "/api/metadata/workflow", DEFINITION).status == 200
        run = cloud.api("POST", "/api/workflow/packing", {"n": 4}).text
        lost = cloud.api("GET", "/api/tasks/poll/pack?workerid=dies").json
        assert (lost["workflowInstanceId"], lost["inputData"]) == (run, {"n": 4})
        assert cloud.api("GET", "/api/tasks/poll/pack?workerid=lives").status == 204
        cloud.run_until_idle()
        task = cloud.api("GET", "/api/tasks/poll/pack?workerid=lives").json
        assert task["retriedTaskId"] == lost["taskId"]
        result = {"workflowInstanceId": run, "taskId": task["taskId"], "status": "COMPLETED", "outputData": {"box": 8}, "workerId": "lives"}
        assert cloud.api("POST", "/api/tasks/update-v2", result).status == 204
        shown = cloud.api("GET", f"/api/workflow/{run}").json
        assert (shown["status"], shown["output"]) == ("COMPLETED", {"box": 8})
        assert cloud.failures == []
