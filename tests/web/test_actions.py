"""What an operator does to a run in the browser, what is kept of it, and what a reader cannot do."""

from datetime import timedelta

import pytest

from tests.support.scripted_vendor import said

ASKS = {
    "name": "asks",
    "version": 1,
    "schemaVersion": 2,
    "tasks": [
        {"name": "ask", "taskReferenceName": "ask", "type": "HUMAN"},
        {"name": "after", "taskReferenceName": "after", "type": "WAIT", "inputParameters": {"duration": "1 hour"}},
    ],
}
SECOND = timedelta(seconds=1)


def _do(page, name, reason=""):
    """Press the button of this name, give the reason, and say yes."""
    page.get_by_role("button", name=name, exact=True).click()
    dialog = page.get_by_role("dialog")
    if reason:
        dialog.get_by_label("Reason").fill(reason)
    dialog.get_by_role("button", name=name, exact=True).click()
    dialog.wait_for(state="hidden")


def _open(page, run, query=""):
    page.goto(f"/ui/executions/{run}{query}")
    page.locator(".sentence").wait_for()


def _status(page, word):
    page.locator("main .status").filter(has_text=word).first.wait_for()


def _operations(server, run):
    return [(one["operation"], one.get("reason", "")) for one in server.api("GET", f"/workflow/{run}/operations")]


def test_a_run_is_paused_resumed_and_terminated_with_reasons_that_are_kept(page, server, axe):
    run = server.start_main_job("RUNNING", "SUCCEEDED")
    _open(page, run)
    _do(page, "Pause", "the vendor is in maintenance")
    _status(page, "paused")
    _do(page, "Resume")
    _status(page, "running")
    _do(page, "Terminate", "ordered twice")
    _status(page, "terminated")
    page.get_by_text("ordered twice").first.wait_for()
    page.get_by_role("link", name="Operations", exact=True).click()
    page.get_by_text("the vendor is in maintenance").wait_for()
    axe(page)
    told = _operations(server, run)
    assert sorted(reason for _, reason in told) == ["", "ordered twice", "the vendor is in maintenance"]


def test_a_poll_is_made_now(page, server):
    run = server.start_main_job("RUNNING", "SUCCEEDED")
    _open(page, run, "?task=await_job")
    _do(page, "Poll now", "they called")
    server.settle()
    page.clock.fast_forward(3_000)
    _status(page, "completed")
    assert len([asked for asked in server.vendor.requests if asked.method == "GET"]) == 2
    assert server.cloud.clock.now().minute == 0, "an hour's fraction did not have to pass"


def test_a_failed_task_is_tried_again(page, server):
    request = {"uri": f"{server.vendor.url}/order", "method": "GET"}
    call = {"name": "call", "taskReferenceName": "call", "type": "HTTP", "inputParameters": {"http_request": request}}
    server.register({**ASKS, "name": "calls", "tasks": [call]})
    server.vendor.on("GET", "/order", said({"error": "down"}, 500))
    run = server.start("calls")
    _open(page, run)
    _status(page, "failed")
    server.vendor.on("GET", "/order", said({"order": 7}))
    _do(page, "Retry", "the vendor is back")
    server.settle()
    page.clock.fast_forward(3_000)
    _status(page, "completed")
    assert [task["status"] for task in server.run(run)["tasks"]] == ["FAILED", "COMPLETED"]


def test_a_failed_run_begins_again(page, server):
    run = server.start_main_job("FAILED")
    _open(page, run)
    _status(page, "failed")
    server.vendor.job("SUCCEEDED")
    _do(page, "Restart", "the vendor has repaired it")
    server.settle()
    page.clock.fast_forward(3_000)
    _status(page, "completed")
    assert server.run(run)["status"] == "COMPLETED"


def test_a_run_goes_on_from_one_of_its_tasks(page, server):
    run = server.start_main_job("SUCCEEDED")
    _open(page, run, "?task=await_job")
    _status(page, "completed")
    _do(page, "Rerun from here", "the result was replaced")
    server.settle()
    assert server.run(run)["status"] == "COMPLETED"
    assert "the result was replaced" in [reason for _, reason in _operations(server, run)]


def test_a_person_answers_for_a_human_task(page, server):
    server.register(ASKS)
    run = server.start("asks")
    _open(page, run, "?task=ask")
    page.get_by_role("button", name="Complete", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Output as JSON").fill('{"approved": true}')
    dialog.get_by_role("button", name="Complete", exact=True).click()
    dialog.wait_for(state="hidden")
    server.settle()
    task = server.run(run)["tasks"][0]
    assert (task["status"], task["outputData"]) == ("COMPLETED", {"approved": True})


def test_what_the_server_refuses_is_said_in_the_dialog(page, server, complaints):
    complaints.allow("status of 409")
    run = server.start_main_job("RUNNING", "SUCCEEDED")
    _open(page, run)
    page.get_by_role("button", name="Pause", exact=True).click()
    server.api("DELETE", f"/workflow/{run}")
    page.get_by_role("dialog").get_by_role("button", name="Pause", exact=True).click()
    page.get_by_role("dialog").get_by_role("alert").wait_for()


def test_a_step_that_is_still_to_come_is_skipped(page, server):
    server.register(ASKS)
    run = server.start("asks")
    _open(page, run, "?task=after")
    _do(page, "Skip", "not this time")
    page.get_by_role("link", name="Operations", exact=True).click()
    page.get_by_text("not this time").wait_for()


@pytest.mark.parametrize("server_options", [{"keys": True}])
def test_a_reader_is_shown_a_run_and_offered_nothing(page, server, complaints):
    complaints.allow("status of 40[13]")
    run = server.start_main_job("RUNNING", "SUCCEEDED")
    key = server.key("reader")
    page.goto(f"/ui/executions/{run}?task=await_job")
    page.get_by_label("Key id").fill(key["keyId"])
    page.get_by_label("Key secret").fill(key["keySecret"])
    page.get_by_role("button", name="Sign in").click()
    page.locator(".sentence").filter(has_text="1 poll").wait_for()
    for verb in ("Pause", "Terminate", "Poll now"):
        assert page.get_by_role("button", name=verb, exact=True).count() == 0
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
