"""`fermata ui` in a browser: a server that asks for keys, looked at with the key of the command line."""

import pytest
from fermata.domain.access import Authorization
from fermata.web.door import create
from fermata_local import server as http
from fermata_local.cli.conductor import Conductor
from fermata_local.cli.credentials import Credentials
from fermata_local.cli.ui import handing_on
from fermata_local.lambda_events import GatewayAnswer
from fermata_local.ui import Front

INDEX = """<!doctype html><html lang="en"><title>t</title><link rel="icon" href="data:,">
<script src="/ui/assets/app-AAAAAAAA.js"></script><p></p></html>
"""
APP = """
addEventListener("load", async () => {
  const names = await (await fetch("/api/metadata/workflow/names-and-versions")).json();
  document.querySelector("p").textContent = location.href + " " + JSON.stringify(names);
});
"""


@pytest.fixture
def assets(tmp_path):
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "app-AAAAAAAA.js").write_text(APP)
    return tmp_path


@pytest.fixture
def server_options():
    return {"keys": True}


@pytest.fixture
def front(server, assets, complaints):
    key = server.key("reader")
    upstream = Conductor(server.url, Credentials(key["keyId"], key["keySecret"]))

    def answer(request):
        return front(request)

    with http.serving(answer) as url:
        front = Front(create(assets, Authorization.NONE), handing_on(upstream), int(url.rpartition(":")[2]), "s3cret")
        complaints.origins.add(url)
        yield front


def test_the_printed_address_shows_what_the_key_may_see(page, front, complaints):
    complaints.allow("status of 403")
    page.goto(front.address)
    page.get_by_text(f"http://127.0.0.1:{front.port}/ui {{}}").wait_for()
    assert page.evaluate("fetch('/api/metadata/workflow', {method: 'POST', body: '{}'}).then(answer => answer.status)") == 403


def test_a_page_of_another_port_is_refused_though_the_browser_sends_the_cookie_along(page, server, front, complaints):
    complaints.allow("status of 403|CORS policy|ERR_FAILED")
    complaints.origins.add(server.vendor.url)
    evil = '<!doctype html><link rel="icon" href="data:,"><p></p>'
    server.vendor.on("GET", "/evil", GatewayAnswer(200, {"content-type": "text/html"}, evil.encode()))
    page.goto(front.address)
    page.goto(f"{server.vendor.url}/evil")
    before = len(server.requests)
    asking = f"fetch('http://127.0.0.1:{front.port}/api/health', {{mode: 'MODE', credentials: 'include'}}).then(() => 1, () => 0)"
    assert [page.evaluate(asking.replace("MODE", mode)) for mode in ("cors", "no-cors")] == [0, 1], "1: sent, and not to be read"
    assert len(server.requests) == before, "none was handed on"
