"""What the operator lets one run use: a run that wants more ends with a reason that names the limit and the setting."""

from datetime import timedelta
from typing import Any

import pytest
from fermata.application.event_registry import add_handlers
from fermata.domain.errors import InvalidRequest
from fermata.domain.limits import Limits
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.ports import WorkflowQuery
from fermata.settings import read
from fermata.wire.event_handlers import event_handlers_from_json

from tests.support.world import World, step, workflow

HUNDRED_THOUSAND = 100_000
LEGACY = {"dynamicForkJoinTasksParam": "all"}
PAIR = {"dynamicForkTasksParam": "all", "dynamicForkTasksInputParamName": "inputs"}


def loop(condition: str, **fields: Any) -> dict[str, Any]:
    return step("DO_WHILE", "loop", {"keepLastN": 1}, loopCondition=condition, loopOver=[step("NOOP", "body")], **fields)


def dynamic_fork(given: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return workflow(step("FORK_JOIN_DYNAMIC", "fork", given, **fields), step("JOIN", "join"))


def test_a_loop_that_never_ends_is_stopped_and_the_reason_names_the_setting() -> None:
    view = World(limits=Limits(max_loop_iterations=7)).outcome(workflow(loop("true"), step("NOOP", "after")))
    assert view.workflow.status is WorkflowStatus.FAILED
    reason = view.workflow.reason_for_incompletion or ""
    assert "loop" in reason
    assert "the most is 7 iterations (setting FERMATA_MAX_LOOP_ITERATIONS)" in reason
    task = next(each.task for each in view.tasks if each.task.task_reference_name == "loop")
    assert (task.status, task.output["iteration"]) == (TaskStatus.FAILED, 7)


def test_a_loop_may_make_its_last_allowed_iteration() -> None:
    view = World(limits=Limits(max_loop_iterations=7)).outcome(workflow(loop("$.loop.iteration < 7")))
    assert view.workflow.status is WorkflowStatus.COMPLETED


def test_a_loop_over_too_many_items_fails_before_its_first_iteration() -> None:
    view = World(limits=Limits(max_loop_iterations=7)).outcome(workflow(loop("", items="${workflow.input.all}")), {"all": list(range(8))})
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "8 items; the most is 7 iterations" in (view.workflow.reason_for_incompletion or "")
    assert [each.task.task_reference_name for each in view.tasks] == ["loop"]


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"forkTaskType": "NOOP", "forkTaskInputs": [{}] * HUNDRED_THOUSAND}, {}),
        ({"all": [{"name": "a", "taskReferenceName": "a"}] * HUNDRED_THOUSAND, "inputs": {}}, PAIR),
        ({"all": {"dynamicTasks": [{"taskName": "a", "referenceName": "a"}] * HUNDRED_THOUSAND}}, LEGACY),
    ],
    ids=["inputs", "pair", "legacy"],
)
def test_a_dynamic_fork_of_a_hundred_thousand_is_refused_with_the_limit(given: dict[str, Any], fields: dict[str, Any]) -> None:
    named = {name: f"${{workflow.input.{name}}}" for name in given}
    view = World().outcome(dynamic_fork(named, **fields), given)
    assert view.workflow.status is WorkflowStatus.FAILED
    reason = view.workflow.reason_for_incompletion or ""
    assert "100,000 branches cannot be forked; the most is 2,000 branches (setting FERMATA_MAX_FORK_BRANCHES)" in reason
    assert [each.task.task_reference_name for each in view.tasks] == ["fork"]


def test_a_static_fork_that_is_too_wide_is_refused_at_registration() -> None:
    wide = workflow(step("FORK_JOIN", "fork", forkTasks=[[step("NOOP", f"n{n}")] for n in range(5)]), step("JOIN", "join", joinOn=["n0"]))
    with pytest.raises(InvalidRequest) as refused:
        World(limits=Limits(max_fork_branches=4)).register(wide)
    [violation] = refused.value.violations
    assert violation.path == "tasks[0].forkTasks"
    assert "5 branches cannot be forked; the most is 4 branches (setting FERMATA_MAX_FORK_BRANCHES)" in violation.message
    World(limits=Limits(max_fork_branches=5)).register(wide)


def test_a_run_that_starts_itself_is_stopped_at_the_depth_the_operator_chose() -> None:
    world = World(limits=Limits(max_sub_workflow_depth=3))
    view = world.outcome(workflow(step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "flow"})))
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "the most is 3 runs deep (setting FERMATA_MAX_SUB_WORKFLOW_DEPTH)" in (view.workflow.reason_for_incompletion or "")


AGAIN = step("START_WORKFLOW", "again", {"startWorkflow": {"name": "flow"}})
IN_A_ROW = "the most is 3 of them (setting FERMATA_MAX_START_CHAIN)"


def started(world: World) -> list[WorkflowStatus]:
    """Return how the runs have ended, oldest first."""
    return [run.status for run in reversed(world.executions.search(WorkflowQuery(size=100)).workflows)]


def test_a_run_that_starts_itself_beside_it_is_stopped() -> None:
    world = World(limits=Limits(max_start_chain=3))
    world.outcome(workflow(AGAIN))
    assert started(world) == [*[WorkflowStatus.COMPLETED] * 3, WorkflowStatus.FAILED]
    last = world.executions.search(WorkflowQuery()).workflows[0]
    assert IN_A_ROW in (last.reason_for_incompletion or "")


def test_a_run_that_takes_its_time_may_start_itself_for_ever() -> None:
    world = World(limits=Limits(max_start_chain=3))
    world.start(workflow(step("WAIT", "a_while", {"duration": "61 seconds"}), AGAIN))
    world.run_until(timedelta(minutes=11))
    assert started(world) == [*[WorkflowStatus.COMPLETED] * 10, WorkflowStatus.RUNNING]


def test_a_child_in_between_does_not_make_it_another_chain() -> None:
    world = World(limits=Limits(max_start_chain=3))
    world.register({**workflow(AGAIN), "name": "child"})
    world.outcome(workflow(step("SUB_WORKFLOW", "s", subWorkflowParam={"name": "child"})))
    assert len(started(world)) == 4


@pytest.mark.parametrize("sink", ["conductor:again", "sqs:again", "eventbridge:again"])
def test_a_handler_that_feeds_itself_is_stopped_and_says_so(sink: str) -> None:
    world = World(limits=Limits(max_start_chain=3))
    event = "conductor:flow:again" if sink.startswith("conductor") else sink
    action = {"action": "start_workflow", "start_workflow": {"name": "flow"}}
    add_handlers(world.engine, event_handlers_from_json([{"name": "h", "event": event, "active": True, "actions": [action]}]))
    world.outcome(workflow(step("EVENT", "tell", sink=sink)))
    assert started(world) == [WorkflowStatus.COMPLETED] * 4
    outputs = [dict(each.output) for each in world.engine.event_executions.of_event(event, 10)]
    [refused] = [output["error"] for output in outputs if "error" in output]
    assert IN_A_ROW in refused


def test_the_settings_are_read_from_the_environment() -> None:
    assert read({}).limits == Limits()
    given = {"FERMATA_MAX_LOOP_ITERATIONS": "5", "FERMATA_MAX_FORK_BRANCHES": "6", "FERMATA_MAX_SUB_WORKFLOW_DEPTH": "7"}
    given["FERMATA_MAX_START_CHAIN"] = "8"
    assert read(given).limits == Limits(max_loop_iterations=5, max_fork_branches=6, max_sub_workflow_depth=7, max_start_chain=8)


@pytest.mark.parametrize("wrong", ["0", "-1", "many"])
def test_a_limit_that_allows_nothing_is_a_mistake_that_names_the_variable(wrong: str) -> None:
    with pytest.raises(ValueError, match="FERMATA_MAX_FORK_BRANCHES"):
        read({"FERMATA_MAX_FORK_BRANCHES": wrong})
