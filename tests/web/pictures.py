"""`make pictures`: takes the pictures of docs/images anew, from the real local server. Look at them before you commit them."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from fermata_local import checkout

from tests.support import chromium, web_server
from tests.support.scripted_vendor import said
from tests.support.web_server import WebServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

FOLDER = checkout.ROOT / "docs" / "images"
WIDE, PHONE = {"width": 1200, "height": 760}, {"width": 390, "height": 760}
MAIN_JOB = "http_poll_external_job"
STATES = ("QUEUED", "QUEUED", *["RUNNING"] * 40)
RESIZE: dict[str, Any] = {
    "name": "resize_images",
    "version": 1,
    "schemaVersion": 2,
    "description": "Resize what was uploaded, in four sizes at once",
    "inputParameters": ["bucket"],
    "tasks": [
        {
            "name": "each_size",
            "taskReferenceName": "each_size",
            "type": "FORK_JOIN",
            "forkTasks": [[{"name": "resize", "taskReferenceName": f"resize_{size}", "type": "SIMPLE"}] for size in (128, 512, 1024)],
        },
        {"name": "all_sizes", "taskReferenceName": "all_sizes", "type": "JOIN", "joinOn": ["resize_128", "resize_512", "resize_1024"]},
    ],
}


def _busy(server: WebServer) -> str:
    """Fill the server with what a day brings; return the run that is waited for."""
    server.register(RESIZE)
    server.start_main_job("QUEUED", "RUNNING", "SUCCEEDED")
    server.pass_time(timedelta(minutes=4))
    server.start_main_job("RUNNING", "FAILED")
    server.pass_time(timedelta(minutes=4))
    waited = server.start_main_job(*STATES)
    busy = said({"error": "busy"}, 503, Retry_After="180")
    server.pass_time(timedelta(minutes=9))
    server.vendor.on("GET", "/jobs/71c2", busy, *[said({"jobId": "71c2", "state": "RUNNING"})] * 99)
    server.pass_time(timedelta(minutes=19))
    server.start("resize_images", {"bucket": "uploads"})
    server.pass_time(timedelta(seconds=18))
    return waited


def _shown(browser: "Browser", server: WebServer, address: str, name: str, act: "Callable[[Page], None]", **context: Any) -> None:
    opened = browser.new_context(base_url=server.url, locale="en-GB", timezone_id="UTC", **{"viewport": WIDE, **context})
    page = opened.new_page()
    page.clock.install(time=server.cloud.clock.now())
    page.goto(address)
    act(page)
    page.screenshot(path=FOLDER / f"{name}.png")
    opened.close()


def _sees(text: str) -> "Callable[[Page], None]":
    return lambda page: page.get_by_text(text).first.wait_for()


def _drawn(page: "Page") -> None:
    page.get_by_role("region", name="Task graph").get_by_role("button").first.wait_for()
    page.get_by_text("Cost so far").wait_for()


def _rehearsed(page: "Page") -> None:
    page.get_by_label("jobApiUrl").fill("https://jobs.example")
    page.get_by_label("dataset").fill("orders")
    page.get_by_role("button", name="Run it dry").click()
    page.get_by_role("heading", name="What would happen").scroll_into_view_if_needed()


def take() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = chromium.find()
    if path is None:
        raise SystemExit(chromium.MISSING)
    with web_server.serving() as server, chromium.running(path) as browser:
        run = f"/ui/executions/{_busy(server)}"
        _shown(browser, server, "/", "executions", _sees("waits for"))
        _shown(browser, server, f"{run}?tab=graph", "execution", _drawn)
        _shown(browser, server, f"{run}?tab=ledger", "polls", lambda page: page.locator("canvas").wait_for(), color_scheme="dark")
        _shown(browser, server, f"{run}?tab=timeline", "timeline", _sees("Cost so far"))
        _shown(browser, server, f"/ui/definitions/{MAIN_JOB}?tab=text", "definition", _sees("warning"))
        _shown(browser, server, f"/ui/definitions/{MAIN_JOB}?tab=dryrun", "dry-run", _rehearsed)
        _shown(browser, server, run, "phone", _drawn, viewport=PHONE)


if __name__ == "__main__":
    take()
