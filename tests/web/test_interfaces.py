"""Air Pipe in the browser: the interfaces that a server answers, and their runs among all others."""

from fermata_local import checkout
from fermata_local.airpipe import publish, read_file

DEMO = checkout.ROOT / "examples" / "airpipe" / "demo.yml"


def test_interfaces_are_listed_with_their_waits_and_lead_to_their_runs(page, server, axe):
    publish(read_file(DEMO))
    page.goto("/ui/airpipe")
    row = page.get_by_role("row").filter(has_text="POST /airpipe/demo/run")
    row.wait_for()
    row.get_by_text("parked").wait_for()
    axe(page)
    row.get_by_role("link", name="Runs").click()
    page.get_by_role("heading", name="Executions").wait_for()
    assert "definition=airpipe" in page.url


def test_a_run_of_an_interface_is_shown_as_any_other(page, server):
    publish(read_file(DEMO))
    server.cloud.api("POST", "/airpipe/demo/run")
    server.settle()
    page.goto("/ui/airpipe")
    page.get_by_role("link", name="All runs of interfaces").click()
    page.get_by_role("link", name="airpipe:POST:demo:run").click()
    page.locator(".sentence").wait_for()
    page.get_by_role("link", name="Polls", exact=True).click()
    page.get_by_role("row").filter(has_text="again").first.wait_for()
