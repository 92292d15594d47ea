"""Runs, tasks, summaries and poll ledgers have Conductor's shape."""

from datetime import UTC, datetime, timedelta

from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.executions import Task, Workflow
from fermata.domain.polling import LedgerEntry, PollDecision, PollState
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.wire import executions as wire
from fermata.wire import summaries
from fermata.wire.definitions import workflow_task_to_json

NOW = datetime(2026, 3, 4, 5, 6, 7, 89_000, tzinfo=UTC)
MS = 1772600767089
RUN = Workflow("w1", "key", "job", 2, WorkflowStatus.RUNNING, NOW, input={"a": None}, priority=5, correlation_id="c")
DEFINITION = WorkflowDefinition("job", (), version=2, owner_app="app")
TASK = Task("t1", "w1", "poll", "HTTP_POLL", "poll_job", TaskStatus.SCHEDULED, 1, NOW)


def test_an_open_run() -> None:
    body = wire.workflow_to_json(RUN, DEFINITION, [{"taskId": "t1"}])
    definition = body.pop("workflowDefinition")
    assert definition["name"] == "job"
    assert body == {
        "ownerApp": "app",
        "createTime": MS,
        "updateTime": 0,
        "status": "RUNNING",
        "endTime": 0,
        "startTime": MS,
        "workflowId": "w1",
        "workflowName": "job",
        "workflowVersion": 2,
        "tasks": [{"taskId": "t1"}],
        "input": {"a": None},
        "output": {},
        "correlationId": "c",
        "taskToDomain": {},
        "failedReferenceTaskNames": [],
        "failedTaskNames": [],
        "priority": 5,
        "variables": {},
        "lastRetriedTime": 0,
        "history": [],
        "rateLimited": False,
    }


def test_a_task_without_a_task_definition_says_so_with_null() -> None:
    assert wire.task_to_json(TASK, RUN, None) == {
        "taskType": "HTTP_POLL",
        "status": "SCHEDULED",
        "inputData": {},
        "referenceTaskName": "poll",
        "retryCount": 0,
        "seq": 1,
        "correlationId": "c",
        "pollCount": 0,
        "taskDefName": "poll_job",
        "scheduledTime": MS,
        "startTime": 0,
        "endTime": 0,
        "updateTime": 0,
        "firstStartTime": 0,
        "queueWaitTime": 0,
        "startDelayInSeconds": 0,
        "retried": False,
        "executed": False,
        "callbackFromWorker": True,
        "workflowInstanceId": "w1",
        "workflowType": "job",
        "taskId": "t1",
        "callbackAfterSeconds": 0,
        "outputData": {},
        "workflowTask": workflow_task_to_json(WorkflowTask("poll_job", "poll", "HTTP_POLL")),
        "responseTimeoutSeconds": 0,
        "rateLimitPerFrequency": 0,
        "rateLimitFrequencyInSeconds": 0,
        "workflowPriority": 5,
        "iteration": 0,
        "loopOverTask": False,
        "subworkflowChanged": False,
        "taskDefinition": None,
    }


def test_a_task_shows_the_policy_of_its_task_definition() -> None:
    step = WorkflowTask("n", "r", task_definition=TaskDefinition("n", response_timeout_seconds=10, execution_name_space="ns"))
    body = wire.task_to_json(TASK, RUN, step)
    assert (body["responseTimeoutSeconds"], body["rateLimitFrequencyInSeconds"], body["executionNameSpace"]) == (10, 1, "ns")
    assert body["taskDefinition"]["name"] == body["workflowTask"]["taskDefinition"]["name"] == "n"


def entry(poll: int, fired: datetime, status_code: int | None, next_due: datetime | None) -> LedgerEntry:
    due = fired - timedelta(milliseconds=250)
    return LedgerEntry(poll, due, fired, timedelta(milliseconds=120), status_code, PollDecision.AGAIN, next_due)


def test_an_open_polling_task_says_when_the_next_poll_is_due() -> None:
    poll = PollState("t1", "w1", NOW + timedelta(seconds=60), polls_made=2)
    assert wire.task_to_json(TASK, RUN, None, poll)["nextPollTime"] == MS + 60_000


def test_a_finished_task_shows_its_own_figures() -> None:
    done = Task(
        "t1", "w1", "poll", "HTTP_POLL", "poll_job", TaskStatus.COMPLETED, 1, NOW, poll_count=9, start_time=NOW + timedelta(seconds=1)
    )
    body = wire.task_to_json(done, RUN, None, PollState("t1", "w1", NOW, polls_made=8))
    assert (body["status"], body["pollCount"], body["queueWaitTime"]) == ("COMPLETED", 9, 1000)
    assert "nextPollTime" not in body


def test_the_ledger_leaves_out_what_did_not_happen() -> None:
    first, last = wire.ledger_to_json([entry(1, NOW, 200, NOW + timedelta(seconds=60)), entry(2, NOW, None, None)])
    assert first == {
        "poll": 1,
        "dueTime": MS - 250,
        "firedTime": MS,
        "latenessMs": 250,
        "latencyMs": 120,
        "statusCode": 200,
        "decision": "AGAIN",
        "nextDueTime": MS + 60_000,
    }
    assert last.keys() == first.keys() - {"statusCode", "nextDueTime"}


def test_a_summary_has_iso_times_and_json_texts() -> None:
    body = summaries.workflow_summary_to_json(RUN)
    assert body == {
        "workflowType": "job",
        "version": 2,
        "workflowId": "w1",
        "correlationId": "c",
        "startTime": "2026-03-04T05:06:07.089Z",
        "updateTime": "1970-01-01T00:00:00.000Z",
        "status": "RUNNING",
        "input": '{"a":null}',
        "output": "{}",
        "inputSize": 10,
        "outputSize": 2,
        "executionTime": 0,
        "failedReferenceTaskNames": "",
        "failedTaskNames": [],
        "priority": 5,
        "taskToDomain": {},
        "parentWorkflowId": "",
        "classifier": "workflow",
    }


def test_a_finished_run_has_an_end_and_a_duration() -> None:
    done = Workflow(
        "w1", "key", "job", 2, WorkflowStatus.FAILED, NOW, end_time=NOW + timedelta(seconds=2), failed_reference_task_names=("a", "b")
    )
    body = summaries.workflow_summary_to_json(done)
    assert (body["endTime"], body["executionTime"], body["failedReferenceTaskNames"]) == ("2026-03-04T05:06:09.089Z", 2000, "a,b")


def test_a_status_holds_only_what_was_asked_for() -> None:
    assert wire.workflow_status_to_json(RUN, include_output=False, include_variables=False) == {
        "workflowId": "w1",
        "correlationId": "c",
        "status": "RUNNING",
    }
    assert wire.workflow_status_to_json(RUN, include_output=True, include_variables=True)["variables"] == {}
