"""Definitions are read as leniently as Jackson reads them, refused with every mistake named, and written as Conductor writes them."""

import json
from pathlib import Path
from typing import Any

import pytest
from fermata.domain.definitions import RetryLogic, SubWorkflowParam, TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.errors import InvalidRequest
from fermata.wire import definitions as wire

EXAMPLE = Path(__file__).parents[2] / "examples" / "http-poll-external-job.json"


def violations(value: Any) -> dict[str, str]:
    with pytest.raises(InvalidRequest, match=r"^Validation failed, check below errors for detail\.$") as caught:
        wire.workflow_definition_from_json(value)
    return {violation.path: violation.message for violation in caught.value.violations}


def test_a_definition_is_written_with_all_defaults_and_no_nulls() -> None:
    body = wire.workflow_definition_to_json(WorkflowDefinition("d", (WorkflowTask("t", "t_ref"),)))
    assert body == {
        "name": "d",
        "version": 1,
        "tasks": [
            {
                "name": "t",
                "taskReferenceName": "t_ref",
                "type": "SIMPLE",
                "inputParameters": {},
                "decisionCases": {},
                "defaultCase": [],
                "forkTasks": [],
                "joinOn": [],
                "defaultExclusiveJoinTask": [],
                "loopOver": [],
                "startDelay": 0,
                "optional": False,
                "permissive": False,
                "asyncComplete": False,
                "onStateChange": {},
                "metadata": {},
            }
        ],
        "inputParameters": [],
        "outputParameters": {},
        "schemaVersion": 2,
        "restartable": True,
        "workflowStatusListenerEnabled": False,
        "timeoutPolicy": "ALERT_ONLY",
        "timeoutSeconds": 0,
        "variables": {},
        "inputTemplate": {},
        "enforceSchema": True,
        "metadata": {},
        "maskedFields": [],
        "createTime": 0,
        "updateTime": 0,
    }


def test_a_task_definition_is_written_with_all_defaults() -> None:
    body = wire.task_definition_to_json(TaskDefinition("t", retry_logic=RetryLogic.LINEAR_BACKOFF))
    assert body["retryLogic"] == "LINEAR_BACKOFF"
    assert (body["retryCount"], body["responseTimeoutSeconds"], body["backoffScaleFactor"], body["enforceSchema"]) == (3, 3600, 1, False)
    assert "concurrentExecLimit" not in body


def test_a_definition_survives_the_trip() -> None:
    leaf = WorkflowTask(
        "leaf", "leaf", input_parameters={"none": None, "big": 2**70}, task_definition=TaskDefinition("leaf", retry_count=0)
    )
    task = WorkflowTask(
        "s",
        "s",
        type="SWITCH",
        decision_cases={"yes": (leaf,), "no": ()},
        fork_tasks=((leaf,), ()),
        loop_over=(leaf,),
        sub_workflow_param=SubWorkflowParam("child", 2, task_to_domain={"*": "d"}),
        rate_limited=False,
    )
    definition = WorkflowDefinition("d", (task,), restartable=False, masked_fields=("a",), input_schema={"name": None})
    text = json.dumps(wire.workflow_definition_to_json(definition))
    assert wire.workflow_definition_from_json(json.loads(text)) == definition


def test_the_example_keeps_everything_it_says() -> None:
    sent = json.loads(EXAMPLE.read_text())
    shown = wire.workflow_definition_to_json(wire.workflow_definition_from_json(sent))

    def said(part: Any, whole: Any) -> bool:
        if isinstance(part, dict):
            return all(key in whole and said(value, whole[key]) for key, value in part.items())
        if isinstance(part, list):
            return len(part) == len(whole) and all(map(said, part, whole))
        return bool(part == whole)

    assert said(sent, shown)


def test_scalars_are_read_as_jackson_reads_them() -> None:
    definition = wire.workflow_definition_from_json(
        {
            "name": 42,
            "version": "7",
            "restartable": "False",
            "timeoutSeconds": 3.9,
            "enforceSchema": None,
            "schemaVersion": None,
            "timeoutPolicy": None,
            "inputParameters": None,
            "variables": None,
            "description": True,
            "unknownThing": {"x": 1},
            "tasks": [{"name": "t", "taskReferenceName": "r", "startDelay": " 5 ", "optional": "true", "asyncComplete": 1, "type": None}],
        }
    )
    task = WorkflowTask("t", "r", start_delay=5, optional=True, async_complete=True)
    assert definition == WorkflowDefinition("42", (task,), version=7, restartable=False, timeout_seconds=3, description="true")


def test_what_is_absent_and_required_reads_as_empty_for_validation_to_refuse() -> None:
    assert wire.workflow_definition_from_json({}) == WorkflowDefinition("", ())


def test_every_mistake_is_named() -> None:
    found = violations(
        {
            "name": ["x"],
            "timeoutPolicy": "NEVER",
            "timeoutSeconds": 10**30,
            "inputParameters": {"a": 1},
            "variables": [],
            "tasks": [
                {"name": "t", "taskReferenceName": "r", "startDelay": "soon", "optional": "maybe", "inputParameters": "x"},
                None,
                {"decisionCases": {"a": [{"retryCount": True}], "b": "x"}, "forkTasks": [[7]], "joinOn": [None]},
                {"taskDefinition": {"retryLogic": "exponential"}},
            ],
        }
    )
    assert found == {
        "name": "must be text",
        "timeoutPolicy": "must be one of TIME_OUT_WF, ALERT_ONLY",
        "timeoutSeconds": "must be at most 100000000000",
        "inputParameters": "must be an array",
        "variables": "must be an object",
        "tasks[0].startDelay": "must be a whole number",
        "tasks[0].optional": "must be true or false",
        "tasks[0].inputParameters": "must be an object",
        "tasks[1]": "must not be null",
        "tasks[2].decisionCases.a[0].retryCount": "must be a whole number",
        "tasks[2].decisionCases.b": "must be an array",
        "tasks[2].forkTasks[0][0]": "must be an object",
        "tasks[2].joinOn[0]": "must not be null",
        "tasks[3].taskDefinition.retryLogic": "must be one of FIXED, LINEAR_BACKOFF, EXPONENTIAL_BACKOFF",
    }


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_a_body_that_is_no_object_is_refused(value: Any) -> None:
    assert violations(value) == {"body": "must be an object"}


def test_mistakes_in_an_array_name_the_element() -> None:
    with pytest.raises(InvalidRequest) as caught:
        wire.task_definitions_from_json([{"name": "a"}, {"name": "b", "retryCount": "x"}, 5])
    assert [violation.path for violation in caught.value.violations] == ["taskDefinitions[1].retryCount", "taskDefinitions[2]"]
    assert caught.value.violations[0].invalid_value == "x"


FULL = "ü" * 500  # as many bytes as a name may have


def test_a_name_and_a_version_may_be_as_long_as_a_key() -> None:
    read = wire.workflow_definition_from_json({"name": FULL, "version": wire.MAX_VERSION})
    assert (read.name, read.version) == (FULL, wire.MAX_VERSION)
    assert wire.task_definition_from_json({"name": FULL}).name == FULL


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ({"name": f"{FULL}n"}, "name", "must be at most 1000 bytes long"),
        ({"name": "n", "version": -1}, "version", "must be between 0 and 2147483647"),
        ({"name": "n", "version": 2**31}, "version", "must be between 0 and 2147483647"),
        ({"name": "a\udfff"}, "name", "must not contain half of a surrogate pair"),
        ({"name": "n", "description": "\ud800"}, "description", "must not contain half of a surrogate pair"),
    ],
)
def test_what_cannot_be_a_key_is_refused(given: dict[str, Any], path: str, words: str) -> None:
    assert violations(given) == {path: words}
    with pytest.raises(InvalidRequest) as several:
        wire.workflow_definitions_from_json([{"name": "fine"}, given])
    assert [found.path for found in several.value.violations] == [f"workflowDefinitions[1].{path}"]


@pytest.mark.parametrize("name", [f"{FULL}n", "a\ud800"])
def test_a_task_definition_needs_a_name_that_can_be_a_key(name: str) -> None:
    with pytest.raises(InvalidRequest) as one:
        wire.task_definition_from_json({"name": name})
    with pytest.raises(InvalidRequest) as several:
        wire.task_definitions_from_json([{"name": name}])
    assert [*(found.path for found in one.value.violations), *(found.path for found in several.value.violations)] == [
        "name",
        "taskDefinitions[0].name",
    ]


def test_an_array_is_required_where_conductor_wants_one() -> None:
    with pytest.raises(InvalidRequest) as caught:
        wire.workflow_definitions_from_json({"name": "a"})
    assert caught.value.violations[0].path == "workflowDefinitions"


def test_a_long_wrong_value_is_not_repeated() -> None:
    with pytest.raises(InvalidRequest) as caught:
        wire.task_definition_from_json({"name": "a", "retryCount": "x" * 500})
    assert caught.value.violations[0].invalid_value is None


@pytest.mark.parametrize(
    ("metadata", "kind"), [({}, "workflow"), ({"classifier": "skill"}, "skill"), ({"agent_sdk": 1}, "agent"), ({"agentDef": {}}, "agent")]
)
def test_metadata_says_what_a_definition_is(metadata: dict[str, Any], kind: str) -> None:
    assert wire.classifier(WorkflowDefinition("d", (), metadata=metadata)) == kind
