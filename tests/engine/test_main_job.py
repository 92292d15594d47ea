"""The definition the project is about, in memory: every way it can end."""

import itertools
from datetime import timedelta

from fermata.application import look, operate
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.world import Vendor, World, answer, main_job

GIVEN = {"jobApiUrl": "http://jobs.example", "dataset": "d"}
RUNNING = answer({"jobId": "job-1", "state": "RUNNING"})
SUCCEEDED = answer({"jobId": "job-1", "state": "SUCCEEDED", "result": {"rows": 4211, "artifact": "s3://exports/job-1.csv"}})
FAILED = answer({"jobId": "job-1", "state": "FAILED", "error": "upstream rejected the job"})


def test_a_job_that_succeeds_completes_the_run_with_its_result() -> None:
    vendor = Vendor(RUNNING, RUNNING, RUNNING, SUCCEEDED)
    world = World(vendor)
    view = world.outcome(main_job(), GIVEN)
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert view.workflow.output == {"jobId": "job-1", "finalState": "SUCCEEDED", "rows": 4211, "artifact": "s3://exports/job-1.csv"}
    names = [task.task.task_reference_name for task in view.tasks]
    assert names == ["submit_job", "await_job", "route_job", "record_artifact"]
    await_job = view.tasks[1].task
    assert (await_job.status, await_job.poll_count) == (TaskStatus.COMPLETED, 4)
    assert vendor.polls == 4


def test_polls_are_a_minute_apart_and_each_is_in_the_ledger() -> None:
    world = World(Vendor(RUNNING, RUNNING, SUCCEEDED))
    view = world.outcome(main_job(), GIVEN)
    entries = look.polls(world.engine, view.tasks[1].task.task_id)
    assert [entry.poll for entry in entries] == [1, 2, 3]
    assert [entry.decision for entry in entries] == ["AGAIN", "AGAIN", "DONE"]
    gaps = {later.fired - earlier.fired for earlier, later in itertools.pairwise(entries)}
    assert gaps == {timedelta(seconds=60)}
    assert entries[0].next_due == entries[1].due
    assert entries[-1].next_due is None


def test_while_it_polls_one_task_shows_its_count_and_its_next_look() -> None:
    world = World(Vendor(RUNNING))
    workflow_id = world.start(main_job(), GIVEN)
    world.run_until(timedelta(seconds=150))
    view = next(view for view in world.view(workflow_id).tasks if view.task.task_reference_name == "await_job")
    assert (view.task.status, view.task.poll_count, view.task.callback_after_seconds) == (TaskStatus.IN_PROGRESS, 3, 60)
    assert view.poll is not None
    assert view.poll.due == world.clock.now() + timedelta(seconds=30)


def test_a_job_that_fails_ends_the_run_by_its_terminate_task() -> None:
    view = World(Vendor(RUNNING, FAILED)).outcome(main_job(), GIVEN)
    assert view.workflow.status is WorkflowStatus.FAILED
    assert view.workflow.output == {"error": "remote_job_failed", "jobId": "job-1", "detail": "upstream rejected the job"}


def test_a_job_that_never_ends_exhausts_its_polls() -> None:
    definition = {**main_job(), "timeoutSeconds": 0}
    vendor = Vendor(RUNNING)
    view = World(vendor).outcome(definition, GIVEN)
    await_job = view.tasks[1].task
    assert view.workflow.status is WorkflowStatus.FAILED
    assert (await_job.status, await_job.poll_count, vendor.polls) == (TaskStatus.FAILED, 60, 60)
    assert await_job.output["outcome"] == "EXHAUSTED"
    assert await_job.output["response"]["body"]["state"] == "RUNNING"
    assert "60 polls in 0:59:00" in (await_job.reason_for_incompletion or "")
    assert "maxPollCount is 60" in (view.workflow.reason_for_incompletion or "")


def test_the_runs_own_timeout_ends_it_and_its_poll() -> None:
    vendor = Vendor(RUNNING)
    world = World(vendor)
    view = world.outcome({**main_job(), "timeoutSeconds": 600}, GIVEN)
    assert view.workflow.status is WorkflowStatus.TIMED_OUT
    assert view.tasks[1].task.status is TaskStatus.CANCELED
    assert view.tasks[1].task.poll_count == vendor.polls
    assert world.clock.now() - view.workflow.create_time == timedelta(seconds=600)
    assert vendor.polls in {10, 11}


def test_terminate_stops_the_polling_at_once() -> None:
    vendor = Vendor(RUNNING)
    world = World(vendor)
    workflow_id = world.start(main_job(), GIVEN)
    world.run_until(timedelta(seconds=90))
    operate.terminate(world.engine, workflow_id, "enough")
    world.run()
    view = world.view(workflow_id)
    assert (view.workflow.status, view.workflow.reason_for_incompletion) == (WorkflowStatus.TERMINATED, "enough")
    assert vendor.polls == 2


def test_a_paused_run_polls_on_but_goes_no_further_until_resumed() -> None:
    world = World(Vendor(RUNNING, SUCCEEDED))
    workflow_id = world.start(main_job(), GIVEN)
    world.run_until(timedelta(seconds=10))
    operate.pause(world.engine, workflow_id)
    world.run_until(timedelta(seconds=120))
    assert world.view(workflow_id).workflow.status is WorkflowStatus.PAUSED
    assert "route_job" not in world.tasks(workflow_id)
    operate.resume(world.engine, workflow_id)
    world.run()
    assert world.view(workflow_id).workflow.status is WorkflowStatus.COMPLETED


def test_retry_polls_afresh_and_restart_submits_afresh() -> None:
    vendor = Vendor(FAILED)
    world = World(vendor)
    definition = {**main_job(), "timeoutSeconds": 0}
    definition["tasks"][1]["inputParameters"]["http_request"]["maxPollCount"] = 1
    vendor.answers = [RUNNING]
    workflow_id = world.start(definition, GIVEN)
    world.run()
    assert world.view(workflow_id).workflow.status is WorkflowStatus.FAILED
    vendor.answers = [SUCCEEDED]
    operate.retry(world.engine, workflow_id)
    world.run()
    view = world.view(workflow_id)
    assert view.workflow.status is WorkflowStatus.COMPLETED
    attempts = [(task.task.retry_count, task.task.status) for task in view.tasks if task.task.task_reference_name == "await_job"]
    assert attempts == [(0, TaskStatus.FAILED), (1, TaskStatus.COMPLETED)]
    operate.restart(world.engine, workflow_id, use_latest_definitions=False)
    world.run()
    again = world.view(workflow_id)
    assert again.workflow.status is WorkflowStatus.COMPLETED
    assert len(again.tasks) == 4
    keys = [request.headers["Idempotency-Key"] for request in world.http.requests if request.method == "POST"]
    assert len(keys) == 2
    assert keys[0] != keys[1]


def test_three_hundred_polls_of_a_five_hour_job() -> None:
    vendor = Vendor(*[RUNNING] * 299, SUCCEEDED)
    definition = {**main_job(), "timeoutSeconds": 7 * 3600}
    definition["tasks"][1]["inputParameters"]["http_request"]["maxPollCount"] = 400
    world = World(vendor)
    view = world.outcome(definition, GIVEN)
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert (view.tasks[1].task.poll_count, vendor.polls) == (300, 300)
    end = view.workflow.end_time
    assert end is not None
    assert end - view.workflow.create_time == timedelta(minutes=299)
