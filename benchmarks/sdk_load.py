"""Workflows of three SIMPLE tasks, worked on by the official SDK's workers through the local server: how many a second."""

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import requests
from fermata_local import server
from fermata_local.clocks import RealClock
from fermata_local.cloud import LocalCloud
from fermata_local.lambda_events import GatewayAnswer, GatewayRequest

from benchmarks.figures import Figure

WORKFLOWS = 1000
TASKS = ("sdk_load_first", "sdk_load_second", "sdk_load_third")
STARTERS = 4  # threads that start workflows
PATIENCE = timedelta(hours=1)
NAME = "sdk_load"


class Counted:
    """The local cloud's HTTP, each request counted by what it is for."""

    def __init__(self, cloud: LocalCloud) -> None:
        self._cloud = cloud
        self._lock = threading.Lock()
        self.asked: Counter[str] = Counter()

    def __call__(self, request: GatewayRequest) -> GatewayAnswer:
        answer = self._cloud.http(request)
        with self._lock:
            self.asked[_kind(request, answer)] += 1
        return answer

    def updates(self) -> int:
        return sum(number for kind, number in self.asked.copy().items() if kind.startswith("updates"))


def measure(workflows: int = WORKFLOWS) -> Sequence[Figure]:
    with LocalCloud(RealClock()) as cloud:
        counted = Counted(cloud)
        cloud.start_pump()
        with server.serving(counted) as address, _workers(f"{address}/api"):
            _register(f"{address}/api")
            seconds, processor, asked = _run(cloud, counted, f"{address}/api", workflows)
    kinds = ", ".join(f"{kind} {number / workflows:.2f}" for kind, number in sorted(asked.items()))
    return (
        Figure(
            "sdk_load", f"{workflows:,} workflows of {len(TASKS)} tasks", seconds, "s", None, "conductor-python, a process for each task"
        ),
        Figure("sdk_load", "workflows a second", workflows / seconds, ""),
        Figure("sdk_load", "processor time a workflow", processor / workflows, "s", None, "of the server's process, which plays AWS too"),
        Figure("sdk_load", "requests a workflow", sum(asked.values()) / workflows, "", None, kinds),
    )


def _run(cloud: LocalCloud, counted: Counted, url: str, workflows: int) -> tuple[float, float, Counter[str]]:
    _start(url)  # the first one waits for the workers to come up
    _wait(cloud, counted, 1)
    before, began, used = counted.asked.copy(), time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(STARTERS) as starters:
        list(starters.map(lambda _: _start(url), range(workflows)))
    _wait(cloud, counted, workflows + 1)
    return time.perf_counter() - began, time.process_time() - used, counted.asked - before


def _wait(cloud: LocalCloud, counted: Counted, wanted: int) -> None:
    """Wait without a request: asking would be measured, too. Until there were enough updates nothing is read at all.

    Then those are looked for that are not completed: of more than a thousand others a search counts no more.
    """
    from fermata import bootstrap
    from fermata.domain.status import WorkflowStatus
    from fermata.ports import WorkflowQuery

    until = time.perf_counter() + PATIENCE.total_seconds()
    others = WorkflowQuery(workflow_type=NAME, statuses=tuple(set(WorkflowStatus) - {WorkflowStatus.COMPLETED}), size=1)
    while counted.updates() < wanted * len(TASKS) or bootstrap.engine().executions.search(others).total_hits:
        if time.perf_counter() > until or cloud.failures:
            raise AssertionError(f"{counted.updates()} updates for {wanted} workflows; failures: {cloud.failures[:3]}")
        threading.Event().wait(0.5)


def _start(url: str) -> None:
    requests.post(f"{url}/workflow/{NAME}", json={"count": 0}, timeout=PATIENCE.total_seconds()).raise_for_status()


def _register(url: str) -> None:
    given = ["${workflow.input.count}", *(f"${{{name}.output.count}}" for name in TASKS[:-1])]
    tasks: list[dict[str, Any]] = [
        {"name": name, "taskReferenceName": name, "type": "SIMPLE", "inputParameters": {"count": source}}
        for name, source in zip(TASKS, given, strict=True)
    ]
    body = {"name": NAME, "version": 1, "schemaVersion": 2, "tasks": tasks}
    requests.post(f"{url}/metadata/workflow", json=body, timeout=60).raise_for_status()


@contextmanager
def _workers(url: str) -> Iterator[None]:
    command = [sys.executable, "-m", "benchmarks.sdk_workers", url, *TASKS]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, 15)
        process.wait(30)


def _kind(request: GatewayRequest, answer: GatewayAnswer) -> str:
    path = request.target.partition("?")[0]
    if "/poll/" in path:
        return "polls in vain" if answer.body == b"[]" else "polls with tasks"
    if path.endswith("/update-v2"):
        return "updates with a next task" if answer.body else "updates"
    return "starts" if request.method == "POST" else "others"
