"""What cannot be shown is said, and the other pages work: no address, no odd answer and no missing file leaves an empty screen."""

import pytest


def _goes_on(page):
    page.get_by_role("link", name="Schedules").click()
    page.get_by_role("heading", name="Schedules").wait_for()


@pytest.mark.parametrize("path", ["/ui/executions/%", "/ui/definitions/%E0%A4%A"])
def test_an_address_that_cannot_be_read_is_no_page(page, path):
    page.goto(path)
    page.get_by_text("There is no such page").wait_for()
    _goes_on(page)


def test_an_answer_that_cannot_be_drawn_is_said(page, complaints):
    complaints.allow("TypeError")
    page.route("**/api/workflow/w?**", lambda route: route.fulfill(json={"workflowId": "w"}))
    page.goto("/ui/executions/w")
    page.get_by_text("This page cannot be drawn.").wait_for()
    _goes_on(page)


def test_a_page_whose_code_is_gone_says_so_and_can_be_reloaded(page, complaints):
    complaints.allow("Failed to load resource")
    complaints.allow("ERR_FAILED")
    page.goto("/ui/executions")
    page.get_by_text("Nothing has run here yet.").wait_for()
    page.route("**/ui/assets/*.js", lambda route: route.abort())
    page.get_by_role("link", name="Schedules").click()
    page.get_by_text("This part of the page cannot be loaded").wait_for()
    page.unroute("**/ui/assets/*.js")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="Schedules").wait_for()


def test_what_was_asked_of_a_server_that_is_gone_is_not_said_to_be_tried_again(page, server, complaints):
    complaints.allow("Failed to load resource")
    complaints.allow("ERR_FAILED")
    run = server.start_main_job("QUEUED")
    page.goto(f"/ui/executions/{run}")
    page.get_by_role("button", name="Terminate").click()
    page.route(lambda url: run in url, lambda route: route.abort())
    page.get_by_role("dialog").get_by_role("button", name="Terminate").click()
    page.get_by_text("Look whether it was done.").wait_for()
