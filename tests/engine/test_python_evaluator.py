"""SWITCH and INLINE with `evaluatorType` python: decided like JavaScript's, refused at registration when they do not parse."""

from typing import Any

import pytest
from fermata.domain.errors import InvalidRequest
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.world import World, step, workflow


def inline(script: str, **given: Any) -> dict[str, Any]:
    return step("INLINE", "i", {"evaluatorType": "python", "expression": script, **given})


def switch(script: str, **given: Any) -> dict[str, Any]:
    cases = {"big": [step("NOOP", "b")], "true": [step("NOOP", "t")]}
    return step("SWITCH", "s", given, evaluatorType="python", expression=script, decisionCases=cases, defaultCase=[step("NOOP", "d")])


def test_inline_keeps_what_the_script_returns() -> None:
    view = World().outcome(workflow(inline("return {'twice': n * 2}", n="${workflow.input.n}")), {"n": 21})
    assert view.workflow.output == {"result": {"twice": 42}}


@pytest.mark.parametrize(
    ("script", "taken"), [("if n > 2:\n  return 'big'\nreturn 'small'", "b"), ("return n == 3", "t"), ("return None", "d"), ("n", "d")]
)
def test_switch_takes_the_branch_that_the_script_names(script: str, taken: str) -> None:
    view = World().outcome(workflow(switch(script, n=3)))
    assert [each.task.task_reference_name for each in view.tasks] == ["s", taken]


@pytest.mark.parametrize("wrong", [inline("import os"), switch("while n:\n  pass")])
def test_a_script_that_does_not_parse_is_refused_at_registration(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        World().register(workflow(wrong))
    [violation] = refused.value.violations
    assert violation.path.endswith("expression")
    assert "is not valid python" in violation.message
    assert "Starlark" in violation.message


def test_a_script_that_goes_wrong_fails_inline_for_good() -> None:
    view = World().outcome(workflow(inline("return open('/etc/passwd')")))
    assert view.tasks[0].task.status is TaskStatus.FAILED_WITH_TERMINAL_ERROR
    assert "`open` not found" in (view.workflow.reason_for_incompletion or "")


def test_a_script_that_goes_wrong_fails_switch() -> None:
    view = World().outcome(workflow(switch("return n['x']", n=1)))
    assert (view.workflow.status, view.tasks[0].task.status) == (WorkflowStatus.FAILED, TaskStatus.FAILED)
