"""Event handlers over REST (reference 2.6)."""

import json
from typing import Any

import pytest
from fermata.application.handle_event import handle_event
from fermata.domain.event_handlers import EventMessage

from tests.api.gateway import Gateway
from tests.support.world import EXAMPLES, World, step, workflow

HANDLER: dict[str, Any] = {
    "name": "on_order",
    "event": "conductor:flow:done",
    "condition": "$.n > 1",
    "active": True,
    "evaluatorType": "javascript",
    "actions": [
        {"action": "start_workflow", "start_workflow": {"name": "ship", "version": 1, "input": {"id": "${id}"}}, "expandInlineJSON": True}
    ],
}
SHOWN = {
    **HANDLER,
    "actions": [
        {
            "action": "start_workflow",
            "start_workflow": {"name": "ship", "version": 1, "input": {"id": "${id}"}, "taskToDomain": {}},
            "expandInlineJSON": True,
        }
    ],
}


def test_a_handler_is_added_shown_changed_and_removed(call: Gateway) -> None:
    assert call("POST", "/api/event", HANDLER).status == 200
    assert call("GET", "/api/event").json == [SHOWN]
    assert call("GET", "/api/event/conductor%3Aflow%3Adone").json == [SHOWN]
    assert call("PUT", "/api/event", {**HANDLER, "active": False}).status == 200
    assert call("GET", "/api/event/conductor%3Aflow%3Adone").json == []
    assert call("GET", "/api/event/conductor:flow:done?activeOnly=False").json == [{**SHOWN, "active": False}]
    assert call("DELETE", "/api/event/on_order").status == 200
    assert call("GET", "/api/event").json == []


def test_an_array_is_accepted_too_and_a_handler_is_inactive_unless_it_says_otherwise(call: Gateway) -> None:
    second = {key: value for key, value in HANDLER.items() if key != "active"} | {"name": "two"}
    assert call("POST", "/api/event", [HANDLER, second]).status == 200
    assert [(handler["name"], handler["active"]) for handler in call("GET", "/api/event").json] == [("on_order", True), ("two", False)]


def test_a_taken_name_is_409_and_an_unknown_one_404(call: Gateway) -> None:
    call("POST", "/api/event", HANDLER)
    assert call("POST", "/api/event", HANDLER).status == 409
    for answer in (call("PUT", "/api/event", {**HANDLER, "name": "nobody"}), call("DELETE", "/api/event/nobody")):
        assert answer.status == 404
        assert "nobody" in answer.json["message"]


START = {"action": "start_workflow", "start_workflow": {"name": "ship"}}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 1001}, "name"),
        ({"event": ""}, "event"),
        ({"event": "kafka:topic"}, "event"),
        ({"event": "orders"}, "event"),
        ({"actions": []}, "actions"),
        ({"actions": [START] * 51}, "actions"),
        ({"actions": "none"}, "actions"),
        ({"condition": "$.n >"}, "condition"),
        ({"evaluatorType": "python"}, "evaluatorType"),
        ({"actions": [{"action": "start_agent", "start_agent": {"name": "a"}}]}, "actions[0].action"),
        ({"actions": [{"action": "start_workflow"}]}, "actions[0].start_workflow"),
        ({"actions": [{"action": "start_workflow", "start_workflow": {}}]}, "actions[0].start_workflow.name"),
        ({"actions": [{"action": "start_workflow", "start_workflow": {"name": "a", "version": "x"}}]}, "actions[0].start_workflow.version"),
        ({"actions": [START, {"action": "complete_task", "complete_task": {"workflowId": "w"}}]}, "actions[1].complete_task"),
        ({"actions": [{"action": "fail_task", "fail_task": {"taskRefName": "r"}}]}, "actions[0].fail_task"),
        ({"actions": [{"action": "terminate_workflow", "terminate_workflow": {}}]}, "actions[0].terminate_workflow.workflowId"),
        (
            {"actions": [{"action": "update_workflow_variables", "update_workflow_variables": {"workflowId": "w", "appendArray": True}}]},
            "actions[0].update_workflow_variables.appendArray",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_field(call: Gateway, fields: dict[str, Any], path: str) -> None:
    answer = call("POST", "/api/event", {**HANDLER, **fields})
    assert answer.status == 400
    assert [violation["path"] for violation in answer.json["validationErrors"]] == [path]
    assert call("GET", "/api/event").json == []


def test_none_of_an_array_is_stored_when_one_is_wrong(call: Gateway) -> None:
    assert call("POST", "/api/event", [HANDLER, {**HANDLER, "name": "two", "event": "x:y"}]).status == 400
    assert call("GET", "/api/event").json == []


def test_the_examples_run(call: Gateway, world: World) -> None:
    definition, handler = (json.loads((EXAMPLES / f"order-paid-{name}.json").read_text()) for name in ("event", "handler"))
    assert call("POST", "/api/metadata/workflow", definition).status == 200
    assert call("POST", "/api/event", handler).status == 200
    world.register({**workflow(step("HUMAN", "pack")), "name": "ship_order"})
    world.start(name=definition["name"], given={"orderId": "o-7", "amount": 12})
    world.run()
    [shown] = call("GET", f"/api/event/executions/{handler['event']}").json
    run = world.view(shown["output"]["workflowId"]).workflow
    assert (run.workflow_name, run.correlation_id, run.input["orderId"]) == ("ship_order", "o-7", "o-7")


def test_what_came_of_an_event_is_shown(call: Gateway, world: World) -> None:
    call("POST", "/api/event", {**HANDLER, "condition": None})
    handle_event(world.engine, EventMessage(HANDLER["event"], "m1", {"id": 5}))
    [shown] = call("GET", "/api/event/executions/conductor%3Aflow%3Adone").json
    assert shown == {
        "id": "m1_0",
        "messageId": "m1",
        "name": "on_order",
        "event": HANDLER["event"],
        "created": shown["created"],
        "status": "FAILED",
        "action": "start_workflow",
        "output": {"error": "No such workflow found by name: ship, version: 1"},
    }
    assert call("GET", "/api/event/executions/sqs%3Aothers").json == []
    assert call("GET", "/api/event/executions/sqs%3Aothers?size=0").status == 400
