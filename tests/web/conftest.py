"""A browser, the local server, and a page that nothing goes wrong in."""

import os
from pathlib import Path

import pytest

from tests.support import chromium, web_server
from tests.support.complaints import Complaints

HERE = Path(__file__).parent
SCREENSHOTS = HERE.parents[1] / "build" / "screenshots"
TOO_BAD = {"serious", "critical"}
A_WHILE = 30_000  # milliseconds: only a test that fails takes it, however busy the machine is


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep the tests of a file on one worker, so that few browsers are started."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group(f"browser: {item.path.stem}"))


@pytest.fixture(scope="session")
def browser():
    path = chromium.find()
    if path is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(chromium.MISSING)
    with chromium.running(path) as browser:
        yield browser


@pytest.fixture
def assets():
    """The folder of pages. Override it to serve others than the built ones."""
    if not (web_server.BUILT / "index.html").exists():
        pytest.skip("The pages are not built.")
    return web_server.BUILT


@pytest.fixture
def server_options():
    """Override it, or parametrize it: `keys`, `min_poll_interval`."""
    return {}


@pytest.fixture
def server(assets, server_options):
    with web_server.serving(assets, **server_options) as opened:
        yield opened
        assert opened.cloud.failures == []


@pytest.fixture
def complaints(server):
    """What the browser found wrong. `complaints.allow(pattern)` for what a test brings about on purpose."""
    return Complaints({server.url})


@pytest.fixture
def context_options():
    """Override it for a phone's width, a dark scheme...: arguments of Playwright's `new_context`."""
    return {}


@pytest.fixture
def page(browser, server, complaints, context_options):
    """An empty page at the server's own time; `page.goto("/ui/...")`. The test fails if the browser has something to complain of."""
    context = browser.new_context(base_url=server.url, locale="en-GB", timezone_id="UTC", reduced_motion="reduce", **context_options)
    context.set_default_timeout(A_WHILE)
    page = context.new_page()
    page.clock.install(time=server.cloud.clock.now())
    complaints.listen(page)
    yield page
    context.close()
    assert complaints.left() == []


@pytest.fixture
def pass_time(server, page):
    """`pass_time(timedelta)`: on the server's clock and on the page's."""

    def let(length):
        server.pass_time(length)
        page.clock.fast_forward(int(length.total_seconds() * 1000))

    return let


@pytest.fixture
def axe():
    """`axe(page)`: fails when axe-core finds something serious or critical."""
    from axe_playwright_python.sync_playwright import Axe

    def check(page):
        found = Axe().run(page).response["violations"]
        bad = [(each["id"], each["help"], [node["target"] for node in each["nodes"]]) for each in found if each["impact"] in TOO_BAD]
        assert bad == []

    return check


@pytest.fixture
def screenshot(page):
    """`screenshot(name)`: the page as it is now, kept in build/screenshots."""

    def take(name, *, whole=False):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        page.screenshot(path=path, full_page=whole)
        return path

    return take
