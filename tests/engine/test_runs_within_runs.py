"""SUB_WORKFLOW, START_WORKFLOW, DYNAMIC, DECISION, LAMBDA and failure workflows, in memory, as Conductor's engine does them."""

import contextlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fermata.application import operate
from fermata.application.complete import complete_task
from fermata.application.deliver import deliver
from fermata.application.start import StartWorkflow, start
from fermata.domain.effects import Decision
from fermata.domain.errors import InvalidRequest
from fermata.domain.ids import failure_workflow_id
from fermata.domain.limits import Limits
from fermata.domain.messages import EndRun, RunTask
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.chaos import Crash
from tests.support.world import World, answer, step, workflow


def inline(reference: str, expression: str = "1", given: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return step("INLINE", reference, {**(given or {}), "expression": expression}, **fields)


def child(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**workflow(*steps), "name": "child", **fields}


def sub(given: dict[str, Any] | None = None, param: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return step("SUB_WORKFLOW", "sub", given, subWorkflowParam=param or {"name": "child"}, **fields)


def with_child(world: World, definition: dict[str, Any]) -> World:
    world.register(definition)
    return world


# --- SUB_WORKFLOW ---


def test_a_child_runs_with_the_steps_input_and_its_output_is_the_tasks() -> None:
    world = with_child(World(), child(inline("double", "$.n * 2", {"n": "${workflow.input.n}"})))
    view = world.outcome(workflow(sub({"n": "${workflow.input.n}"}), inline("after", "$.r", {"r": "${sub.output.result}"})), {"n": 21})
    task = view.tasks[0].task
    assert (view.workflow.status, view.workflow.output) == (WorkflowStatus.COMPLETED, {"result": 42})
    assert task.output == {"subWorkflowId": task.sub_workflow_id, "result": 42}
    run = world.view(task.sub_workflow_id or "").workflow
    assert (run.parent_workflow_id, run.parent_workflow_task_id) == (view.workflow.workflow_id, task.task_id)
    assert run.input == {"n": 21}


def test_a_parent_waits_as_long_as_its_child_and_no_alarm_of_its_own_runs() -> None:
    world = with_child(World(), child(step("WAIT", "w", {"duration": "3 days"})))
    view = world.outcome(workflow(sub({"x": 1})))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert world.clock.now() - view.workflow.create_time == timedelta(days=3)


@pytest.mark.parametrize(
    ("ending", "task", "run"),
    [
        ("FAILED", TaskStatus.FAILED, WorkflowStatus.FAILED),
        ("TERMINATED", TaskStatus.CANCELED, WorkflowStatus.TERMINATED),
    ],
)
def test_a_childs_end_is_the_tasks(ending: str, task: TaskStatus, run: WorkflowStatus) -> None:
    terminate = step("TERMINATE", "t", {"terminationStatus": ending, "terminationReason": "why"})
    view = with_child(World(), child(terminate)).outcome(workflow(sub({"x": 1})))
    assert (view.tasks[0].task.status, view.workflow.status) == (task, run)
    assert "failure reason: why" in (view.tasks[0].task.reason_for_incompletion or "")


def test_a_child_that_times_out_times_its_task_out() -> None:
    timed = child(step("WAIT", "w", {"duration": "1h"}), timeoutSeconds=60, timeoutPolicy="TIME_OUT_WF")
    view = with_child(World(), timed).outcome(workflow(sub({"x": 1})))
    assert (view.tasks[0].task.status, view.workflow.status) == (TaskStatus.TIMED_OUT, WorkflowStatus.TIMED_OUT)


def test_an_optional_child_may_fail() -> None:
    terminate = step("TERMINATE", "t", {"terminationStatus": "FAILED"})
    view = with_child(World(), child(terminate)).outcome(workflow(sub({"x": 1}, optional=True), inline("after")))
    assert (view.tasks[0].task.status, view.workflow.status) == (TaskStatus.COMPLETED_WITH_ERRORS, WorkflowStatus.COMPLETED)


def test_a_retried_sub_workflow_starts_a_new_child() -> None:
    answers = iter([answer({}, 500), answer({"ok": 1})])
    request = {"http_request": {"uri": "http://v", "method": "GET"}}
    world = with_child(World(lambda _: next(answers)), child(step("HTTP", "h", request)))
    view = world.outcome(workflow(sub({"x": 1}, retryCount=1)))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    children = [task.task.sub_workflow_id for task in view.tasks]
    assert len(set(children)) == 2


def test_terminating_the_parent_terminates_the_child_and_its_children() -> None:
    world = World()
    world.register({**workflow(step("WAIT", "w", {"duration": "9 days"})), "name": "grandchild"})
    world.register(child(sub({"x": 1}, {"name": "grandchild"})))
    workflow_id = world.start(workflow(sub({"x": 1})))
    world.run_until(timedelta(minutes=1))
    child_id = world.tasks(workflow_id)["sub"].sub_workflow_id or ""
    grandchild_id = world.tasks(child_id)["sub"].sub_workflow_id or ""
    operate.terminate(world.engine, workflow_id, "enough")
    world.run_until(timedelta(minutes=1))
    statuses = [world.view(each).workflow.status for each in (workflow_id, child_id, grandchild_id)]
    assert statuses == [WorkflowStatus.TERMINATED] * 3


# --- children that nobody waits for any more ---

HOUR = {"duration": "1h"}


def patience(policy: str, **fields: Any) -> dict[str, Any]:
    return {
        "name": "sub",
        "timeoutSeconds": 60,
        "timeoutPolicy": policy,
        "responseTimeoutSeconds": 1,
        "retryDelaySeconds": 0,
        "retryCount": 0,
        **fields,
    }


def children(world: World, workflow_id: str) -> list[tuple[WorkflowStatus, str]]:
    """Return how the children of a run's SUB_WORKFLOW attempts are, and why."""
    runs = [world.view(view.task.sub_workflow_id or "").workflow for view in world.view(workflow_id).tasks if view.task.sub_workflow_id]
    return [(run.status, run.reason_for_incompletion or "") for run in runs]


def test_a_task_that_times_out_ends_its_child_and_its_retry_starts_a_new_one() -> None:
    world = with_child(World(), child(step("WAIT", "w", HOUR)))
    view = world.outcome(workflow(sub({"x": 1}, optional=True, taskDefinition=patience("RETRY", retryCount=1)), inline("after")))
    assert [task.task.status for task in view.tasks[:2]] == [TaskStatus.TIMED_OUT, TaskStatus.COMPLETED_WITH_ERRORS]
    assert len({task.task.sub_workflow_id for task in view.tasks[:2]}) == 2
    reason = "Parent workflow no longer waits, its task sub is TIMED_OUT: Task timed out: timeoutSeconds (60) passed"
    assert children(world, view.workflow.workflow_id)[0] == (WorkflowStatus.TERMINATED, reason)
    assert children(world, view.workflow.workflow_id)[1][0] is WorkflowStatus.TERMINATED
    assert view.workflow.end_time == view.workflow.create_time + timedelta(seconds=120), "nobody waits for the children's hour"


def test_a_task_whose_timeout_ends_the_run_ends_its_child() -> None:
    world = with_child(World(), child(step("WAIT", "w", HOUR)))
    view = world.outcome(workflow(sub({"x": 1}, taskDefinition=patience("TIME_OUT_WF"))))
    assert view.workflow.status is WorkflowStatus.TIMED_OUT
    reason = f"Parent workflow has been terminated with reason: {view.workflow.reason_for_incompletion}"
    assert children(world, view.workflow.workflow_id) == [(WorkflowStatus.TERMINATED, reason)]


@pytest.mark.parametrize(("given", "shown"), [("enough", "reason: enough"), (None, "status TERMINATED")])
def test_a_child_of_a_terminated_parent_names_the_parents_reason(given: str | None, shown: str) -> None:
    world = with_child(World(), child(step("WAIT", "w", HOUR)))
    workflow_id = world.start(workflow(sub({"x": 1})))
    world.run_until(timedelta(minutes=1))
    operate.terminate(world.engine, workflow_id, given)
    world.run_until(timedelta(minutes=1))
    assert children(world, workflow_id) == [(WorkflowStatus.TERMINATED, f"Parent workflow has been terminated with {shown}")]


def test_a_task_that_somebody_else_ends_ends_its_child() -> None:
    world = with_child(World(), child(step("WAIT", "w", HOUR)))
    workflow_id = world.start(workflow(sub({"x": 1})))
    world.run_until(timedelta(minutes=1))
    complete_task(world.engine, workflow_id, world.tasks(workflow_id)["sub"].task_id, TaskStatus.COMPLETED, {"by": "hand"})
    world.run_until(timedelta(minutes=1))
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED
    assert [status for status, _ in children(world, workflow_id)] == [WorkflowStatus.TERMINATED]


@pytest.mark.parametrize("dies", [False, True], ids=["goes on", "dies and comes again"])
def test_a_child_whose_task_ends_while_it_is_being_started_is_ended(*, dies: bool) -> None:
    """The order to end it comes before there is a run that it could end."""
    world = with_child(World(), child(step("WAIT", "w", HOUR)))
    workflow_id = world.start(workflow(sub({"x": 1})))
    message = RunTask(workflow_id, world.tasks(workflow_id)["sub"].task_id)
    real = world.executions.commit

    def commit(decision: Decision) -> bool:
        if decision.workflow.parent_workflow_id and decision.workflow.revision == 1:
            world.executions.commit = real  # type: ignore[method-assign]
            operate.terminate(world.engine, workflow_id, "enough")
            deliver(world.engine, EndRun(decision.workflow.workflow_id))
            assert real(decision)
            if dies:
                raise Crash
            return True
        return real(decision)

    world.executions.commit = commit  # type: ignore[method-assign]
    with contextlib.suppress(Crash):
        deliver(world.engine, message)
    world.run_until(timedelta(minutes=1))
    if dies:
        deliver(world.engine, message)
    assert children(world, workflow_id) == [(WorkflowStatus.TERMINATED, "Parent workflow has been terminated with reason: enough")]


# --- where a child's definition stands ---


def test_a_child_may_stand_in_the_step_or_in_the_data() -> None:
    definition = child(inline("a", "7"))
    inside = sub({"x": 1}, {"name": "child", "version": 1, "workflowDefinition": definition})
    assert World().outcome(workflow(inside)).workflow.output["result"] == 7
    named = sub({"x": 1}, {"name": "child", "version": 1, "workflowDefinition": "${workflow.input.definition}"})
    assert World().outcome(workflow(named), {"definition": definition}).workflow.output["result"] == 7


def test_a_childs_own_expressions_are_not_resolved_by_its_parent() -> None:
    definition = child(inline("a", "$.n", {"n": "${workflow.input.n}"}))
    inside = sub({"n": 5}, {"name": "child", "version": 1, "workflowDefinition": definition})
    assert World().outcome(workflow(inside), {"n": 1}).workflow.output["result"] == 5


def test_a_child_that_is_not_registered_fails_the_task_by_name() -> None:
    view = World().outcome(workflow(sub({"x": 1})))
    assert (view.tasks[0].task.status, view.workflow.status) == (TaskStatus.FAILED, WorkflowStatus.FAILED)
    assert "No such workflow found by name: child" in (view.tasks[0].task.reason_for_incompletion or "")


def test_a_workflow_that_starts_itself_is_stopped_by_its_depth() -> None:
    world = World()
    workflow_id = world.start(workflow(sub({"x": 1}, {"name": "flow"})))
    world.run()
    assert world.view(workflow_id).workflow.status is WorkflowStatus.FAILED
    reasons = [stored.reason_for_incompletion or "" for stored in world.executions.search(_everything()).workflows]
    assert any("does it start itself?" in reason for reason in reasons)


def _everything() -> Any:
    from fermata.ports import WorkflowQuery

    return WorkflowQuery(size=100)


def test_a_lost_end_of_a_child_is_found_by_the_sweeper() -> None:
    from fermata.application.sweep import sweep
    from fermata.domain.messages import WakeTask

    world = with_child(World(), child(step("WAIT", "w", {"duration": "10m"})))
    workflow_id = world.start(workflow(sub({"x": 1})))
    world.run_until(timedelta(minutes=5))
    real = world.alarms.send
    world.alarms.send = lambda message, at, now: None if _is_end(message, workflow_id) else real(message, at, now)  # type: ignore[method-assign]
    world.run_until(timedelta(minutes=10))
    assert world.view(workflow_id).workflow.status is WorkflowStatus.RUNNING
    world.clock.advance(timedelta(hours=2))
    sweep(world.engine)
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED
    assert WakeTask


def _is_end(message: Any, workflow_id: str) -> bool:
    return message.workflow_id == workflow_id


def test_children_run_side_by_side_in_a_dynamic_fork() -> None:
    world = with_child(World(), child(inline("a", "$.n * 10", {"n": "${workflow.input.n}"})))
    fork = step("FORK_JOIN_DYNAMIC", "d", {"forkTaskWorkflow": "child", "forkTaskInputs": [{"n": 1}, {"n": 2}]})
    view = world.outcome(workflow(fork, step("JOIN", "j")))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    joined = view.tasks[-1].task.output
    assert [joined[name]["result"] for name in sorted(joined)] == [10, 20]


# --- START_WORKFLOW ---


def test_start_workflow_starts_a_run_and_does_not_wait() -> None:
    world = with_child(World(), child(step("WAIT", "w", {"duration": "5h"})))
    starting = step("START_WORKFLOW", "s", {"startWorkflow": {"name": "child", "input": {"n": "${workflow.input.n}"}}})
    workflow_id = world.start(workflow(starting), {"n": 3})
    world.run_until(timedelta(minutes=1))
    view = world.view(workflow_id)
    assert view.workflow.status is WorkflowStatus.COMPLETED
    started = world.view(view.tasks[0].task.output["workflowId"]).workflow
    assert (started.status, started.input, started.parent_workflow_id) == (WorkflowStatus.RUNNING, {"n": 3}, None)


@pytest.mark.parametrize("request_", [{"name": "nobody"}, {}, {"name": "child", "priority": 1000}, None])
def test_start_workflow_fails_with_a_reason_when_it_cannot(request_: Any) -> None:
    view = with_child(World(), child(inline("a"))).outcome(workflow(step("START_WORKFLOW", "s", {"startWorkflow": request_})))
    assert view.tasks[0].task.status is TaskStatus.FAILED
    assert "could not be started" in (view.tasks[0].task.reason_for_incompletion or "")


# --- failureWorkflow ---


def test_a_failed_run_starts_its_failure_workflow_with_conductors_input() -> None:
    world = World(lambda _: answer({}, 500))
    world.register({**workflow(inline("note", "$.why", {"why": "${workflow.input.reason}"})), "name": "compensate"})
    request = {"http_request": {"uri": "http://v", "method": "GET"}}
    view = world.outcome(workflow(step("HTTP", "h", request), failureWorkflow="compensate"), {"order": 7})
    following = failure_workflow_id(view.workflow.workflow_id, 0)
    assert view.workflow.output["conductor.failure_workflow"] == following
    run = world.view(following).workflow
    assert run.status is WorkflowStatus.COMPLETED
    assert (run.input["order"], run.input["failureStatus"], run.input["workflowId"]) == (7, "FAILED", view.workflow.workflow_id)
    assert run.input["failureTaskId"] == view.tasks[0].task.task_id
    assert run.input["failedWorkflow"]["tasks"][0]["referenceTaskName"] == "h"


def test_an_order_to_terminate_starts_no_failure_workflow() -> None:
    world = World()
    world.register({**workflow(inline("note")), "name": "compensate"})
    workflow_id = world.start(workflow(step("WAIT", "w", {"duration": "1h"}), failureWorkflow="compensate"))
    operate.terminate(world.engine, workflow_id, "enough")
    world.run()
    assert world.executions.load(failure_workflow_id(workflow_id, 0)) is None


def test_a_failure_workflow_that_fails_and_names_itself_is_stopped_by_its_depth() -> None:
    world = World(limits=Limits(max_sub_workflow_depth=5))
    ending = step("TERMINATE", "t", {"terminationStatus": "FAILED"})
    view = world.outcome(workflow(ending, failureWorkflow="flow"))
    ids = [view.workflow.workflow_id]
    for _ in range(5):
        ids.append(failure_workflow_id(ids[-1], 0))
    assert world.view(ids[-1]).workflow.depth == 5
    assert world.executions.load(failure_workflow_id(ids[-1], 0)) is None


@pytest.mark.parametrize("name", ["$workflow.input.on_failure", "${workflow.input.on_failure}"])
def test_the_failure_workflow_may_be_named_by_the_input(name: str) -> None:
    world = World()
    world.register({**workflow(inline("note")), "name": "compensate"})
    ending = step("TERMINATE", "t", {"terminationStatus": "FAILED"})
    view = world.outcome(workflow(ending, failureWorkflow=name), {"on_failure": "compensate"})
    assert world.view(failure_workflow_id(view.workflow.workflow_id, 0)).workflow.workflow_name == "compensate"


# --- DYNAMIC, DECISION, LAMBDA ---


def test_dynamic_becomes_the_type_its_input_names() -> None:
    dynamic = step("DYNAMIC", "d", {"kind": "${workflow.input.kind}", "expression": "6 * 7"}, dynamicTaskNameParam="kind")
    view = World().outcome(workflow(dynamic), {"kind": "INLINE"})
    assert (view.workflow.output, view.tasks[0].task.task_type) == ({"result": 42}, "INLINE")


def test_dynamic_without_a_name_ends_the_run() -> None:
    dynamic = step("DYNAMIC", "d", {"kind": "${workflow.input.kind}"}, dynamicTaskNameParam="kind")
    view = World().outcome(workflow(dynamic))
    assert view.workflow.status is WorkflowStatus.FAILED
    assert "names no task" in (view.workflow.reason_for_incompletion or "")


@pytest.mark.parametrize(("value", "chosen"), [("a", "a"), ("empty", "default"), ("x", "default")])
def test_decision_takes_the_default_for_an_empty_case_too(value: str, chosen: str) -> None:
    cases = {"a": [step("SET_VARIABLE", "in_a", {"chosen": "a"})], "empty": []}
    default = [step("SET_VARIABLE", "in_default", {"chosen": "default"})]
    decision = step("DECISION", "d", {"v": value}, caseValueParam="v", decisionCases=cases, defaultCase=default)
    view = World().outcome(workflow(decision))
    assert view.workflow.variables == {"chosen": chosen}
    assert view.tasks[0].task.output == {"caseOutput": [value]}


def test_a_decision_whose_script_fails_ends_the_run() -> None:
    cases = {"a": [inline("in_a")]}
    view = World().outcome(workflow(step("DECISION", "d", {"v": 1}, caseExpression="$.v.x.y.z", decisionCases=cases)))
    assert view.workflow.status is WorkflowStatus.FAILED


def test_lambda_returns_from_its_script() -> None:
    view = World().outcome(workflow(step("LAMBDA", "l", {"n": 2, "scriptExpression": "if ($.n > 1) { return {big: true}; } return 0;"})))
    assert view.workflow.output == {"result": {"big": True}}
    failed = World().outcome(workflow(step("LAMBDA", "l", {"scriptExpression": "return nope();"})))
    assert failed.tasks[0].task.status is TaskStatus.FAILED


@pytest.mark.parametrize(
    ("definition", "path"),
    [
        (workflow(step("SUB_WORKFLOW", "s")), "tasks[0].subWorkflowParam"),
        (workflow(step("DYNAMIC", "s")), "tasks[0].dynamicTaskNameParam"),
        (workflow(step("DECISION", "s")), "tasks[0].caseValueParam"),
        (workflow(step("LAMBDA", "s", {"scriptExpression": "return ("})), "tasks[0].inputParameters.scriptExpression"),
        (workflow(step("START_WORKFLOW", "s")), "tasks[0].inputParameters.startWorkflow"),
        (workflow(step("HTTP", "s", {"http_request": {"method": "GET"}})), "tasks[0].inputParameters.http_request.uri"),
        (workflow(step("HTTP_POLL", "s", {"http_request": {}})), "tasks[0].inputParameters.http_request.uri"),
        (workflow(step("KAFKA_PUBLISH", "s")), "tasks[0].type"),
    ],
)
def test_registration_refuses_by_path(definition: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        World().register(definition)
    assert path in [violation.path for violation in caught.value.violations]


def test_starting_many_children_asks_for_none_of_them() -> None:
    """A question begins the decision anew: one for each child would make a fork's cost grow with its square."""
    world = with_child(World(), child(step("HUMAN", "h")))
    asked: list[str] = []

    class Asked:
        def __getattr__(self, name: str) -> Any:
            asked.append(name)
            return getattr(world.executions, name)

    fork = step("FORK_JOIN_DYNAMIC", "d", {"forkTaskWorkflow": "child", "forkTaskInputs": [{}] * 50})
    name = world.register(workflow(fork, step("JOIN", "j")))
    start(replace(world.engine, executions=Asked()), StartWorkflow(name))
    assert len(asked) < 10
