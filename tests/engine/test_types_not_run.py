"""A type that is not run here is refused by name, with why and what to use instead: at registration, and where data brings it."""

from typing import Any

import pytest
from fermata.domain.errors import InvalidRequest
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks.not_run import NOT_RUN, refusal_of
from fermata.domain.tasks.registry import TASK_TYPES

from tests.support.world import World, step, workflow

KAFKA = refusal_of("KAFKA_PUBLISH", "k")
FORK_OF_ONE = {"dynamicForkTasksParam": "tasks", "dynamicForkTasksInputParamName": "inputs"}


def refusals(*steps: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequest) as refused:
        World().register(workflow(*steps))
    return [(violation.path, violation.message) for violation in refused.value.violations]


def test_no_type_is_both_run_and_refused() -> None:
    assert not NOT_RUN.keys() & TASK_TYPES.keys()


@pytest.mark.parametrize("task_type", NOT_RUN)
def test_registration_names_the_type_why_and_what_to_use_instead(task_type: str) -> None:
    [(path, message)] = refusals(step(task_type, "k"))
    assert path == "tasks[0].type"
    assert message == f"task type '{task_type}' of k is not run here: {NOT_RUN[task_type].why}; {NOT_RUN[task_type].instead}"


@pytest.mark.parametrize("task_type", NOT_RUN)
def test_what_is_advised_exists(task_type: str) -> None:
    words = {word.strip("(),;") for word in NOT_RUN[task_type].instead.split()}
    advised = {word for word in words if word.isupper() and len(word) > 3} - {"POST", "DELETE", "REST"}
    assert advised <= {*TASK_TYPES, "EVENT"}


def test_a_type_deep_in_a_definition_is_refused_too() -> None:
    fork = step("FORK_JOIN", "f", forkTasks=[[step("NOOP", "a"), step("KAFKA_PUBLISH", "k")]])
    assert refusals(fork, step("JOIN", "j", joinOn=["k"])) == [("tasks[0].forkTasks[0][1].type", KAFKA)]


@pytest.mark.parametrize(
    ("wrong", "advice"), [("HTTP_POL", "did you mean 'HTTP_POLL'?"), ("MY_TYPE", "a worker's task has the type SIMPLE")]
)
def test_a_type_nobody_knows_is_refused_with_advice(wrong: str, advice: str) -> None:
    [(_, message)] = refusals(step(wrong, "k"))
    assert f"task type '{wrong}' of k is not known here; {advice}" in message


def test_a_dynamic_fork_of_such_a_type_ends_the_run_with_the_same_text() -> None:
    given = {"tasks": [{"name": "k", "taskReferenceName": "k", "type": "KAFKA_PUBLISH"}], "inputs": {}}
    named = {name: f"${{workflow.input.{name}}}" for name in given}
    view = World().outcome(workflow(step("FORK_JOIN_DYNAMIC", "f", named, **FORK_OF_ONE), step("JOIN", "j")), given)
    assert (view.workflow.status, view.workflow.reason_for_incompletion) == (WorkflowStatus.FAILED, KAFKA)


@pytest.mark.parametrize(("name", "reason"), [("KAFKA_PUBLISH", KAFKA), ("DO_WHILE", "DYNAMIC task k cannot be a DO_WHILE")])
def test_a_dynamic_task_that_would_become_one_fails_for_good(name: str, reason: str) -> None:
    dynamic = step("DYNAMIC", "k", {"kind": "${workflow.input.kind}"}, dynamicTaskNameParam="kind")
    view = World().outcome(workflow(dynamic), {"kind": name})
    task = view.tasks[0].task
    assert (task.status, task.reason_for_incompletion) == (TaskStatus.FAILED_WITH_TERMINAL_ERROR, reason)
    assert view.workflow.status is WorkflowStatus.FAILED
    assert str(reason) in (view.workflow.reason_for_incompletion or "")


def test_a_dynamic_task_that_is_optional_lets_the_run_go_on() -> None:
    dynamic = step("DYNAMIC", "k", {"kind": "AGENT"}, dynamicTaskNameParam="kind", optional=True)
    view = World().outcome(workflow(dynamic, step("NOOP", "after")))
    assert [each.task.status for each in view.tasks] == [TaskStatus.COMPLETED_WITH_ERRORS, TaskStatus.COMPLETED]
