"""A request to start a run is read, or refused with every mistake named."""

from typing import Any

import pytest
from fermata.domain.definitions import WorkflowDefinition, WorkflowTask
from fermata.domain.errors import InvalidRequest
from fermata.wire.requests import StartWorkflowRequest, start_request_from_json


def test_a_name_is_enough() -> None:
    assert start_request_from_json({"name": "job"}) == StartWorkflowRequest("job")


def test_everything_conductor_sends_is_read() -> None:
    body = {
        "name": "job",
        "version": 3,
        "correlationId": "c",
        "input": {"a": None},
        "taskToDomain": {"*": "d"},
        "priority": "7",
        "createdBy": "me",
        "idempotencyKey": "k",
        "idempotencyStrategy": "FAIL",
        "workflowDef": {"name": "inline", "tasks": [{"name": "t", "taskReferenceName": "r"}]},
    }
    inline = WorkflowDefinition("inline", (WorkflowTask("t", "r"),))
    assert start_request_from_json(body) == StartWorkflowRequest(
        "job", 3, "c", {"a": None}, {"*": "d"}, inline, priority=7, created_by="me", idempotency_key="k", idempotency_strategy="FAIL"
    )


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], "body"),
        ({}, "name"),
        ({"name": None}, "name"),
        ({"name": "job", "input": None}, "input"),
        ({"name": "job", "input": []}, "input"),
        ({"name": "job", "priority": 100}, "priority"),
        ({"name": "job", "priority": -1}, "priority"),
        ({"name": "job", "version": "one"}, "version"),
        ({"name": "job", "taskToDomain": {"a": {}}}, "taskToDomain.a"),
        ({"name": "job", "workflowDef": {"tasks": 5}}, "workflowDef.tasks"),
        ({"name": "job", "externalInputPayloadStoragePath": "s3"}, "externalInputPayloadStoragePath"),
        ({"name": "job", "correlationId": "c" * 1001}, "correlationId"),
        ({"name": "job", "correlationId": "\ud800"}, "correlationId"),
        ({"name": "job", "workflowDef": {"name": "n" * 1001}}, "workflowDef.name"),
        ({"name": "job", "workflowDef": {"name": "n", "version": -1}}, "workflowDef.version"),
    ],
)
def test_a_mistake_is_named(body: Any, path: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        start_request_from_json(body)
    assert [violation.path for violation in caught.value.violations] == [path]
