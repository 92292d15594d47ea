"""A dry run in the browser: scripted answers in, what would happen out, and nothing done."""

import json

import pytest
from fermata_local import checkout

POLLS = json.loads(checkout.EXAMPLE_DEFINITION.read_text())


@pytest.fixture
def defined(server):
    server.register(POLLS)


def _fill_input(page):
    page.get_by_label("jobApiUrl").fill("https://jobs.example")
    page.get_by_label("dataset").fill("orders")


def test_the_main_job_is_rehearsed_and_nothing_is_called_or_kept(page, server, defined, axe, screenshot):
    page.goto(f"/ui/definitions/{POLLS['name']}?tab=dryrun")
    _fill_input(page)
    page.get_by_role("button", name="Run it dry").click()
    outcome = page.get_by_role("region", name="What would happen")
    outcome.get_by_text("completed").first.wait_for()
    told = outcome.get_by_role("status").first.text_content()
    assert "after 2 min" in told
    assert "4 requests" in told
    assert "$" in told
    outcome.get_by_text("poll 3").wait_for()
    axe(page)
    screenshot("dry-run", whole=True)
    assert (server.vendor.requests, server.api("GET", "/workflow/search")["totalHits"]) == ([], 0)


def test_a_vendor_that_never_is_done_is_given_up(page, server, defined):
    page.goto(f"/ui/definitions/{POLLS['name']}?tab=dryrun")
    _fill_input(page)
    page.get_by_role("button", name="Remove answer 2 of await_job").click()
    page.locator('input[name="await_job 1 times"]').fill("")
    page.get_by_role("button", name="Run it dry").click()
    outcome = page.get_by_role("region", name="What would happen")
    outcome.get_by_text("failed").first.wait_for()
    assert "60 polls" in outcome.get_by_role("status").first.text_content()


def test_an_answer_that_cannot_be_is_said_before_anything_is_asked(page, server, defined):
    page.goto(f"/ui/definitions/{POLLS['name']}?tab=dryrun")
    page.locator('input[name="submit_job 1 status"]').fill("abc")
    page.get_by_role("button", name="Run it dry").click()
    page.get_by_role("alert").filter(has_text="submit_job, answer 1: the status must be a whole number").wait_for()
    assert not [asked for asked in server.requests if "dry-run" in asked.target]
