"""Where a text is wanted and an expression brings another value, it is written as JSON: `true`, `{"k":1}`."""

from typing import Any

import pytest
from fermata.application.event_registry import add_handlers
from fermata.application.handle_event import handle_event
from fermata.domain.event_handlers import EventMessage
from fermata.domain.status import WorkflowStatus
from fermata.ports import WorkflowQuery
from fermata.wire.event_handlers import event_handlers_from_json

from tests.support.world import World, step, workflow

GIVEN = {"yes": True, "object": {"k": [1]}, "strategy": "FAIL_ON_RUNNING"}
CHILD = {**workflow(step("NOOP", "x")), "name": "child"}


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (step("TERMINATE", "t", {"terminationStatus": "FAILED", "terminationReason": "${workflow.input.object}"}), '{"k":[1]}'),
        (step("EVENT", "t", sink="${workflow.input.object}"), "'{\"k\":[1]}' is no sink here"),
        (step("WAIT", "t", {"duration": "${workflow.input.yes}"}), "'true' is not a duration"),
        (step("SUB_WORKFLOW", "t", subWorkflowParam={"name": "${workflow.input.object}"}), 'found by name: {"k":[1]}'),
    ],
    ids=["reason", "sink", "duration", "name"],
)
def test_a_reason_shows_a_value_as_json(last: dict[str, Any], told: str) -> None:
    view = World().outcome(workflow(last), GIVEN)
    assert view.workflow.status is WorkflowStatus.FAILED
    assert told in (view.workflow.reason_for_incompletion or "")


def test_a_dynamic_task_and_forked_ones_are_named_by_json() -> None:
    world = World()
    named = world.start(workflow(step("DYNAMIC", "t", {"name": "${workflow.input.yes}"}, dynamicTaskNameParam="name")), GIVEN)
    assert world.tasks(named)["t"].queue == "true"
    fork = step("FORK_JOIN_DYNAMIC", "f", {"forkTaskName": "${workflow.input.yes}", "forkTaskInputs": [{}]})
    forked = world.start(workflow(fork, step("JOIN", "j")), GIVEN)
    assert world.tasks(forked)["_true_0"].queue == "true"


def test_a_handler_reads_values_as_json() -> None:
    world = World()
    world.register(CHILD)
    start = {"name": "child", "correlationId": "${yes}"}
    handler = {"name": "h", "event": "sqs:q", "active": True, "actions": [{"action": "start_workflow", "start_workflow": start}]}
    add_handlers(world.engine, event_handlers_from_json([handler]))
    handle_event(world.engine, EventMessage("sqs:q", "m", GIVEN))
    assert [run.correlation_id for run in world.executions.search(WorkflowQuery()).workflows] == ["true"]


def test_the_strategy_of_a_sub_workflows_key_may_be_an_expression() -> None:
    world = World()
    world.register(CHILD)
    key = {"idempotencyKey": "k", "idempotencyStrategy": "${workflow.input.strategy}"}
    twice = [step("SUB_WORKFLOW", ref, subWorkflowParam={"name": "child", **key}) for ref in ("first", "second")]
    assert world.outcome(workflow(*twice), GIVEN).workflow.status is WorkflowStatus.COMPLETED


def test_an_exclusive_join_on_nothing_says_so() -> None:
    view = World().outcome(workflow(step("EXCLUSIVE_JOIN", "x", joinOn=[])))
    assert "waits for no task" in (view.workflow.reason_for_incompletion or "")


@pytest.mark.parametrize("version", ["latest", {"k": 1}])
def test_a_forked_workflows_version_that_is_no_number_is_named(version: Any) -> None:
    given = {"forkTaskWorkflow": "child", "forkTaskWorkflowVersion": "${workflow.input.version}", "forkTaskInputs": [{}]}
    world = World()
    world.register(CHILD)
    view = world.outcome(workflow(step("FORK_JOIN_DYNAMIC", "f", given), step("JOIN", "j")), {"version": version})
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "forkTaskWorkflowVersion must be a whole number" in (view.workflow.reason_for_incompletion or "")
