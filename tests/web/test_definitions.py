"""Definitions in the browser: found, read, changed with the server's findings beside the line, started, and who may."""

import json
import re

import pytest

RESIZE = {
    "name": "resize_images",
    "version": 1,
    "schemaVersion": 2,
    "description": "Resize what was uploaded",
    "inputParameters": ["size"],
    "tasks": [{"name": "resize", "taskReferenceName": "resize", "type": "SIMPLE", "inputParameters": {"size": "${workflow.input.size}"}}],
}
EXPORT = {**RESIZE, "name": "nightly_export", "description": "Export orders"}
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture
def defined(server):
    server.register(RESIZE, EXPORT)


def _type_over(page, text):
    """Put `text` in the editor in place of what is there, as a person would."""
    page.get_by_role("textbox", name="Definition as JSON").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def test_the_list_is_found_in_by_a_word(page, defined, axe):
    page.goto("/ui/definitions")
    page.get_by_role("link", name="resize_images").wait_for()
    page.get_by_label("Find a definition").fill("orders")
    page.get_by_role("status").filter(has_text="1 definition").wait_for()
    assert page.get_by_role("link", name="resize_images").count() == 0
    assert page.get_by_role("link", name="nightly_export").count() == 1
    axe(page)


def test_an_empty_server_says_what_to_do(page):
    page.goto("/ui/definitions")
    page.get_by_text("fermata workflow create FILE.json").wait_for()


def test_what_the_server_finds_stands_beside_its_line(page, defined, complaints, axe):
    complaints.allow("status of 400")
    page.goto("/ui/definitions/resize_images?tab=text")
    page.get_by_text("Nothing to say against it.").wait_for()
    wrong = {**RESIZE, "tasks": [{**RESIZE["tasks"][0], "inputParameters": {"size": "${nobody.output.size}"}}]}
    _type_over(page, json.dumps(wrong, indent=2))
    finding = page.get_by_role("listitem").filter(has_text="reads 'nobody'")
    finding.wait_for()
    (line,) = re.findall(r"line (\d+)", finding.text_content())
    assert "nobody" in json.dumps(wrong, indent=2).splitlines()[int(line) - 1]
    page.locator(".cm-lint-marker-error").wait_for()
    assert page.get_by_role("button", name="Save").is_disabled()
    axe(page)


def test_a_text_that_is_no_json_is_said_to_be_none(page, defined):
    page.goto("/ui/definitions/resize_images?tab=text")
    page.get_by_text("Nothing to say against it.").wait_for()
    _type_over(page, "{")
    page.get_by_text("This is not JSON yet").wait_for()


def test_a_changed_definition_is_saved_as_a_version_of_its_own(page, defined, server):
    page.goto("/ui/definitions/resize_images?tab=text")
    page.get_by_text("Nothing to say against it.").wait_for()
    _type_over(page, json.dumps({**RESIZE, "version": 2, "description": "Better"}))
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.get_by_text("version 2").wait_for()
    assert server.api("GET", "/metadata/workflow/resize_images?version=2")["description"] == "Better"
    assert page.get_by_role("link", name="1", exact=True).get_attribute("href") == "/ui/definitions/resize_images/1"


def test_a_run_is_started_from_the_form(page, defined, server):
    page.goto("/ui/definitions/resize_images?tab=start")
    page.get_by_label("size").fill("512")
    page.get_by_text('"size": 512').wait_for()
    page.get_by_label("Correlation id").fill("order-7")
    page.get_by_role("button", name="Start resize_images").click()
    page.wait_for_url("**/ui/executions/*")
    (found,) = server.api("GET", "/workflow/search?query=workflowType%3Dresize_images")["results"]
    assert (found["workflowId"] in page.url, found["correlationId"]) == (True, "order-7")
    assert server.run(found["workflowId"])["input"] == {"size": 512}


def test_what_cannot_be_sent_is_said_in_the_form(page, server):
    schema = {"data": {"properties": {"size": {"type": "integer"}}, "required": ["size"]}, "name": "s", "version": 1, "type": "JSON"}
    server.register({**RESIZE, "inputSchema": schema})
    page.goto("/ui/definitions/resize_images?tab=start")
    page.get_by_label("size").fill("many")
    page.get_by_role("button", name="Start resize_images").click()
    page.get_by_role("alert").filter(has_text="size must be a number").wait_for()


def test_script_in_a_definition_is_text(page, server):
    step = {**RESIZE["tasks"][0], "name": HOSTILE, "description": HOSTILE}
    server.register({**RESIZE, "description": HOSTILE, "inputParameters": [HOSTILE], "tasks": [step]})
    for address in ("/ui/definitions", *(f"/ui/definitions/resize_images?tab={tab}" for tab in ("graph", "text", "start", "dryrun"))):
        page.goto(address)
        page.get_by_text(HOSTILE).first.wait_for()
        assert "owned" not in page.title()


@pytest.mark.parametrize("server_options", [{"keys": True}])
def test_a_reader_sees_and_cannot_act(page, server, complaints):
    complaints.allow("status of 40[13]")
    server.register(RESIZE)
    key = server.key("reader")
    page.goto("/ui/definitions/resize_images?tab=start")
    page.get_by_label("Key id").fill(key["keyId"])
    page.get_by_label("Key secret").fill(key["keySecret"])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("takes the role operator").wait_for()
    page.get_by_role("link", name="Definition", exact=True).click()
    page.locator(".cm-content").wait_for()
    assert page.get_by_role("button", name="Save").count() == 0
    assert page.locator(".cm-content").get_attribute("aria-readonly") == "true"
    page.goto(f"/ui/executions/{server.start('resize_images')}")
    page.locator(".sentence").wait_for()
    assert page.locator(".run-head").get_by_role("button").all_inner_texts() == ["Copy"]


@pytest.mark.parametrize("server_options", [{"keys": True}])
def test_a_wrong_key_is_told_and_nothing_else(page, complaints):
    complaints.allow("status of 40[13]")
    page.goto("/ui/definitions")
    page.get_by_label("Key id").fill("nobody")
    page.get_by_label("Key secret").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    assert page.get_by_role("heading", name="Sign in").is_visible()
