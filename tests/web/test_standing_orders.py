"""What starts by itself, and what waits for workers, in the browser: schedules, event handlers, task queues."""

import re
from datetime import timedelta

import pytest

RESIZE = {
    "name": "resize_images",
    "version": 1,
    "schemaVersion": 2,
    "tasks": [{"name": "resize", "taskReferenceName": "resize", "type": "SIMPLE"}],
}
NIGHTLY = {"name": "nightly", "cronExpression": "0 0 3 * * ?", "zoneId": "Europe/Berlin", "startWorkflowRequest": {"name": "resize_images"}}
HANDLER = {
    "name": "on_upload",
    "event": "conductor:uploads",
    "condition": "$.size > 3",
    "active": True,
    "evaluatorType": "javascript",
    "actions": [{"action": "start_workflow", "start_workflow": {"name": "resize_images"}}],
}


@pytest.fixture
def defined(server):
    server.register(RESIZE)


def test_a_schedule_counts_down_and_is_paused_for_as_long_as_somebody_says(page, server, defined, axe):
    server.api("POST", "/scheduler/schedules", NIGHTLY)
    page.goto("/ui/schedules")
    page.get_by_role("timer").filter(has_text=re.compile("in 13 h 5. min")).wait_for()  # 3:00 in Berlin is 2:00 UTC; it was just noon
    axe(page)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("dialog").get_by_role("button", name="Pause").click()
    page.get_by_text("paused").wait_for()
    assert server.api("GET", "/scheduler/schedules/nightly")["paused"] is True
    page.get_by_role("button", name="Resume").wait_for()


def test_what_a_schedule_started_leads_to_its_run(page, server, defined):
    server.api("POST", "/scheduler/schedules", NIGHTLY)
    server.pass_time(timedelta(hours=15))
    page.goto("/ui/schedules")
    page.get_by_role("button", name="Past runs").click()
    (run,) = server.api("GET", "/workflow/search?query=workflowType%3Dresize_images")["results"]
    started = page.get_by_role("region", name="Past runs").get_by_role("link", name="resize_images")
    assert started.get_attribute("href") == f"/ui/executions/{run['workflowId']}"


def test_a_handler_tells_what_it_waits_for_and_what_it_did(page, server, defined, axe):
    server.api("POST", "/event", HANDLER)
    page.goto("/ui/events")
    page.get_by_text("starts resize_images").wait_for()
    page.get_by_text("$.size > 3").wait_for()
    page.get_by_role("button", name="What it did").click()
    page.get_by_text("No such event came yet.").wait_for()
    axe(page)


def test_a_queue_shows_its_depth_and_who_was_seen_at_it(page, server, defined, axe):
    for _ in range(3):
        server.start("resize_images")
    page.goto("/ui/queues")
    page.get_by_role("row", name="resize none 3 none yet: nothing will take these tasks").wait_for()
    server.api("GET", "/tasks/poll/resize?workerid=w1")
    page.clock.fast_forward(5_000)
    page.get_by_role("row", name="resize none 2 w1").wait_for()
    axe(page)


@pytest.mark.parametrize("address", ["schedules", "events", "queues", "airpipe"])
def test_an_empty_page_says_what_would_fill_it(page, complaints, address):
    complaints.allow("status of 404")  # a server without Air Pipe interfaces
    page.goto(f"/ui/{address}")
    page.locator(".empty").wait_for()
    assert len(page.locator(".empty").text_content()) > 20
