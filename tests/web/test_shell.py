"""A browser gets the pages as they are meant to be got, and this folder's fixtures see what goes wrong."""

import re
from collections import Counter
from datetime import timedelta

import pytest

INDEX = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Shell</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/ui/assets/app-AAAAAAAA.css">
<script type="module" src="/ui/assets/app-BBBBBBBB.js"></script>
<main><h1>Shell</h1><p id="where"></p><p id="server"></p><p id="chunk"></p><p id="time"></p></main></html>
"""
APP = """
const show = (id, text) => { document.getElementById(id).textContent = text; };
show("where", location.pathname);
fetch("/ui/server.json").then((answer) => answer.json()).then((server) => show("server", server.authorization));
import("/ui/assets/chunk-CCCCCCCC.js").then((chunk) => show("chunk", chunk.words));
setInterval(() => show("time", new Date().toISOString()), 1000);
"""


@pytest.fixture
def assets(tmp_path):
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "app-AAAAAAAA.css").write_text("h1 { color: rgb(1, 2, 3) }")
    (tmp_path / "app-BBBBBBBB.js").write_text(APP)
    (tmp_path / "chunk-CCCCCCCC.js").write_text('export const words = "came later";')
    return tmp_path


def _script(assets, text):
    (assets / "app-BBBBBBBB.js").write_text(text)


@pytest.mark.parametrize("path", ["/", "/ui", "/ui/executions/7?tab=polls"])
def test_every_address_is_the_same_page_with_its_style_and_scripts(page, server, path, axe):
    page.goto(path)
    page.get_by_text("came later").wait_for()
    page.get_by_text("NONE").wait_for()
    assert page.locator("#where").text_content() == path.partition("?")[0]
    assert page.locator("h1").evaluate("it => getComputedStyle(it).color") == "rgb(1, 2, 3)"
    axe(page)


@pytest.mark.parametrize("server_options", [{"keys": True}])
def test_with_keys_the_pages_are_open_and_say_so_and_the_api_is_not(page, server, complaints):
    complaints.allow("status of 401")
    page.goto("/ui")
    page.get_by_text("KEYS").wait_for()
    assert page.evaluate("fetch('/api/metadata/workflow').then(answer => answer.status)") == 401
    assert server.api("GET", "/metadata/workflow", token=server.token_of("reader")) == []


def test_files_are_kept_and_the_page_is_asked_for_anew(page, server):
    for _ in range(2):
        page.goto("/ui")
        page.get_by_text("came later").wait_for()
        page.get_by_text("NONE").wait_for()
    asked = Counter(request.target for request in server.requests)
    assert {target for target, times in asked.items() if times == 2} == {"/ui", "/ui/server.json"}
    assert {target for target, times in asked.items() if times == 1} == {
        f"/ui/assets/{name}" for name in ("app-AAAAAAAA.css", "app-BBBBBBBB.js", "chunk-CCCCCCCC.js")
    }


def test_the_page_lives_by_the_servers_clock(page, server, pass_time):
    page.goto("/ui")
    pass_time(timedelta(hours=5))
    page.get_by_text("2026-01-01T17:00").wait_for()
    assert server.cloud.clock.now().hour == 17


def test_a_run_is_there_for_pages_to_show(page, server):
    workflow_id = server.start_main_job("RUNNING", "SUCCEEDED")
    page.goto("/ui")
    assert page.evaluate(f"fetch('/api/workflow/{workflow_id}').then(a => a.json()).then(it => it.status)") == "RUNNING"
    server.pass_time(timedelta(minutes=1))
    assert server.run(workflow_id)["status"] == "COMPLETED"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("console.error('oh no')", "console: oh no"),
        ("throw new Error('broken')", "page error: broken"),
        ("document.body.innerHTML = '<b>x</b>'", "page error: .*TrustedHTML"),
        ("document.querySelector('h1').setAttribute('style', 'color: red')", "Content Security Policy"),
        ("eval('1')", "page error: .*eval"),
        ("fetch('https://elsewhere.example/x').catch(() => 0)", "Content Security Policy"),
        ("location.href = 'https://elsewhere.example/x'", "another origin: GET https://elsewhere.example/x"),
        ("fetch('/api/nothing')", "console: .*status of 404"),
    ],
)
def test_what_goes_wrong_in_a_page_is_noticed(page, assets, complaints, script, complaint):
    _script(assets, script)
    page.goto("/ui")
    for _ in range(100):
        if any(re.search(complaint, each) for each in complaints.left()):
            break
        page.wait_for_timeout(20)  # lets the browser's events in
    else:
        pytest.fail(f"not noticed: {complaints.said}")
    complaints.allow(".")
