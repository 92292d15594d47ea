"""The metadata routes answer as Conductor's do."""

from typing import Any

from tests.api.gateway import Gateway

WORKFLOW, TASKS = "/api/metadata/workflow", "/api/metadata/taskdefs"


def definition(name: str = "job", version: int = 1, **fields: Any) -> dict[str, Any]:
    wait = {"name": "hold", "taskReferenceName": "hold", "type": "WAIT", "inputParameters": {"duration": "1 days"}}
    return {"name": name, "version": version, "tasks": [wait], **fields}


def test_a_registered_definition_is_returned(call: Gateway) -> None:
    registered = call("POST", WORKFLOW, definition(description="d"))
    assert (registered.status, registered.text) == (200, "")
    assert "Content-Type" not in registered.headers
    shown = call("GET", f"{WORKFLOW}/job")
    assert (shown.status, shown.headers["Content-Type"], shown.json["description"]) == (200, "application/json", "d")
    assert shown.json["createTime"] > 0


def test_registering_twice_needs_overwrite(call: Gateway) -> None:
    call("POST", WORKFLOW, definition())
    refused = call("POST", WORKFLOW, definition())
    assert (refused.status, refused.json["retryable"]) == (409, False)
    assert "job" in refused.json["message"]
    assert call("POST", f"{WORKFLOW}?overwrite=True", definition(description="new")).status == 200
    assert call("GET", f"{WORKFLOW}/job").json["description"] == "new"


def test_an_invalid_definition_names_every_mistake(call: Gateway) -> None:
    for path in (WORKFLOW, f"{WORKFLOW}/validate"):
        refused = call(
            "POST", path, {"name": "job", "tasks": [{"name": "t", "taskReferenceName": "r", "startDelay": "x", "optional": 3.5}]}
        )
        assert refused.status == 400
        assert refused.json["message"] == "Validation failed, check below errors for detail."
        assert refused.json["validationErrors"][0] == {
            "path": "tasks[0].startDelay",
            "message": "must be a whole number",
            "invalidValue": "x",
        }
    assert call("POST", WORKFLOW, {}).status == 400
    assert call("POST", f"{WORKFLOW}/validate", definition()).status == 200
    assert call("GET", WORKFLOW).json == []


def test_put_takes_an_array_and_answers_with_the_names(call: Gateway) -> None:
    updated = call("PUT", f"{WORKFLOW}?overwrite=True", [definition("a"), definition("b")])
    assert (updated.status, updated.json) == (
        200,
        {"bulkErrorResults": {}, "bulkSuccessfulResults": ["a", "b"], "message": "Bulk Request has been processed."},
    )
    assert call("PUT", WORKFLOW, []).status == 400
    assert call("PUT", WORKFLOW, definition()).json["validationErrors"][0]["path"] == "workflowDefinitions"


def test_versions_are_listed(call: Gateway) -> None:
    call("PUT", WORKFLOW, [definition("b", 2), definition("b", 10), definition("a")])
    assert [(one["name"], one["version"]) for one in call("GET", WORKFLOW).json] == [("a", 1), ("b", 2), ("b", 10)]
    assert call("GET", f"{WORKFLOW}/names").json == ["a", "b"]
    assert [one["version"] for one in call("GET", f"{WORKFLOW}/names-and-versions").json["b"]] == [2, 10]
    assert call("GET", f"{WORKFLOW}/b/versions").json[1].keys() == {"name", "version", "createTime", "updateTime"}
    assert [one["version"] for one in call("GET", f"{WORKFLOW}/latest-versions").json] == [1, 10]
    assert call("GET", f"{WORKFLOW}/b").json["version"] == 10
    assert call("GET", f"{WORKFLOW}/b?version=2").json["version"] == 2
    assert call("GET", f"{WORKFLOW}/b?version=").json["version"] == 10


def test_definitions_are_listed_by_what_they_are(call: Gateway) -> None:
    call("PUT", WORKFLOW, [definition("a"), definition("b", metadata={"classifier": "Agent"})])
    assert [one["name"] for one in call("GET", f"{WORKFLOW}?classifier=agent").json] == ["b"]
    assert [one["name"] for one in call("GET", f"{WORKFLOW}?classifier=WORKFLOW&short=true").json] == ["a"]


def test_a_definition_is_deleted_by_version(call: Gateway) -> None:
    call("PUT", WORKFLOW, [definition("a", 1), definition("a", 2)])
    deleted = call("DELETE", f"{WORKFLOW}/a/1", {})
    assert (deleted.status, deleted.text) == (200, "")
    assert "a, version 1" in call("GET", f"{WORKFLOW}/a?version=1").json["message"]
    assert call("DELETE", f"{WORKFLOW}/a/1").status == 404
    assert call("DELETE", f"{WORKFLOW}/a/latest").status == 400


def test_task_definitions_come_and_go(call: Gateway) -> None:
    assert call("POST", TASKS, [{"name": "t", "retryCount": "5"}, {"name": "u"}]).status == 200
    assert call("POST", TASKS, [{"name": "u", "timeoutPolicy": "RETRY"}]).text == ""
    assert [one["name"] for one in call("GET", TASKS).json] == ["t", "u"]
    assert call("GET", f"{TASKS}/t").json["retryCount"] == 5
    assert call("PUT", TASKS, {"name": "t", "retryCount": 0}).status == 200
    assert call("GET", f"{TASKS}/t").json["retryCount"] == 0
    assert call("DELETE", f"{TASKS}/t").status == 200
    for missing in (call("GET", f"{TASKS}/t"), call("DELETE", f"{TASKS}/t"), call("PUT", TASKS, {"name": "t"})):
        assert missing.status == 404
        assert "t" in missing.json["message"].split()[-1]


def test_task_definitions_must_be_an_array(call: Gateway) -> None:
    refused = call("POST", TASKS, {"name": "t"})
    assert refused.json["validationErrors"] == [{"path": "taskDefinitions", "message": "must be an array"}]
    assert call("POST", TASKS, [{"name": "t", "retryCount": []}]).json["validationErrors"][0]["path"] == "taskDefinitions[0].retryCount"


def test_names_in_paths_are_decoded_once(call: Gateway) -> None:
    name = "a/b c%ü:?"
    call("POST", TASKS, [{"name": name}])
    assert call("GET", f"{TASKS}/a%2Fb%20c%25%C3%BC%3A%3F").json["name"] == name
    # A gateway that has decoded already.
    plain = "b c%ü:"
    call("POST", TASKS, [{"name": plain}])
    assert call("GET", f"{TASKS}/{plain}").json["name"] == plain
