"""The list of executions in the browser: what each waits for, filters that can be shared, pages, cards on a phone."""

import re
from datetime import timedelta

import pytest

HOSTILE = "<img src=x onerror=alert(1)>"
WORK = {
    "name": "resize_images",
    "version": 1,
    "schemaVersion": 2,
    "tasks": [{"name": "resize", "taskReferenceName": "resize", "type": "SIMPLE"}],
}


@pytest.fixture
def defined(server):
    server.register(WORK)


def ids_of(page):
    return page.locator(".runs .run-id a").evaluate_all("all => all.map(one => one.title)")


def test_a_polling_run_tells_what_the_vendor_said_and_counts_down(page, server, pass_time, axe):
    server.start_main_job("QUEUED", "RUNNING", "RUNNING")
    page.goto("/ui/executions")
    row = page.get_by_role("row", name="http_poll_external_job")
    row.get_by_text("QUEUED").wait_for()
    row.get_by_text("1 of 60").wait_for()
    assert re.search(r"in \d+ s|in 1 min", row.get_by_role("timer").inner_text())
    axe(page)
    pass_time(timedelta(seconds=65))
    row.get_by_text("2 of 60").wait_for()
    row.locator(".remote", has_text="RUNNING").wait_for()
    page.get_by_label("Vendor host").fill("exports.example")
    page.keyboard.press("Enter")
    page.get_by_text("No execution is like that.").wait_for()
    page.get_by_label("Vendor host").fill("127.0.0.1")
    page.keyboard.press("Enter")
    row.wait_for()


def test_a_filter_is_in_the_address_and_a_link_leads_to_the_same(page, server, defined, axe):
    ended, kept = server.start("resize_images"), server.start("resize_images")
    server.api("DELETE", f"/workflow/{ended}?reason=no+longer+needed")
    page.goto("/ui/executions")
    page.get_by_role("button", name="terminated").click()
    page.wait_for_url("**/ui/executions?status=TERMINATED")
    page.get_by_text("no longer needed").wait_for()
    assert ids_of(page) == [ended]
    assert page.evaluate("document.activeElement.textContent") == "terminated"  # the keyboard stays where it was
    axe(page)
    page.goto("/ui/executions?status=RUNNING&definition=resize_images")
    page.get_by_text("a worker for resize").wait_for()
    assert ids_of(page) == [kept]
    assert page.get_by_role("button", name="running").get_attribute("aria-pressed") == "true"
    page.get_by_label("Definition").fill("resize_nothing")
    page.get_by_role("button", name="Find").click()
    page.get_by_text("No execution is like that.").wait_for()


def test_a_query_that_cannot_be_read_is_told_beside_it(page, server, defined, complaints):
    complaints.allow("status of 400")
    server.start("resize_images")
    page.goto("/ui/executions?status=RUNNING")
    page.get_by_text("Search language").click()
    page.get_by_label("Query").fill("version = 1 AND colour = red")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("at character 17").wait_for()
    page.get_by_label("Query").fill("version = 1 OR version = 2")
    page.keyboard.press("Enter")
    page.locator(".runs .run-id").wait_for()


def test_pages_follow_each_other_without_a_gap(page, server, defined):
    started = [server.api("POST", "/workflow/resize_images", {}) for _ in range(27)]  # all in one moment
    page.goto("/ui/executions?top=1")
    page.get_by_text("27 executions").first.wait_for()
    first = ids_of(page)
    page.get_by_role("link", name="Older").click()
    page.get_by_text("page 2").wait_for()
    assert sorted(first + ids_of(page)) == sorted(started)
    assert page.get_by_role("link", name="Older").count() == 0
    page.get_by_role("link", name="Newer").click()
    page.get_by_text("27 executions").first.wait_for()
    assert ids_of(page) == first


def test_what_comes_from_outside_is_text(page, server, defined):
    server.api("POST", "/workflow", {"name": "resize_images", "correlationId": HOSTILE})
    page.goto("/ui/executions")
    page.get_by_role("link", name=HOSTILE).click()
    page.wait_for_url("**correlation=*")
    page.get_by_role("cell", name=HOSTILE).wait_for()
    assert page.locator("main img").count() == 0


def test_an_empty_list_says_how_to_begin(page, axe):
    page.goto("/")
    page.get_by_text("fermata demo").wait_for()
    axe(page)


@pytest.mark.parametrize("context_options", [{"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}])
def test_a_phone_shows_a_card_for_each(page, server, defined, axe):
    server.start("resize_images")
    page.goto("/ui/executions")
    page.get_by_text("a worker for resize").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    axe(page)
