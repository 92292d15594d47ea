"""The laptop as a user starts it: real processes, real ports, the clock skipping."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
import requests
from click.testing import CliRunner
from fermata_local import checkout
from fermata_local.cli import main

job_api = checkout.load_job_api()
# What is started in the background of a shell without job control ignores Ctrl-C, and so would all that these tests start.
HEARS_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
FERMATA = (sys.executable, "-c", f"{HEARS_CTRL_C}; from fermata_local.cli import main; main()")


def _environment(**more):
    paths = os.pathsep.join(str(checkout.ROOT / part) for part in ("layers/fermata", "local"))
    return {**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1", **more}


@contextmanager
def _serving(*args):
    process = subprocess.Popen([*FERMATA, "serve", "--port", "0", *args], stderr=subprocess.PIPE, text=True, env=_environment())
    try:
        for line in process.stderr:
            if found := re.search(r"http://\S+/api", line):
                yield found[0]
                return
        pytest.fail("the server ended before it listened")
    finally:
        process.send_signal(signal.SIGINT)  # Ctrl-C
        said = process.stderr.read()
        process.stderr.close()
        assert (process.wait(10), said) == (0, "Stopped.\n")


def test_a_served_cloud_is_driven_by_the_command_line_to_the_end_of_the_main_job():
    with _serving("--clock", "skip") as url, job_api.serve() as vendor:

        def fermata(*args):
            return CliRunner().invoke(main, args, env={"CONDUCTOR_SERVER_URL": url})

        created = fermata("workflow", "create", str(checkout.EXAMPLE_DEFINITION))
        assert created.exit_code == 0, created.output
        inputs = json.dumps({"jobApiUrl": vendor.url, "dataset": "orders"})
        started = fermata("workflow", "start", "-w", "http_poll_external_job", "-i", inputs, "--watch")
        assert started.exit_code == 0, started.output
        workflow_id = started.output.splitlines()[0]
        assert "poll   4  200  DONE" in started.output
        assert '"rows": 4211' in started.output
        assert fermata("workflow", "status", workflow_id, "--query", "status").output == "COMPLETED\n"
        searched = fermata("workflow", "search", "ORDERS", "-w", "http_poll_external_job", "-s", "COMPLETED", "--query", "[].workflowId")
        assert json.loads(searched.output) == [workflow_id]
        full = json.loads(fermata("workflow", "get-execution", workflow_id, "--full").output)
        await_job = next(task for task in full["tasks"] if task["referenceTaskName"] == "await_job")
        assert await_job["pollCount"] == next(iter(vendor.jobs.polls().values())) == 4
        assert len(json.loads(fermata("task", "polls", await_job["taskId"]).output)) == 4
        assert fermata("workflow", "get", "no_such_workflow").exit_code == 3
        assert "no_such_workflow" in fermata("workflow", "get", "no_such_workflow").stderr


def test_the_web_ui_of_a_server_answers_who_opens_the_printed_address():
    command = [*FERMATA, "--server", "http://127.0.0.1:9/api", "ui", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=_environment())
    try:
        address = process.stdout.readline().strip()
        with requests.Session() as browser:
            assert browser.get(address, allow_redirects=False, timeout=10).status_code == 303
            asked = browser.get(re.sub(r"/ui\?.*", "/api/health", address), timeout=10)
            assert (asked.status_code, asked.json()["message"][:12]) == (502, "No server at")
            assert browser.get(re.sub(r"\?.*", "/server.json", address), timeout=10).json()["authorization"] == "NONE"
        assert requests.get(re.sub(r"\?.*", "", address), timeout=10).status_code == 403
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=10)
    assert (process.returncode, said.splitlines()[-1]) == (0, "Stopped.")


def test_the_demo_shows_each_poll_and_the_result_and_exits_0():
    ran = subprocess.run([*FERMATA, "demo"], capture_output=True, text=True, env=_environment(), timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert [line.split()[2] for line in ran.stdout.splitlines() if " poll " in line] == ["1", "2", "3", "4"]
    assert re.search(r"poll +4 +200 +job SUCCEEDED +DONE", ran.stdout)
    assert '"rows": 4211' in ran.stdout
    assert ran.stderr == ""


def test_a_demo_that_does_not_complete_exits_1():
    ran = subprocess.run([*FERMATA, "demo", "--fail"], capture_output=True, text=True, env=_environment(), timeout=60, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert '"error": "remote_job_failed"' in ran.stdout
