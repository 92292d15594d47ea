"""The pages as they are built: whole, small enough, of this origin, and served by the deployed door."""

import re
from pathlib import Path

import pytest
from fermata.web.files import Folder
from fermata_local import checkout

FIRST_VIEW_BYTES = 150 * 1024  # of script, compressed, until the first page is there
SPARE = 64 * 1024  # for the head of an answer, of the 6 MB that a function can return as base64


def _named(text):
    return set(re.findall(r"""["'(](?:/ui/assets|\.)/([\w.-]+-[A-Z0-9]{8}\.\w+)["')]""", text))


def test_every_file_that_a_page_names_is_there_and_may_be_kept_for_good(assets):
    files = Folder(assets)
    named = {name for path in assets.glob("*.*") if path.suffix in {".html", ".js", ".css"} for name in _named(path.read_text())}
    assert named
    assert [name for name in named if files.get(name) is None or not files.get(name).lasting] == []


def test_the_page_names_nothing_of_another_origin(assets):
    assert re.findall(r"""(?:src|href)=["']?((?:\w+:)?//[^"'> ]*)""", (assets / "index.html").read_text()) == []


def test_every_file_fits_in_an_answer(assets):
    for path in assets.iterdir():
        assert path.stat().st_size * 4 / 3 < 6 * 1024 * 1024 - SPARE, path.name


def test_the_built_door_serves_the_built_pages(assets):
    door = checkout.load(checkout.door_path("web"), "fermata_door_web_under_test").handler
    for path, kind in (("/ui", "text/html"), *((f"/ui/assets/{name}", "text/") for name in _named((assets / "index.html").read_text()))):
        answer = door({"rawPath": path, "headers": {}, "requestContext": {"http": {"method": "GET"}, "stage": "$default"}}, None)
        assert (answer["statusCode"], answer["headers"]["Content-Type"][: len(kind)]) == (200, kind)


@pytest.mark.parametrize("path", ["/", "/ui", "/ui/no/such/page"])
def test_the_first_view_takes_little_script_and_is_fit_to_read(page, server, assets, axe, path):
    page.goto(path)
    page.get_by_role("main").wait_for()
    page.get_by_role("heading", level=1).wait_for()
    files = Folder(assets)
    scripts = {Path(request.target).name for request in server.requests if request.target.endswith(".js")}
    assert 0 < sum(len(files.get(name).gzipped or files.get(name).content) for name in scripts) < FIRST_VIEW_BYTES
    axe(page)
