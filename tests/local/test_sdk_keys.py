"""The official Python SDK with a key works against a server that asks for one, and without is refused."""

import json
import os
import subprocess
import sys

import pytest
from fermata_local import server
from fermata_local.clocks import RealClock
from fermata_local.cloud import LocalCloud

DEFINITION = {
    "name": "job",
    "version": 1,
    "ownerEmail": "a@example.com",
    "tasks": [{"name": "n", "taskReferenceName": "n", "type": "NOOP"}],
}

# A process of its own: the SDK keeps its configuration in globals. It prints what each call answered.
CLIENT = """
import json, logging
logging.disable()
from conductor.client.configuration.configuration import Configuration
from conductor.client.http.rest import ApiException
from conductor.client.orkes_clients import OrkesClients

def said(call):
    try:
        answer = call()
    except ApiException as error:
        return error.status
    return answer if isinstance(answer, (str, int, list, type(None))) else type(answer).__name__

clients = OrkesClients(Configuration())
metadata, workflows, tasks = clients.get_metadata_client(), clients.get_workflow_client(), clients.get_task_client()
print(json.dumps({
    "look": said(lambda: metadata.get_workflow_def("job")),
    "start": said(lambda: workflows.start_workflow_by_name("job", {}) and "started"),
    "poll": said(lambda: tasks.batch_poll_tasks("t", "w", 1, 100)),
    "delete": said(lambda: metadata.unregister_workflow_def("nothing", 1)),
}))
"""


@pytest.fixture(scope="module")
def served():
    with LocalCloud(RealClock(), keys=True) as cloud, server.serving(cloud.http) as url:
        admin = {"X-Authorization": cloud.api("POST", "/api/token", cloud.first_key()).json["token"]}
        assert cloud.api("POST", "/api/metadata/workflow", DEFINITION, admin).status == 200
        yield lambda role: cloud.api("POST", "/api/keys", {"name": role, "role": role}, admin).json, f"{url}/api"


def client(url, key):
    credentials = {"CONDUCTOR_AUTH_KEY": key["keyId"], "CONDUCTOR_AUTH_SECRET": key["keySecret"]} if key else {}
    # Not the parent's environment: it names the AWS that moto plays.
    env = {"PATH": os.defpath, "HOME": os.devnull, "CONDUCTOR_SERVER_URL": url, "CONDUCTOR_HTTP2_ENABLED": "false", **credentials}
    ran = subprocess.run([sys.executable, "-c", CLIENT], env=env, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_an_admin_may_do_everything(served):
    key, url = served
    assert client(url, key("admin")) == {"look": "WorkflowDef", "start": "started", "poll": [], "delete": 404}


def test_an_operator_starts_and_works_and_deletes_nothing(served):
    key, url = served
    assert client(url, key("operator")) == {"look": "WorkflowDef", "start": "started", "poll": [], "delete": 403}


def test_without_a_key_or_with_a_wrong_one_everything_is_refused(served):
    key, url = served
    nobody = dict.fromkeys(("look", "start", "poll", "delete"), 401)
    assert client(url, None) == nobody
    assert client(url, key("admin") | {"keySecret": "wrong"}) == nobody
