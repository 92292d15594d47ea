"""The test kit: scripted vendor, virtual clock, played workers, and what it says when a test is wrong."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from fermata.domain.errors import Conflict, InvalidRequest
from fermata_testing import Rehearsal, TaskFailed, UnexpectedRequest, Vendor, answer, no_answer

from tests.support.world import step, workflow


def http(reference="h", **fields):
    return step("HTTP", reference, {"http_request": {"uri": "http://v/x", "method": "GET"}}, **fields)


def poll(**fields):
    return step(
        "HTTP_POLL", "p", {"http_request": {"uri": "http://v/job", "terminationCondition": "$.output.response.body.done", **fields}}
    )


def test_a_wait_of_three_days_takes_milliseconds():
    run = Rehearsal(workflow(step("WAIT", "w", {"duration": "3 days"})))
    run.start()
    began = time.process_time()
    result = run.run()
    assert time.process_time() - began < 0.5
    assert (result.status, result.elapsed) == ("COMPLETED", timedelta(days=3))


def test_answers_come_in_order_and_the_last_one_stays():
    vendor = Vendor().on("GET", "http://v/job", {"done": False}, lambda request: answer({"done": request.at.minute >= 4}))
    result = Rehearsal(workflow(poll()), vendor).run()
    assert result.status == "COMPLETED"
    assert [entry.decision for entry in result.tasks["p"].polls] == ["AGAIN"] * 4 + ["DONE"]
    assert (result.tasks["p"].poll_count, len(result.requests), len(vendor.asked("GET", "*/job"))) == (5, 5, 5)


def test_the_script_added_last_wins():
    vendor = Vendor().on("*", "*", answer({}, 500)).on("GET", "http://v/x", {"ok": True})
    assert Rehearsal(workflow(http()), vendor).run().tasks["h"].output["response"]["body"] == {"ok": True}


def test_a_slow_vendor_takes_virtual_time():
    result = Rehearsal(workflow(http()), Vendor().on("GET", "*", answer({}, takes=timedelta(seconds=7)))).run()
    assert result.elapsed == timedelta(seconds=7)


def test_retry_after_and_failures_are_scripted():
    vendor = Vendor().on("GET", "*", answer({}, 503, retry_after=120), no_answer("reset"), {"done": True})
    result = Rehearsal(workflow(poll()), vendor).run()
    assert [entry.status_code for entry in result.tasks["p"].polls] == [503, None, 200]
    assert result.elapsed == timedelta(seconds=180)


def test_a_request_nobody_scripted_fails_the_test_with_its_address():
    with pytest.raises(UnexpectedRequest, match="nobody answers GET http://v/x; the vendor knows POST http://w"):
        Rehearsal(workflow(http()), Vendor().on("POST", "http://w", {})).run()


def test_a_word_that_is_no_failure_is_refused():
    with pytest.raises(ValueError, match="nonsense"):
        no_answer("nonsense")


def test_secrets_reach_the_vendor_and_nothing_else():
    task = step("HTTP", "h", {"http_request": {"uri": "http://v", "method": "GET", "headers": {"X": "${workflow.secrets.KEY}"}}})
    result = Rehearsal(workflow(task), Vendor().on("GET", "*", {}), secrets={"KEY": "s3cret"}).run()
    assert result.requests[0].headers["X"] == "s3cret"
    assert "s3cret" not in str(result.tasks)


def test_registered_task_definitions_count():
    vendor = Vendor().on("GET", "*", answer({}, 500), answer({}, 500), {})
    policy = {"name": "h", "retryCount": 2, "retryDelaySeconds": 10, "retryLogic": "EXPONENTIAL_BACKOFF"}
    result = Rehearsal(workflow(http()), vendor, task_definitions=[policy]).run()
    assert [(each.attempt, each.status) for each in result.attempts] == [(0, "FAILED"), (1, "FAILED"), (2, "COMPLETED")]
    assert result.elapsed == timedelta(seconds=30)


def test_an_outside_party_completes_and_fails():
    run = Rehearsal(workflow(step("WAIT", "w"), step("HUMAN", "h")))
    assert run.run().waiting == ["w"]
    run.complete("w", {"x": 1})
    assert run.result.waiting == ["h"]
    run.fail("h", "refused")
    assert (run.result.status, run.result.tasks["h"].reason) == ("FAILED", "refused")
    with pytest.raises(LookupError, match="h is not open; open are: none"):
        run.complete("h")


def test_a_played_worker_may_fail_and_is_asked_again():
    tries = []

    def approve(task_input):
        tries.append(task_input["n"])
        if len(tries) == 1:
            raise TaskFailed("not yet")
        return {"yes": True}

    definition = workflow(step("HUMAN", "approve", {"n": 7}, retryCount=1))
    result = Rehearsal(definition, workers={"approve": approve}).run()
    assert (result.status, tries, result.output) == ("COMPLETED", [7, 7], {"yes": True})


def test_a_played_worker_may_fail_for_good():
    def approve(task_input):
        raise TaskFailed("never", terminal=True)

    definition = workflow(step("HUMAN", "approve", retryCount=5))
    result = Rehearsal(definition, workers={"approve": approve}).run()
    assert [each.status for each in result.attempts] == ["FAILED_WITH_TERMINAL_ERROR"]


def test_an_operator_pauses_resumes_terminates_retries_and_restarts():
    run = Rehearsal(workflow(step("WAIT", "w", {"duration": "1h"}), http()), Vendor().on("GET", "*", answer({}, 500), {}))
    run.start()
    run.pause()
    assert run.run_until(timedelta(hours=2)).status == "PAUSED"
    run.resume()
    assert run.run().status == "FAILED"
    run.retry()
    assert run.run().status == "COMPLETED"
    run.restart()
    assert run.run_until(timedelta(minutes=30)).waiting == ["w"]
    run.terminate("enough")
    assert (run.result.status, run.result.reason) == ("TERMINATED", "enough")
    with pytest.raises(Conflict):
        run.pause()


def test_the_clock_begins_where_the_test_says():
    run = Rehearsal(workflow(step("WAIT", "w", {"until": "2030-05-01"})), begins=datetime(2030, 4, 30, 12, tzinfo=UTC))
    assert run.run().elapsed == timedelta(hours=12)


def test_a_run_that_times_out_ends_at_its_timeout():
    definition = workflow(poll(), timeoutSeconds=600, timeoutPolicy="TIME_OUT_WF")
    result = Rehearsal(definition, Vendor().on("GET", "*", {"done": False})).run()
    assert (result.status, result.elapsed) == ("TIMED_OUT", timedelta(seconds=600))


def test_a_wrong_definition_is_refused_with_its_mistakes():
    with pytest.raises(InvalidRequest):
        Rehearsal(workflow(step("HTTP_POLL", "p", {"terminalCondition": "true"})))


def test_one_rehearsal_is_one_run():
    run = Rehearsal(workflow(step("NOOP", "n")))
    with pytest.raises(RuntimeError, match="start the run first"):
        run.workflow_id  # noqa: B018
    run.run()
    with pytest.raises(RuntimeError, match="has its run already"):
        run.start()


def test_loops_show_each_iteration_by_its_name():
    loop = step("DO_WHILE", "l", loopCondition="$.l.iteration < 2", loopOver=[step("INLINE", "i", {"expression": "7"})])
    result = Rehearsal(workflow(loop)).run()
    assert list(result.tasks) == ["l", "i__1", "i__2"]
    assert result.variables == {}


def test_sub_workflows_are_played_with_the_run():
    child = {"name": "child", "version": 1, "tasks": [step("HUMAN", "approve", {"n": "${workflow.input.n}"})]}
    definition = workflow(step("SUB_WORKFLOW", "s", {"n": 3}, subWorkflowParam={"name": "child"}))
    run = Rehearsal(definition, others=[child])
    assert run.run().waiting == ["s"]
    assert [(other.name, other.status, other.waiting) for other in run.others] == [("child", "RUNNING", ["approve"])]
    run.complete("approve", {"yes": 1})
    assert (run.run().status, run.result.tasks["s"].output["yes"]) == ("COMPLETED", 1)
    played = Rehearsal(definition, others=[child], workers={"approve": lambda task_input: {"n": task_input["n"]}})
    assert played.run().output["n"] == 3


def test_events_are_told_and_handled_by_the_handlers_given():
    packing = workflow(step("HUMAN", "pack")) | {"name": "ship"}
    start = {"action": "start_workflow", "start_workflow": {"name": "ship", "input": {"id": "${id}"}}}
    handler = {"name": "h", "event": "conductor:flow:paid", "active": True, "actions": [start]}
    run = Rehearsal(workflow(step("EVENT", "tell", {"id": 7}, sink="conductor:paid")), others=[packing], event_handlers=[handler])
    result = run.run()
    assert [(event.name, event.payload["id"]) for event in result.events] == [("conductor:flow:paid", 7)]
    assert [(other.name, other.input["id"], other.waiting) for other in run.others] == [("ship", 7, ["pack"])]


def test_an_event_from_outside_ends_a_task():
    end = {"action": "complete_task", "complete_task": {"workflowId": "${run}", "taskRefName": "ask", "output": {"by": "${by}"}}}
    run = Rehearsal(
        workflow(step("HUMAN", "ask")),
        event_handlers=[{"name": "h", "event": "sqs:answers", "active": True, "condition": "$.ok > 0", "actions": [end]}],
    )
    run.start()
    run.happens("sqs:answers", {"run": run.workflow_id, "by": "Ada", "ok": 0})
    assert run.run().waiting == ["ask"]
    run.happens("sqs:answers", {"run": run.workflow_id, "by": "Ada", "ok": 1}, "message-2")
    assert run.run().tasks["ask"].output["by"] == "Ada"
