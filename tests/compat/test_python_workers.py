"""Workers of the official Python client, in a process of their own, take the work of a local server."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conductor.client.http.models.task_def import TaskDef

from tests.compat.sdk import Sdk, eventually, simple
from tests.compat.server import local_server

pytestmark = pytest.mark.xdist_group("test_python_workers")  # they share a server and its workers
ROOT = Path(__file__).parents[2]
# All workers in one process: as many interpreters as workers would be slow to start. The client's code is the same.
ENVIRONMENT = {"CONDUCTOR_WORKER_ISOLATION": "thread", "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


@pytest.fixture(scope="module")
def sdk() -> Iterator[Sdk]:
    with local_server() as url:
        command = [sys.executable, "-m", "tests.compat.workers", url]
        workers = subprocess.Popen(command, env={**os.environ, **ENVIRONMENT}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            yield Sdk(url)
        finally:
            workers.kill()
            workers.communicate()


def _ended(sdk: Sdk, name: str, **more: Any) -> Any:
    run = sdk.start(name, **more)
    return eventually(lambda: sdk.workflows.get_workflow(run), lambda seen: seen.status != "RUNNING")


def _of_one_step(sdk: Sdk, name: str, **policy: Any) -> str:
    sdk.metadata.register_task_def(TaskDef(name=name, timeout_seconds=0, **{"response_timeout_seconds": 60, "retry_count": 0, **policy}))
    sdk.define(f"run_{name}", simple(name, input_parameters={"name": "${workflow.input.name}"}))
    return f"run_{name}"


def test_workers_of_every_kind_work_at_the_same_time(sdk: Sdk) -> None:
    steps = [simple(name, input_parameters={"name": "${workflow.input.name}"}) for name in ("greet", "greet_slowly")]
    sdk.define("greetings", *steps)
    runs = [sdk.start("greetings", input={"name": f"caller {n}"}) for n in range(5)]
    for n, run in enumerate(runs):
        ended = eventually(lambda run=run: sdk.workflows.get_workflow(run), lambda seen: seen.status == "COMPLETED")
        assert ended.tasks[0].output_data == {"result": f"Hello caller {n}"}
        assert ended.tasks[1].output_data == {"greeting": f"Good evening caller {n}"}


def test_a_worker_of_a_domain_takes_the_work_of_its_domain(sdk: Sdk) -> None:
    ended = _ended(sdk, _of_one_step(sdk, "greet"), input={"name": "Ada"}, task_to_domain={"greet": "vip"})
    assert (ended.tasks[0].domain, ended.tasks[0].output_data) == ("vip", {"result": "Welcome Ada"})


def test_a_worker_that_raises_is_asked_again(sdk: Sdk) -> None:
    ended = _ended(sdk, _of_one_step(sdk, "stumble", retry_count=1, retry_delay_seconds=0))
    assert [each.status for each in ended.tasks] == ["FAILED", "COMPLETED"]
    assert ended.tasks[1].output_data == {"attempt": 1}


def test_a_worker_that_refuses_for_good_is_not_asked_again(sdk: Sdk) -> None:
    ended = _ended(sdk, _of_one_step(sdk, "refuse", retry_count=3))
    assert (ended.status, [each.status for each in ended.tasks]) == ("FAILED", ["FAILED_WITH_TERMINAL_ERROR"])


def test_a_worker_that_is_not_done_is_called_back(sdk: Sdk) -> None:
    ended = _ended(sdk, _of_one_step(sdk, "come_back"))
    assert (ended.status, ended.tasks[0].output_data) == ("COMPLETED", {"looks": 2})


def test_a_worker_that_extends_its_lease_keeps_its_task(sdk: Sdk) -> None:
    ended = _ended(sdk, _of_one_step(sdk, "take_long", response_timeout_seconds=6))
    assert (ended.status, ended.tasks[0].output_data) == ("COMPLETED", {"kept": True})
