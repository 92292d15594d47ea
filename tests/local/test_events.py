"""EVENT tasks and handlers end to end: the real doors, our queue, a bus of moto's, and a run that an event starts."""

from datetime import UTC, datetime

import boto3
import pytest
from fermata_local import environment, moto_internals
from fermata_local.clocks import SkippingClock
from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud

START = datetime(2026, 1, 1, tzinfo=UTC)
SHIP = {
    "name": "ship",
    "version": 1,
    "schemaVersion": 2,
    "tasks": [
        {
            "name": "see",
            "taskReferenceName": "see",
            "type": "INLINE",
            "inputParameters": {"o": "${workflow.input.order}", "expression": "$.o"},
        }
    ],
}


@pytest.fixture
def cloud():
    with LocalCloud(SkippingClock(START), event_queues=("orders",), sweep_every=SKIPPING_SWEEP) as cloud:
        yield cloud


def _order(sink):
    tell = {
        "name": "tell",
        "taskReferenceName": "tell",
        "type": "EVENT",
        "sink": sink,
        "inputParameters": {"order": "${workflow.input.order}"},
    }
    return {"name": "order", "version": 1, "schemaVersion": 2, "tasks": [tell]}


@pytest.mark.parametrize(
    ("sink", "event", "order"),
    [
        ("conductor:paid", "conductor:order:paid", "${order}"),
        ("sqs:orders", "sqs:orders", "${order}"),
        ("eventbridge:default", "eventbridge:default", "${detail.order}"),
    ],
)
def test_what_an_event_task_says_starts_another_run(cloud, sink, event, order):
    start = {"action": "start_workflow", "start_workflow": {"name": "ship", "input": {"order": order}}}
    handler = {"name": "h", "event": event, "active": True, "condition": "true", "actions": [start]}
    for method, path, body in (
        ("POST", "/api/metadata/workflow", SHIP),
        ("POST", "/api/metadata/workflow", _order(sink)),
        ("POST", "/api/event", handler),
    ):
        answer = cloud.api(method, path, body)
        assert answer.status == 200, answer.text
    started = cloud.api("POST", "/api/workflow/order", {"order": 7}).text
    cloud.run_until_idle()
    assert cloud.failures == []
    task = cloud.api("GET", f"/api/workflow/{started}").json["tasks"][0]
    [execution] = cloud.api("GET", f"/api/event/executions/{event}").json
    assert (execution["status"], execution["messageId"]) == ("COMPLETED", task["taskId"])
    shipped = cloud.api("GET", f"/api/workflow/{execution['output']['workflowId']}").json
    assert (shipped["status"], shipped["output"]) == ("COMPLETED", {"result": 7})


def test_a_message_that_is_no_event_ends_among_the_dead_letters(cloud):
    boto3.client("sqs").send_message(QueueUrl=environment.queue_url(environment.EVENTS_QUEUE), MessageBody="nonsense")
    cloud.run_until(lambda: moto_internals.next_message(environment.DEAD_LETTERS[environment.EVENTS_QUEUE]) is not None)
    assert cloud.failures
