"""Callers wait at the deployed functions' doors: deliveries go on meanwhile, and a server's other callers are not held up."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from fermata_local.clocks import RealClock, SkippingClock, skipping_from_now
from fermata_local.cloud import LocalCloud

PACK = {"name": "pack", "taskReferenceName": "pack", "type": "SIMPLE"}
NAP = {"name": "nap", "taskReferenceName": "nap", "type": "WAIT", "inputParameters": {"duration": "20 minutes"}}
BLINK = {**NAP, "inputParameters": {"duration": "5s"}}


def definition(*tasks):
    return {"name": "flow", "version": 1, "schemaVersion": 2, "tasks": list(tasks)}


def test_deliveries_happen_while_a_caller_waits():
    with LocalCloud(SkippingClock(datetime(2026, 1, 1, tzinfo=UTC))) as cloud:
        cloud.api("POST", "/api/metadata/workflow", definition(BLINK))
        body = cloud.api("POST", "/api/workflow/execute/flow/1", {"name": "flow"}).json
        assert (body["status"], body["signalTimeout"]) == ("COMPLETED", False)
        assert cloud.failures == []


def test_a_server_answers_others_while_many_workers_wait_and_hands_each_its_task():
    workers = 12
    with LocalCloud(RealClock()) as cloud, ThreadPoolExecutor(workers) as pool:
        cloud.start_pump()
        cloud.api("POST", "/api/metadata/workflow", definition(PACK))
        waiting = [pool.submit(cloud.api, "GET", f"/api/tasks/poll/batch/pack?workerid=w{n}&timeout=5000") for n in range(workers)]
        while cloud.pauses.waiting < workers:
            threading.Event().wait(0.01)
        started = {cloud.api("POST", "/api/workflow/flow", {}).text for _ in range(workers)}
        handed = [task for answered in waiting for task in answered.result(10).json]
        assert len(handed) == workers
        assert {task["workflowInstanceId"] for task in handed} == started
        assert cloud.failures == []


def test_a_clock_that_skips_jumps_while_a_caller_waits():
    with LocalCloud(skipping_from_now()) as cloud:
        cloud.start_pump()
        cloud.api("POST", "/api/metadata/workflow", definition(NAP))
        body = cloud.api("POST", "/api/workflow/execute/flow/1", {"name": "flow"}).json
        assert (body["status"], body["signalTimeout"]) == ("COMPLETED", False)
