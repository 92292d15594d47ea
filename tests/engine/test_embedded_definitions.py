"""Definitions that stand in a SUB_WORKFLOW step are checked when what holds them is registered, to any depth."""

from typing import Any

import pytest
from fermata.application.check import warnings
from fermata.domain.errors import InvalidRequest, Violation
from fermata.wire.definitions import workflow_definition_from_json

from tests.support.world import World, step, workflow

PLACE = "tasks[0].subWorkflowParam.workflowDefinition"


def around(*steps: dict[str, Any], name: str = "inner", **fields: Any) -> dict[str, Any]:
    """Return a definition of one step, which holds another definition of these steps."""
    inside = {**workflow(*steps), "name": name, **fields}
    return workflow(step("SUB_WORKFLOW", "s", {"x": 1}, subWorkflowParam={"name": name, "version": 1, "workflowDefinition": inside}))


def refused(definition: dict[str, Any]) -> list[Violation]:
    with pytest.raises(InvalidRequest) as error:
        World().register(definition)
    return list(error.value.violations)


def test_every_mistake_inside_is_named_with_its_whole_place() -> None:
    script = step("INLINE", "i", {"expression": "1 +"})
    found = refused(around(step("HTTP", "h"), script, step("SWITCHH", "w")))
    assert [each.path for each in found] == [
        f"{PLACE}.tasks[0].inputParameters.http_request",
        f"{PLACE}.tasks[2].type",
        f"{PLACE}.tasks[1].inputParameters.expression",
    ]


def test_a_definition_that_cannot_be_read_is_named() -> None:
    wrong = around(step("NOOP", "n"), timeoutSeconds="soon")
    assert [each.path for each in refused(wrong)] == [f"{PLACE}.timeoutSeconds"]


def test_a_definition_inside_a_definition_inside_is_checked_too() -> None:
    innermost = around(step("HTTP", "h"))
    assert [each.path for each in refused(around(*innermost["tasks"]))] == [f"{PLACE}.{PLACE}.tasks[0].inputParameters.http_request"]


def test_an_expression_for_a_definition_is_not_one_yet() -> None:
    named = {"name": "child", "version": 1, "workflowDefinition": "${workflow.input.definition}"}
    World().register(workflow(step("SUB_WORKFLOW", "s", {"x": 1}, subWorkflowParam=named)))


def test_definitions_deeper_in_each_other_than_runs_may_be_are_refused() -> None:
    definition = workflow(step("NOOP", "n"))
    for _ in range(26):
        definition = around(*definition["tasks"])
    [found] = refused(definition)
    assert "25 runs deep" in found.message
    World().register(around(*workflow(step("NOOP", "n"))["tasks"]))


def test_warnings_about_what_is_inside_have_their_whole_place() -> None:
    ends = step("TERMINATE", "t", {"terminationStatus": "COMPLETED"})
    definition = workflow_definition_from_json(around(ends, step("NOOP", "never")))
    found = [(each.path, each.code) for each in warnings(World().engine, definition)]
    assert found == [(f"{PLACE}.tasks[1]", "UNREACHABLE")]
