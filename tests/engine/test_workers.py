"""SIMPLE tasks: queues, workers that take and report, workers that die, limits and domains; in memory, on the virtual clock."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from fermata.application import hand_out, look, operate, report
from fermata.application.advance import advance
from fermata.application.register import register_tasks
from fermata.application.report import TaskResult
from fermata.application.start import StartWorkflow, start
from fermata.application.sweep import sweep
from fermata.application.views import TaskView
from fermata.domain.errors import Conflict, InvalidRequest, NotFound
from fermata.domain.executions import Task
from fermata.domain.outcomes import Outcome
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.working import LogEntry, WorkerQueue, WorkItem, WorkKey
from fermata.wire.definitions import task_definition_from_json

from tests.support.chaos import Crash, CrashPlan, breaking
from tests.support.world import World, step, workflow

FAST = {"retryCount": 3, "retryDelaySeconds": 5, "responseTimeoutSeconds": 30}


class Shop(World):
    """A world with workers: `take` asks for work, `say` reports on it."""

    def define(self, name: str = "pack", **fields: Any) -> None:
        register_tasks(self.engine, [task_definition_from_json({"name": name, **FAST, **fields})])

    def take(self, name: str = "pack", worker: str = "w1", count: int = 1, domain: str | None = None) -> list[Task]:
        return [view.task for view in self.views(name, worker, count, domain)]

    def views(self, name: str = "pack", worker: str = "w1", count: int = 1, domain: str | None = None) -> list[TaskView]:
        return hand_out.hand_out(self.engine, WorkerQueue(name, domain, worker), count)

    def say(self, task: Task, status: str = "COMPLETED", output: dict[str, Any] | None = None, **fields: Any) -> Task:
        return report.report(self.engine, TaskResult(task.workflow_id, task.task_id, TaskStatus(status), output or {}, **fields))

    def status(self, workflow_id: str) -> WorkflowStatus:
        return self.view(workflow_id).workflow.status

    def pass_time(self, seconds: float) -> None:
        self.run_until(timedelta(seconds=seconds))


@pytest.fixture
def shop() -> Shop:
    shop = Shop()
    shop.define()
    return shop


def pack(reference: str = "pack", **fields: Any) -> dict[str, Any]:
    return {**step("SIMPLE", reference, {"n": "${workflow.input.n}"}, **fields), "name": "pack"}


# --- the way of a task ---


def test_a_worker_takes_the_task_and_its_result_brings_the_run_on(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack("first"), pack("second")), {"n": 7})
    (task,) = shop.take()
    assert (task.task_type, task.task_def_name, task.task_reference_name, task.input) == ("pack", "pack", "first", {"n": 7})
    assert (task.status, task.worker_id, task.poll_count, task.callback_after_seconds) == (TaskStatus.IN_PROGRESS, "w1", 1, 0)
    shop.say(task, output={"box": 1})
    (task,) = shop.take()
    assert task.task_reference_name == "second"
    shop.say(task, output={"box": 2})
    view = shop.view(workflow_id)
    assert (view.workflow.status, view.workflow.output) == (WorkflowStatus.COMPLETED, {"box": 2})
    assert [(shown.task.status, shown.task.worker_id, shown.task.poll_count) for shown in view.tasks] == [
        (TaskStatus.COMPLETED, "w1", 1)
    ] * 2


def test_a_task_is_shown_as_its_worker_row_has_it(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    assert shop.tasks(workflow_id)["pack"].status is TaskStatus.SCHEDULED
    shop.pass_time(3)
    shop.take(worker="ann")
    shown = shop.tasks(workflow_id)["pack"]
    assert (shown.status, shown.worker_id, shown.poll_count, shown.start_time) == (TaskStatus.IN_PROGRESS, "ann", 1, shop.clock.now())


def test_one_task_goes_to_one_worker(shop: Shop) -> None:
    shop.start(workflow(pack()))
    assert len(shop.take(worker="ann", count=5)) == 1
    assert shop.take(worker="bob", count=5) == []


def test_a_batch_takes_the_oldest_first_and_no_more_than_asked(shop: Shop) -> None:
    runs = []
    for _ in range(5):
        runs.append(shop.start(workflow(pack())))
        shop.pass_time(1)
    assert [task.workflow_id for task in shop.take(count=3)] == runs[:3]
    assert [task.workflow_id for task in shop.take(count=3)] == runs[3:]
    assert shop.take(count=0) == []


def test_waiting_for_a_worker_costs_nothing(shop: Shop) -> None:
    shop.start(workflow(pack()))
    assert shop.alarms.next_at() is None


def test_no_secret_reaches_a_worker(shop: Shop) -> None:
    shop = Shop(secrets={"KEY": "s3cret"})
    with pytest.raises(InvalidRequest) as refused:
        shop.register(workflow({**pack(), "inputParameters": {"key": "Bearer ${workflow.secrets.KEY}"}}))
    assert refused.value.violations[0].path == "tasks[0].inputParameters"
    shop.define(inputTemplate={"key": "${workflow.secrets.KEY}"})
    shop.start(workflow(pack()), {"n": "${workflow.secrets.KEY}"})
    assert shop.take()[0].input == {"key": None, "n": "${workflow.secrets.KEY}"}, "data arrives as it was sent"


def test_a_task_named_like_a_type_is_refused(shop: Shop) -> None:
    with pytest.raises(InvalidRequest) as refused:
        shop.register(workflow({**pack(), "name": "JOIN"}))
    assert refused.value.violations[0].path == "tasks[0].name"


# --- reports ---


def test_a_failure_is_tried_again_after_its_delay(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    shop.say(shop.take()[0], "FAILED", reason="x" * 600)
    assert shop.tasks(workflow_id)["pack"].retry_count == 1
    assert shop.take() == []
    shop.pass_time(5)
    (again,) = shop.take()
    assert (again.retry_count, again.poll_count, again.input) == (1, 1, {"n": None})
    first = shop.view(workflow_id).tasks[0].task
    assert (first.status, first.retried, len(first.reason_for_incompletion or "")) == (TaskStatus.FAILED, True, 500)


def test_a_terminal_error_ends_the_run(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    shop.say(shop.take()[0], "FAILED_WITH_TERMINAL_ERROR", reason="no")
    assert shop.status(workflow_id) is WorkflowStatus.FAILED


def test_canceled_by_its_worker_terminates_the_run(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    shop.say(shop.take()[0], "CANCELED")
    assert shop.status(workflow_id) is WorkflowStatus.TERMINATED


def test_in_progress_puts_the_task_back_for_a_while_with_what_was_said(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    (task,) = shop.take()
    began = shop.clock.now()
    shop.say(task, "IN_PROGRESS", {"done": 10}, callback_after_seconds=20)
    shown = shop.tasks(workflow_id)["pack"]
    assert (shown.status, shown.output, shown.callback_after_seconds) == (TaskStatus.SCHEDULED, {"done": 10}, 20)
    shop.pass_time(19)
    assert shop.take() == []
    shop.pass_time(1)
    (again,) = shop.take(worker="bob")
    assert (again.task_id, again.poll_count, again.start_time, again.output) == (task.task_id, 2, began, {"done": 10})
    shop.say(again, output={"done": 100})
    assert shop.tasks(workflow_id)["pack"].output == {"done": 100}


def test_a_report_on_what_is_over_is_ignored(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    (task,) = shop.take()
    shop.say(task, output={"box": 1})
    for status in ("FAILED", "IN_PROGRESS", "COMPLETED"):
        shop.say(task, status, {"box": 2})
    assert shop.view(workflow_id).workflow.output == {"box": 1}


def test_a_report_on_nothing_is_not_found(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    for run, task in ((workflow_id, "no-task"), ("no-run", "no-task")):
        with pytest.raises(NotFound, match="no-task" if run == workflow_id else "no-run"):
            report.report(shop.engine, TaskResult(run, task, TaskStatus.COMPLETED))


def test_a_worker_may_not_say_that_it_timed_out(shop: Shop) -> None:
    shop.start(workflow(pack()))
    with pytest.raises(InvalidRequest, match="TIMED_OUT"):
        shop.say(shop.take()[0], "TIMED_OUT")


def test_logs_of_a_result_are_kept_ten_at_most(shop: Shop) -> None:
    shop.start(workflow(pack()))
    (task,) = shop.take()
    now = shop.clock.now()
    shop.say(task, logs=[LogEntry(f"line {number}", now + timedelta(milliseconds=number + 1)) for number in range(12)])
    report.write_log(shop.engine, task.task_id, "{not json")
    assert [entry.log for entry in report.read_log(shop.engine, task.task_id)] == ["{not json", *(f"line {number}" for number in range(10))]


# --- workers that die, and deadlines ---


def test_a_worker_that_dies_loses_nothing(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    (lost,) = shop.take(worker="dies")
    shop.pass_time(30)
    first = shop.view(workflow_id).tasks[0].task
    assert (first.status, first.worker_id, first.poll_count) == (TaskStatus.TIMED_OUT, "dies", 1)
    assert "responseTimeoutSeconds (30)" in (first.reason_for_incompletion or "")
    shop.say(lost, output={"too": "late"})
    shop.pass_time(5)
    (again,) = shop.take(worker="lives")
    shop.say(again, output={"box": 1})
    assert (shop.status(workflow_id), shop.view(workflow_id).workflow.output) == (WorkflowStatus.COMPLETED, {"box": 1})


def test_a_lease_lives_as_long_as_it_is_extended(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    (task,) = shop.take()
    for _ in range(5):
        shop.pass_time(20)
        shop.say(task, "IN_PROGRESS", {"ignored": True}, extend_lease=True)
    shown = shop.tasks(workflow_id)["pack"]
    assert (shown.task_id, shown.status, shown.output) == (task.task_id, TaskStatus.IN_PROGRESS, {})
    shop.pass_time(29)
    assert shop.tasks(workflow_id)["pack"].retry_count == 0
    shop.pass_time(1)
    assert shop.tasks(workflow_id)["pack"].retry_count == 1


def test_waking_twice_at_an_old_deadline_arms_the_new_one_once(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    (task,) = shop.take()
    shop.pass_time(20)
    shop.say(task, "IN_PROGRESS", extend_lease=True)
    shop.pass_time(10)
    revision = shop.view(workflow_id).workflow.revision
    assert not advance(shop.engine, workflow_id, task.task_id).changed
    assert shop.view(workflow_id).workflow.revision == revision


def test_a_lost_alarm_is_made_good_by_the_sweeper(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    shop.take()
    shop.alarms.take_due(shop.clock.now() + timedelta(days=1))
    shop.clock.advance(timedelta(hours=1, minutes=1))
    assert sweep(shop.engine).tasks == 1
    assert shop.tasks(workflow_id)["pack"].retry_count == 1


def test_a_result_that_was_recorded_and_forgotten_is_found(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    (task,) = shop.take()
    shop.engine.executions.record(Outcome(task.task_id, workflow_id, TaskStatus.COMPLETED, shop.clock.now(), {"box": 1}))
    shop.pass_time(30)
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED


def test_a_task_that_nobody_takes_times_out_by_its_poll_timeout(shop: Shop) -> None:
    shop.define(pollTimeoutSeconds=40, timeoutPolicy="RETRY", retryCount=1)
    workflow_id = shop.start(workflow(pack(startDelay=10)))
    shop.pass_time(49)
    assert shop.tasks(workflow_id)["pack"].retry_count == 0
    shop.pass_time(1)
    first = shop.view(workflow_id).tasks[0].task
    assert (first.status, first.retried) == (TaskStatus.TIMED_OUT, True)
    assert "pollTimeoutSeconds (40)" in (first.reason_for_incompletion or "")
    shop.pass_time(45)
    assert shop.status(workflow_id) is WorkflowStatus.TIMED_OUT


def test_a_poll_timeout_is_over_once_a_worker_has_the_task(shop: Shop) -> None:
    shop.define(pollTimeoutSeconds=10, responseTimeoutSeconds=1000)
    workflow_id = shop.start(workflow(pack()))
    shop.pass_time(9)
    (task,) = shop.take()
    shop.pass_time(500)
    shop.say(task)
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED


def test_timeout_seconds_count_from_the_first_hand_out_and_end_the_run(shop: Shop) -> None:
    shop.define(timeoutSeconds=60, responseTimeoutSeconds=50)
    workflow_id = shop.start(workflow(pack()))
    shop.pass_time(1000)
    (task,) = shop.take()
    shop.say(task, "IN_PROGRESS", callback_after_seconds=30)
    shop.pass_time(59)
    assert shop.status(workflow_id) is WorkflowStatus.RUNNING
    shop.pass_time(1)
    assert (shop.status(workflow_id), shop.take()) == (WorkflowStatus.TIMED_OUT, [])


def test_the_total_timeout_spans_all_attempts(shop: Shop) -> None:
    shop.define(totalTimeoutSeconds=100, timeoutPolicy="TIME_OUT_WF")
    workflow_id = shop.start(workflow(pack()))
    shop.say(shop.take()[0], "FAILED")
    shop.pass_time(99)
    assert shop.status(workflow_id) is WorkflowStatus.RUNNING
    shop.pass_time(1)
    assert shop.status(workflow_id) is WorkflowStatus.TIMED_OUT


def test_alert_only_lets_a_task_be_late(shop: Shop) -> None:
    shop.define(totalTimeoutSeconds=10, pollTimeoutSeconds=10, responseTimeoutSeconds=3600, timeoutPolicy="ALERT_ONLY")
    workflow_id = shop.start(workflow(pack()))
    shop.pass_time(100)
    (task,) = shop.take()
    shop.pass_time(100)
    shop.say(task)
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED


def test_an_optional_task_that_runs_out_of_tries_lets_the_run_go_on(shop: Shop) -> None:
    shop.define(retryCount=0)
    workflow_id = shop.start(workflow(pack(optional=True), step("NOOP", "after")))
    shop.take()
    shop.pass_time(30)
    assert shop.tasks(workflow_id)["pack"].status is TaskStatus.COMPLETED_WITH_ERRORS
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED


# --- the run around it ---


def test_a_terminated_run_takes_its_tasks_from_the_workers(shop: Shop) -> None:
    first, second = shop.start(workflow(pack())), shop.start(workflow(pack()))
    (task,) = shop.take()
    for workflow_id in (first, second):
        operate.terminate(shop.engine, workflow_id, "enough")
    shop.say(task)
    assert shop.take() == []
    assert {shop.tasks(workflow_id)["pack"].status for workflow_id in (first, second)} == {TaskStatus.CANCELED}


def test_a_result_during_a_pause_counts_after_it(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack("first"), pack("second")))
    (task,) = shop.take()
    operate.pause(shop.engine, workflow_id)
    shop.say(task)
    assert shop.take() == []
    operate.resume(shop.engine, workflow_id)
    assert [found.task_reference_name for found in shop.take()] == ["second"]


@pytest.mark.parametrize(
    "again", [operate.retry, lambda engine, run: operate.restart(engine, run, use_latest_definitions=False)], ids=["retry", "restart"]
)
def test_a_run_that_goes_on_queues_its_tasks_anew(shop: Shop, again: Any) -> None:
    workflow_id = shop.start(workflow(pack()))
    (old,) = shop.take()
    operate.terminate(shop.engine, workflow_id, "enough")
    again(shop.engine, workflow_id)
    (task,) = shop.take()
    shop.say(old, "FAILED")
    shop.say(task)
    assert (task.task_id != old.task_id, shop.status(workflow_id)) == (True, WorkflowStatus.COMPLETED)


def test_a_run_that_times_out_takes_its_tasks_back(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack(), timeoutSeconds=20, timeoutPolicy="TIME_OUT_WF"))
    shop.pass_time(20)
    assert (shop.status(workflow_id), shop.take()) == (WorkflowStatus.TIMED_OUT, [])


def test_a_start_delay_hides_the_task(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack(startDelay=15)))
    shown = shop.tasks(workflow_id)["pack"]
    assert (shown.start_delay_in_seconds, shown.callback_after_seconds) == (15, 15)
    assert shop.take() == []
    shop.pass_time(15)
    assert len(shop.take()) == 1


def test_workers_serve_the_branches_of_a_fork_and_the_turns_of_a_loop(shop: Shop) -> None:
    fork = step("FORK_JOIN", "fork", forkTasks=[[pack("a")], [pack("b")]])
    loop = step("DO_WHILE", "loop", loopCondition="$.loop.iteration < 3", loopOver=[pack("turn")])
    workflow_id = shop.start(workflow(fork, step("JOIN", "join", joinOn=["a", "b"]), loop))
    served = []
    while tasks := shop.take(count=2):
        for task in tasks:
            served.append(task.task_reference_name)
            shop.say(task, output={"by": task.task_reference_name})
    assert (sorted(served[:2]), served[2:]) == (["a", "b"], ["turn__1", "turn__2", "turn__3"])
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED


def test_a_dynamic_task_may_become_a_workers(shop: Shop) -> None:
    dynamic = step("DYNAMIC", "any", {"task": "pack", "n": 4}, dynamicTaskNameParam="task")
    workflow_id = shop.start(workflow(dynamic))
    (task,) = shop.take()
    assert (task.task_reference_name, task.input["n"]) == ("any", 4)
    shop.say(task, output={"box": 1})
    assert (shop.status(workflow_id), shop.view(workflow_id).workflow.output) == (WorkflowStatus.COMPLETED, {"box": 1})


def test_a_dynamic_fork_may_fork_workers_tasks(shop: Shop) -> None:
    forked = [{"name": "pack", "taskReferenceName": f"pack_{number}", "type": "SIMPLE"} for number in range(3)]
    given = {"steps": forked, "inputs": {f"pack_{number}": {"n": number} for number in range(3)}}
    fork = step("FORK_JOIN_DYNAMIC", "fork", given, dynamicForkTasksParam="steps", dynamicForkTasksInputParamName="inputs")
    workflow_id = shop.start(workflow(fork, step("JOIN", "join")))
    for task in shop.take(count=5):
        shop.say(task, output={"twice": 2 * task.input["n"]})
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED
    assert shop.tasks(workflow_id)["join"].output["pack_2"] == {"twice": 4}


def test_a_forked_workers_task_has_the_policies_that_are_registered_for_it(shop: Shop) -> None:
    own = {"name": "pack", "taskReferenceName": "own", "type": "SIMPLE", "taskDefinition": {"name": "pack", "retryCount": 0}}
    forked = [
        {"name": "pack", "taskReferenceName": "known", "type": "SIMPLE"},
        {"name": "new", "taskReferenceName": "unknown", "type": "SIMPLE", "optional": True},
        {**own, "optional": True},
    ]
    given = {"steps": forked, "inputs": {}}
    fork = step("FORK_JOIN_DYNAMIC", "fork", given, dynamicForkTasksParam="steps", dynamicForkTasksInputParamName="inputs")
    workflow_id = shop.start(workflow(fork, step("JOIN", "join")))
    for task in (*shop.take(count=5), *shop.take("new")):
        shop.say(task, "FAILED")
    shop.pass_time(5)
    (again,) = (*shop.take(count=5), *shop.take("new"))
    assert (again.task_reference_name, again.retry_count) == ("known", 1)
    shop.pass_time(35)
    shop.say(shop.take()[0])
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED


def test_a_child_inherits_its_parents_domains(shop: Shop) -> None:
    child = {**workflow(pack()), "name": "child"}
    parent = workflow(step("SUB_WORKFLOW", "sub", subWorkflowParam={"name": "child", "version": 1, "workflowDefinition": child}))
    workflow_id = start(shop.engine, StartWorkflow(shop.register(parent), task_to_domain={"*": "blue"}))
    shop.pass_time(0)
    shop.say(shop.take(domain="blue")[0])
    shop.pass_time(0)
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED


def test_a_loop_forgets_what_workers_did_long_ago(shop: Shop) -> None:
    loop = step("DO_WHILE", "loop", {"keepLastN": 2}, loopCondition="$.loop.iteration < 5", loopOver=[pack("turn")])
    workflow_id = shop.start(workflow(loop))
    served = []
    while tasks := shop.take():
        served += tasks
        report.write_log(shop.engine, tasks[0].task_id, "hello")
        shop.say(tasks[0])
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED
    kept = [bool(shop.engine.work.load([WorkKey(workflow_id, task.task_id)])) for task in served]
    logs = [bool(shop.engine.task_logs.read(WorkKey(workflow_id, task.task_id))) for task in served]
    assert (kept, logs) == ([False, False, False, True, True], [False, False, False, True, True])


def test_a_row_that_was_queued_once_more_after_its_run_forgot_it_is_closed(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack("waits")))
    for ghost in ("ghost-1", "ghost-2"):
        shop.engine.work.open(WorkItem(ghost, workflow_id, "ghost", "ghost", shop.clock.now()))
    assert shop.take("ghost") == []
    shop.engine.work.open(WorkItem("ghost-3", workflow_id, "ghost", "ghost", shop.clock.now()))
    shop.clock.advance(timedelta(hours=2))
    sweep(shop.engine)
    assert hand_out.sizes(shop.engine, [WorkerQueue("ghost")]) == {"ghost": 0}


# --- reports by reference name ---


def by_reference(shop: Shop, workflow_id: str, reference: str, status: str, output: dict[str, Any]) -> str:
    return report.report_by_reference(shop.engine, workflow_id, reference, TaskStatus(status), output, "me")


@pytest.mark.parametrize("kind", ["WAIT", "HUMAN"])
def test_a_wait_or_human_task_ends_when_somebody_says_so(shop: Shop, kind: str) -> None:
    workflow_id = shop.start(
        workflow(step(kind, "ask"), step("INLINE", "read", {"got": "${ask.output}", "expression": "$.got.a + $.got.b"}))
    )
    by_reference(shop, workflow_id, "ask", "IN_PROGRESS", {"a": 1})
    shown = shop.tasks(workflow_id)["ask"]
    assert (shown.status, shown.output, shown.worker_id) == (TaskStatus.IN_PROGRESS, {"a": 1}, "me")
    by_reference(shop, workflow_id, "ask", "COMPLETED", {"b": 2})
    assert (shop.status(workflow_id), shop.tasks(workflow_id)["read"].output["result"]) == (WorkflowStatus.COMPLETED, 3)
    with pytest.raises(NotFound, match="ask"):
        by_reference(shop, workflow_id, "ask", "COMPLETED", {})


@pytest.mark.parametrize("boundary", range(30))
def test_an_answer_counts_once_it_is_recorded_wherever_its_request_dies(shop: Shop, boundary: int) -> None:
    workflow_id = shop.start(workflow(step("HUMAN", "ask")))
    task = shop.tasks(workflow_id)["ask"]
    result = TaskResult(workflow_id, task.task_id, TaskStatus.COMPLETED, {"yes": 1})
    with suppress(Crash):
        report.report(breaking(shop.engine, CrashPlan(boundary)), result)
    recorded = shop.engine.executions.outcomes(workflow_id, [task.task_id])
    shop.run()
    assert shop.status(workflow_id) is (WorkflowStatus.COMPLETED if recorded else WorkflowStatus.RUNNING)


def test_a_queued_task_may_be_ended_by_reference_without_a_worker(shop: Shop) -> None:
    workflow_id = shop.start(workflow(pack()))
    by_reference(shop, workflow_id, "pack", "IN_PROGRESS", {"a": 1})
    by_reference(shop, workflow_id, "pack", "COMPLETED", {"b": 2})
    assert (shop.take(), shop.view(workflow_id).workflow.output) == ([], {"a": 1, "b": 2})


def test_a_retried_task_of_a_loop_is_found_with_and_without_its_iteration(shop: Shop) -> None:
    loop = step("DO_WHILE", "loop", loopCondition="$.loop.iteration < 2", loopOver=[pack("turn")])
    workflow_id = shop.start(workflow(loop))
    by_reference(shop, workflow_id, "turn", "FAILED", {})
    by_reference(shop, workflow_id, "turn", "COMPLETED", {"first": 1})
    by_reference(shop, workflow_id, "turn__2", "COMPLETED", {"second": 2})
    assert shop.status(workflow_id) is WorkflowStatus.COMPLETED
    assert shop.tasks(workflow_id)["loop"].output["2"] == {"turn": {"second": 2}}


def test_a_join_does_not_end_by_a_report(shop: Shop) -> None:
    fork = step("FORK_JOIN", "fork", forkTasks=[[pack("a")], [pack("b")]])
    workflow_id = shop.start(workflow(fork, step("JOIN", "join", joinOn=["a", "b"])))
    with pytest.raises(Conflict, match="JOIN"):
        by_reference(shop, workflow_id, "join", "COMPLETED", {})


# --- limits ---


def test_a_concurrency_limit_holds_back_the_third(shop: Shop) -> None:
    shop.define(concurrentExecLimit=2, responseTimeoutSeconds=3600)
    for _ in range(4):
        shop.start(workflow(pack()))
    first, _second = shop.take(count=4)
    shop.say(first)
    assert shop.take(count=4) == [], "what a limit holds back is hidden for a minute"
    shop.pass_time(60)
    assert len(shop.take(count=4)) == 1
    shop.pass_time(60)
    assert shop.take(count=4) == []


def test_a_concurrency_limit_is_free_again_after_failures_and_dead_workers(shop: Shop) -> None:
    shop.define(concurrentExecLimit=1, retryCount=0)
    for _ in range(3):
        shop.start(workflow(pack()))
    (first,) = shop.take(count=3)
    shop.say(first, "FAILED")
    shop.pass_time(60)
    assert len(shop.take(count=3)) == 1
    shop.pass_time(90)
    assert len(shop.take(count=3)) == 1


def test_a_rate_limit_lets_so_many_through_in_a_window(shop: Shop) -> None:
    shop.define(rateLimitPerFrequency=2, rateLimitFrequencyInSeconds=10, responseTimeoutSeconds=3600)
    for _ in range(5):
        shop.start(workflow(pack()))
    taken = []
    for _ in range(4):
        taken.append(len(shop.take(count=5)))
        shop.pass_time(60)
    assert taken == [2, 2, 1, 0]


# --- domains and queues ---


def start_in(shop: Shop, domains: dict[str, str]) -> str:
    return start(shop.engine, StartWorkflow(shop.register(workflow(pack())), task_to_domain=domains))


def test_a_run_of_a_domain_is_served_by_the_domain_only(shop: Shop) -> None:
    workflow_id = start_in(shop, {"pack": "blue"})
    assert shop.take() == []
    (task,) = shop.take(domain="blue")
    assert (task.workflow_id, task.queue) == (workflow_id, "blue:pack")


@pytest.mark.parametrize(
    ("domains", "polled", "expected"),
    [
        ({"*": "red"}, [], "red:pack"),
        ({"*": "red", "pack": "blue"}, [], "blue:pack"),
        ({"other": "red"}, [], "pack"),
        ({"pack": "red, blue"}, [], "blue:pack"),
        ({"pack": "red, blue"}, ["red"], "red:pack"),
        ({"pack": "red,blue,NO_DOMAIN"}, ["blue"], "blue:pack"),
        ({"pack": "red,blue,NO_DOMAIN"}, [], "pack"),
        ({"pack": "NO_DOMAIN"}, ["red"], "pack"),
        ({"pack": " , "}, [], "pack"),
    ],
)
def test_the_first_domain_that_workers_poll_is_chosen(shop: Shop, domains: dict[str, str], polled: list[str], expected: str) -> None:
    for domain in polled:
        shop.take(domain=domain)
    shop.pass_time(9)
    assert shop.tasks(start_in(shop, domains))["pack"].queue == expected


def test_a_domain_counts_as_polled_for_ten_seconds(shop: Shop) -> None:
    shop.take(domain="red")
    shop.pass_time(11)
    assert shop.tasks(start_in(shop, {"pack": "red,blue"}))["pack"].queue == "blue:pack"


@pytest.mark.parametrize("domains", ["blue", {"pack": 3}, {"pack": "x" * 501}, ["blue"]])
def test_a_child_whose_domains_make_no_sense_fails_with_a_reason(shop: Shop, domains: Any) -> None:
    child = {**workflow(pack()), "name": "child"}
    param = {"name": "child", "version": 1, "workflowDefinition": child, "taskToDomain": "${workflow.input.domains}"}
    workflow_id = shop.start(workflow(step("SUB_WORKFLOW", "sub", subWorkflowParam=param)), {"domains": domains})
    shop.run()
    assert shop.status(workflow_id) is WorkflowStatus.FAILED
    assert "taskToDomain" in (shop.tasks(workflow_id)["sub"].reason_for_incompletion or "")


def test_queues_tell_their_sizes_and_who_polled(shop: Shop) -> None:
    for _ in range(3):
        shop.start(workflow(pack()))
    start_in(shop, {"pack": "blue"})
    shop.take(worker="ann")
    assert hand_out.sizes(shop.engine) == {"pack": 2, "blue:pack": 1}
    assert hand_out.sizes(shop.engine, [WorkerQueue("other")]) == {"other": 0}
    assert hand_out.poll_data(shop.engine) == [WorkerQueue("pack", None, "ann", shop.clock.now())]
    assert hand_out.poll_data(shop.engine, "other") == []


def test_a_task_view_of_one_task_shows_the_worker(shop: Shop) -> None:
    shop.start(workflow(pack()))
    (task,) = shop.take(worker="ann")
    assert look.task(shop.engine, task.task_id).task.worker_id == "ann"


def test_names_that_no_queue_can_have_are_refused_everywhere(shop: Shop) -> None:
    long = "x" * 501
    with pytest.raises(InvalidRequest) as refused:
        shop.register(workflow({**pack(), "name": long}))
    assert refused.value.violations[0].path == "tasks[0].name"
    with pytest.raises(InvalidRequest, match="taskToDomain"):
        start_in(shop, {"pack": f"red,{long}"})
    for queue in (WorkerQueue(long), WorkerQueue("pack", long)):
        with pytest.raises(InvalidRequest, match="500"):
            hand_out.hand_out(shop.engine, queue, 1)
        with pytest.raises(InvalidRequest, match="500"):
            hand_out.sizes(shop.engine, [queue])


# --- many workers at once ---


def all_at_once(workers: int, act: Callable[[int], list[Task]]) -> list[Task]:
    start_line = threading.Barrier(workers)

    def work(worker: int) -> list[Task]:
        start_line.wait()
        return act(worker)

    with ThreadPoolExecutor(workers) as pool:
        return [task for taken in pool.map(work, range(workers)) for task in taken]


def test_many_workers_at_once_never_get_the_same_task(shop: Shop) -> None:
    runs = [shop.start(workflow(pack())) for _ in range(40)]
    taken = all_at_once(8, lambda worker: [task for _ in range(10) for task in shop.take(worker=f"w{worker}", count=2)])
    assert sorted(task.workflow_id for task in taken) == sorted(runs)
    assert {task.poll_count for task in taken} == {1}


def test_many_workers_at_once_do_not_break_a_limit(shop: Shop) -> None:
    shop.define(concurrentExecLimit=3)
    for _ in range(12):
        shop.start(workflow(pack()))
    taken = all_at_once(8, lambda worker: shop.take(worker=f"w{worker}", count=3))
    assert len(taken) == 3
