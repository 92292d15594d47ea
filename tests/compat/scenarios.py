"""What users do with the official Python client, told as short stories: each function drives a server from its first call to its last."""

from collections.abc import Callable

from conductor.client.http.models.correlation_ids_search_request import CorrelationIdsSearchRequest
from conductor.client.http.models.rerun_workflow_request import RerunWorkflowRequest
from conductor.client.http.models.save_schedule_request import SaveScheduleRequest
from conductor.client.http.models.skip_task_request import SkipTaskRequest
from conductor.client.http.models.start_workflow_request import StartWorkflowRequest
from conductor.client.http.models.task_def import TaskDef
from conductor.client.http.models.task_result import TaskResult
from conductor.client.http.models.workflow_task import WorkflowTask
from conductor.client.http.models.workflow_test_request import WorkflowTestRequest

from tests.compat.sdk import Sdk, eventually, is_gone, simple

Story = Callable[[Sdk], None]


def definitions_are_kept(sdk: Sdk) -> None:
    sdk.metadata.register_task_def(TaskDef(name="meter", retry_count=1, response_timeout_seconds=10, timeout_seconds=60))
    definition = sdk.define("kept", simple("meter"), description="first")
    definition.description = "second"
    sdk.metadata.update_workflow_def(definition, overwrite=True)
    assert sdk.metadata.get_workflow_def("kept").description == "second"
    assert sdk.metadata.get_workflow_def("kept", version=1).tasks[0].name == "meter"
    assert "kept" in {each.name for each in sdk.metadata.get_all_workflow_defs()}
    assert sdk.metadata.get_task_def("meter").retry_count == 1
    sdk.metadata.update_task_def(TaskDef(name="meter", retry_count=7, response_timeout_seconds=10, timeout_seconds=60))
    assert "meter" in {each.name for each in sdk.metadata.get_all_task_defs()}
    assert sdk.metadata.get_task_def("meter").retry_count == 7
    sdk.metadata.unregister_task_def("meter")
    sdk.metadata.unregister_workflow_def("kept", 1)
    assert is_gone(lambda: sdk.metadata.get_workflow_def("kept"))
    assert is_gone(lambda: sdk.metadata.get_task_def("meter"))


def a_worker_finishes_a_run(sdk: Sdk) -> None:
    sdk.define("two_steps", simple("first", input_parameters={"n": "${workflow.input.n}"}), simple("second"))
    by_name = sdk.workflows.start_workflow_by_name("two_steps", {"n": 3}, version=1, correlationId="order-1", priority=5)
    task = sdk.tasks.poll_task("first", worker_id="w1")
    assert task.input_data == {"n": 3}
    assert sdk.tasks.get_task(task.task_id).status == "IN_PROGRESS"
    sdk.tasks.add_task_log(task.task_id, 'half "way"')
    assert [each.log for each in sdk.tasks.get_task_logs(task.task_id)]
    sdk.tasks.update_task(TaskResult(by_name, task.task_id, status="COMPLETED", output_data={"doubled": 6}))
    assert sdk.tasks.get_queue_size_for_task("second") == 1
    (second,) = sdk.tasks.batch_poll_tasks("second", worker_id="w2", count=5, timeout_in_millisecond=100)
    assert {each.worker_id for each in sdk.tasks.get_task_poll_data("second")} >= {"w2"}
    sdk.tasks.update_task_by_ref_name(by_name, "second_ref", "COMPLETED", {"well": "done"})
    run = sdk.workflows.get_workflow(by_name)
    assert (run.status, run.priority, run.correlation_id) == ("COMPLETED", 5, "order-1")
    assert [each.status for each in run.tasks] == ["COMPLETED", "COMPLETED"]
    assert second.workflow_instance_id == by_name


def a_task_is_updated_and_the_run_comes_back(sdk: Sdk) -> None:
    sdk.define("synced", simple("sync_me"))
    run = sdk.start("synced")
    ended = sdk.tasks.update_task_sync(run, "sync_me_ref", "COMPLETED", {"a": 1})
    assert (ended.workflow_id, ended.status) == (run, "COMPLETED")


def an_operator_steers_a_run(sdk: Sdk) -> None:
    sdk.define("steered", simple("step_a"), simple("step_b"), simple("step_c"))
    run = sdk.start("steered", input={"x": 1})
    sdk.workflows.pause_workflow(run)
    assert sdk.status(run) == "PAUSED"
    sdk.workflows.resume_workflow(run)
    sdk.workflows.update_variables(run, {"seen": True})
    sdk.workflows.skip_task_from_workflow(run, "step_b_ref", SkipTaskRequest(task_output={"skipped": True}))
    sdk.work_off("step_a")
    assert sdk.tasks.poll_task("step_b").task_id is None  # how this client shows a 204
    sdk.work_off("step_c", status="FAILED_WITH_TERMINAL_ERROR")
    assert sdk.status(run) == "FAILED"
    sdk.workflows.retry_workflow(run, resume_subworkflow_tasks=True)
    sdk.work_off("step_c")
    first = sdk.workflows.get_workflow(run).tasks[0]
    sdk.workflows.rerun_workflow(run, RerunWorkflowRequest(re_run_from_task_id=first.task_id, task_input={"again": 1}))
    sdk.workflows.terminate_workflow(run, reason="enough", trigger_failure_workflow=True)
    ended = sdk.workflows.get_workflow_status(run, include_output=True, include_variables=True)
    assert (ended.status, ended.variables) == ("TERMINATED", {"seen": True})
    sdk.workflows.restart_workflow(run, use_latest_def=True)
    assert sdk.status(run) == "RUNNING"
    sdk.workflows.delete_workflow(run, archive_workflow=False)
    other = sdk.start("steered")
    sdk.workflows.terminate_workflow(other)
    sdk.workflows.remove_workflow(other)
    assert is_gone(lambda: sdk.status(run))
    assert is_gone(lambda: sdk.status(other))


def runs_are_found(sdk: Sdk) -> None:
    sdk.define("found", simple("find_me"))
    run = sdk.start("found", correlation_id="c-1")
    page = eventually(
        lambda: sdk.workflows.search(query="workflowType = 'found' AND status = 'RUNNING'"), lambda seen: len(seen.results) == 1
    )
    assert [each.workflow_id for each in page.results] == [run]
    assert [each.workflow_id for each in sdk.workflows.get_by_correlation_ids("found", ["c-1"], include_tasks=True)["c-1"]] == [run]
    batch = CorrelationIdsSearchRequest(correlation_ids=["c-1"], workflow_names=["found"])
    assert [each.workflow_id for each in sdk.workflows.get_by_correlation_ids_in_batch(batch, include_completed=True)["c-1"]] == [run]


def a_run_is_executed_while_the_caller_waits(sdk: Sdk) -> None:
    instant = WorkflowTask(name="pass", task_reference_name="p", type="SET_VARIABLE", input_parameters={"a": "${workflow.input.a}"})
    sdk.define("instant", instant, output_parameters={"a": "${workflow.variables.a}"})
    request = StartWorkflowRequest(name="instant", version=1, input={"a": 5})
    ended = sdk.workflows.execute_workflow(request, request_id="r-1", wait_for_seconds=5)
    assert (ended.status, ended.output) == ("COMPLETED", {"a": 5})
    for strategy in ("TARGET_WORKFLOW", "BLOCKING_WORKFLOW", "BLOCKING_TASK", "BLOCKING_TASK_INPUT"):
        answer = sdk.workflows.execute_workflow_with_return_strategy(request, wait_for_seconds=5, return_strategy=strategy)
        assert answer.target_workflow_status == "COMPLETED"


def a_definition_is_tried_with_made_up_outputs(sdk: Sdk) -> None:
    definition = sdk.define("tried", simple("real_work"), output_parameters={"r": "${real_work_ref.output.r}"})
    request = WorkflowTestRequest(
        name="tried",
        version=1,
        workflow_def=definition,
        task_ref_to_mock_output={"real_work_ref": [{"status": "COMPLETED", "output": {"r": 9}}]},
    )
    ended = sdk.workflows.test_workflow(request)
    assert (ended.status, ended.output) == ("COMPLETED", {"r": 9})


def the_executor_does_the_same(sdk: Sdk) -> None:
    definition = sdk.define("by_executor", simple("exec_step"))
    sdk.executor.register_workflow(definition, overwrite=True)
    request = StartWorkflowRequest(name="by_executor", version=1, correlation_id="e-1", input={"x": 1})
    run = sdk.executor.start_workflow(request)
    one, two = sdk.executor.start_workflows(request, request)
    task = sdk.tasks.poll_task("exec_step")
    assert sdk.executor.get_task(task.task_id)
    ended = sdk.executor.update_task(task.task_id, task.workflow_instance_id, {"y": 1}, "COMPLETED")
    assert ended == task.task_id
    assert sdk.executor.get_workflow(task.workflow_instance_id, include_tasks=True).status == "COMPLETED"
    rest = [each for each in (run, one, two) if each != task.workflow_instance_id]
    sdk.executor.update_task_by_ref_name({"y": 2}, rest[0], "exec_step_ref", "COMPLETED")
    assert sdk.executor.get_workflow_status(rest[0], include_output=True).status == "COMPLETED"
    assert sdk.executor.update_task_by_ref_name_sync({"y": 3}, rest[1], "exec_step_ref", "FAILED_WITH_TERMINAL_ERROR").status == "FAILED"
    sdk.executor.retry(rest[1], resume_subworkflow_tasks=True)
    sdk.executor.pause(rest[1])
    sdk.executor.resume(rest[1])
    sdk.executor.terminate(rest[1], reason="enough", trigger_failure_workflow=False)
    sdk.executor.restart(rest[1], use_latest_definitions=True)
    sdk.executor.terminate(rest[1])
    sdk.executor.rerun(RerunWorkflowRequest(), rest[1])
    by_id = sdk.executor.get_by_correlation_ids("by_executor", ["e-1"], include_closed=True, include_tasks=False)
    assert {each.workflow_id for each in by_id["e-1"]} == {run, one, two}
    eventually(lambda: sdk.executor.search(query="workflowType IN (by_executor)", free_text="*").results, lambda hits: len(hits) == 3)
    sdk.executor.terminate(rest[1])
    for each in (run, one, two):
        sdk.executor.remove_workflow(each, archive_workflow=False)


def the_executor_waits(sdk: Sdk) -> None:
    sdk.define("waits", WorkflowTask(name="pass", task_reference_name="p", type="NOOP"))
    request = StartWorkflowRequest(name="waits", version=1)
    assert sdk.executor.execute("waits", 1, {"a": 1}, wait_for_seconds=5).status == "COMPLETED"
    assert sdk.executor.execute_workflow(request, wait_for_seconds=5).status == "COMPLETED"
    assert sdk.executor.execute_workflow_with_return_strategy(request, wait_for_seconds=5).target_workflow_status == "COMPLETED"


def a_waiting_run_is_signalled(sdk: Sdk) -> None:
    sdk.define(
        "signalled",
        WorkflowTask(name="hold", task_reference_name="hold", type="WAIT"),
        simple("skip_me"),
        WorkflowTask(name="again", task_reference_name="again", type="WAIT"),
    )
    run = sdk.start("signalled")
    sdk.executor.skip_task_from_workflow(run, "skip_me_ref", SkipTaskRequest())
    sdk.executor.signal_async(run, "COMPLETED", {"by": "async"})
    eventually(lambda: sdk.workflows.get_workflow(run), lambda seen: seen.tasks[0].status == "COMPLETED")
    answer = sdk.executor.signal(run, "COMPLETED", {"by": "sync"}, return_strategy="TARGET_WORKFLOW")
    assert answer.target_workflow_id == run
    ended = eventually(lambda: sdk.workflows.get_workflow(run), lambda seen: seen.status == "COMPLETED")
    assert [each.output_data.get("by") for each in ended.tasks if each.task_type == "WAIT"] == ["async", "sync"]


def workflows_are_started_on_a_schedule(sdk: Sdk) -> None:
    sdk.define("nightly", WorkflowTask(name="pass", task_reference_name="p", type="NOOP"))
    request = SaveScheduleRequest(
        name="every-night",
        cron_expression="0 0 3 * * ?",
        zone_id="Europe/Vienna",
        start_workflow_request=StartWorkflowRequest(name="nightly", version=1),
        paused=False,
    )
    sdk.schedules.save_schedule(request)
    assert sdk.schedules.get_schedule("every-night").cron_expression == "0 0 3 * * ?"
    assert [each.name for each in sdk.schedules.get_all_schedules("nightly")] == ["every-night"]
    assert len(sdk.schedules.get_next_few_schedule_execution_times("0 0 3 * * ?", limit=3)) == 3
    assert len(sdk.schedules.preview_next("0 0 3 * * ?", n=2)) == 2
    sdk.schedules.pause_schedule("every-night", reason="holidays")
    assert sdk.schedules.get_schedule("every-night").paused is True
    sdk.schedules.resume_schedule("every-night")
    sdk.schedules.pause("every-night", reason="holidays")
    sdk.schedules.resume("every-night")
    sdk.schedules.search_schedule_executions(size=5, query="scheduleName IN (every-night)")
    sdk.schedules.pause_all_schedules()
    sdk.schedules.resume_all_schedules()
    sdk.schedules.requeue_all_execution_records()
    sdk.schedules.delete_schedule("every-night")
    sdk.schedules.delete("every-night")
    assert sdk.schedules.get_all_schedules("nightly") in ([], None)


STORIES: dict[str, Story] = {
    story.__name__: story
    for story in (
        definitions_are_kept,
        a_worker_finishes_a_run,
        a_task_is_updated_and_the_run_comes_back,
        an_operator_steers_a_run,
        runs_are_found,
        a_run_is_executed_while_the_caller_waits,
        a_definition_is_tried_with_made_up_outputs,
        the_executor_does_the_same,
        the_executor_waits,
        a_waiting_run_is_signalled,
        workflows_are_started_on_a_schedule,
    )
}
