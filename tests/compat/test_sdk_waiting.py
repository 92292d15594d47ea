"""The official SDK's client executes workflows and signals them, and is answered in the shapes that it reads."""

import pytest
from conductor.client.configuration.configuration import Configuration
from conductor.client.http.models.start_workflow_request import StartWorkflowRequest
from conductor.client.orkes_clients import OrkesClients
from fermata_local import server
from fermata_local.clocks import SkippingClock, skipping_from_now
from fermata_local.cloud import LocalCloud

pytestmark = pytest.mark.xdist_group("sdk")  # one server for all of them

SET = {"name": "set", "taskReferenceName": "set", "type": "SET_VARIABLE", "inputParameters": {"a": 1}}
HOLD = {"name": "hold", "taskReferenceName": "hold", "type": "WAIT", "inputParameters": {}}
AGAIN = {**HOLD, "taskReferenceName": "again"}
NAP = {"name": "nap", "taskReferenceName": "nap", "type": "WAIT", "inputParameters": {"duration": "10s"}}
LONG_NAP = {**NAP, "inputParameters": {"duration": "25s"}}


def definition(name, *tasks):
    return {"name": name, "version": 1, "schemaVersion": 2, "tasks": list(tasks)}


@pytest.fixture(scope="module")
def clients():
    """The clients of a server whose time passes in the pauses of its callers."""
    clock: SkippingClock = skipping_from_now()
    with LocalCloud(clock) as cloud, server.serving(cloud.http) as address:
        for made in (
            definition("quick", SET),
            definition("nap", NAP),
            definition("long_nap", LONG_NAP),
            definition("blocked", SET, HOLD, AGAIN),
        ):
            assert cloud.api("POST", "/api/metadata/workflow", made).status == 200
        yield OrkesClients(Configuration(server_api_url=f"{address}/api"))


def request(name):
    return StartWorkflowRequest(name=name, version=1, input={})


@pytest.mark.parametrize(("name", "status", "tasks"), [("quick", "COMPLETED", ["set"]), ("blocked", "RUNNING", ["set", "hold"])])
def test_an_execution_is_answered_with_the_run(clients, name, status, tasks):
    run = clients.get_workflow_client().execute_workflow(request(name), request_id="r-1", wait_for_seconds=5)
    assert (run.status, run.request_id, [task.reference_task_name for task in run.tasks]) == (status, "r-1", tasks)


def test_an_execution_waits_for_the_run_within_the_bound(clients):
    workflows = clients.get_workflow_client()
    assert workflows.execute_workflow(request("nap"), wait_for_seconds=15).status == "COMPLETED"
    assert workflows.execute_workflow(request("long_nap"), wait_for_seconds=3600).status == "RUNNING"


@pytest.mark.parametrize("strategy", ["TARGET_WORKFLOW", "BLOCKING_WORKFLOW", "BLOCKING_TASK", "BLOCKING_TASK_INPUT"])
def test_each_strategy_is_read_by_the_sdk_for_executions_and_signals(clients, strategy):
    workflows, tasks = clients.get_workflow_client(), clients.get_task_client().taskResourceApi
    first = workflows.execute_workflow_with_return_strategy(request("blocked"), wait_for_seconds=5, return_strategy=strategy)
    assert (first.response_type, first.target_workflow_status) == (strategy, "RUNNING")
    then = tasks.signal_workflow_task_sync(first.target_workflow_id, "COMPLETED", {"by": "me"}, return_strategy=strategy)
    assert (then.response_type, then.target_workflow_status) == (strategy, "RUNNING")
    if strategy.startswith("BLOCKING_TASK"):
        assert (first.reference_task_name, then.reference_task_name) == ("hold", "again")
    last = tasks.signal_workflow_task_sync(first.target_workflow_id, "COMPLETED", {}, return_strategy=strategy)
    assert (last.response_type, last.target_workflow_status) == ("TARGET_WORKFLOW", "COMPLETED")
