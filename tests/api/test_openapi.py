"""The API's description is whole, valid, kept, and served."""

import json
import re
from typing import Any

import pytest
from fermata.api.app import ROUTES
from fermata.api.description.dataclass_schemas import schema_of
from fermata.api.description.document import ROOMS, document, kept_text
from fermata.api.description.page import POLICY, page
from fermata.api.description.shapes import NAMES
from fermata.api.roles import NEEDS, OPEN
from fermata.wire.codec import encode
from fermata.wire.definitions import task_definition_from_json, workflow_definition_from_json
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.api.gateway import Gateway
from tests.api.kept_openapi import KEPT
from tests.support.world import main_job

DESCRIBED = [route for room in ROOMS for route in room.operations]


def test_every_route_is_described_once_and_nothing_else_is() -> None:
    served = sorted(f"{route.method} {route.rule}" for route in ROUTES)
    assert sorted(DESCRIBED) == served, "Describe each route in api/description/operations, in the room it belongs to."


def test_the_document_is_valid_openapi() -> None:
    validate(document())


def test_the_kept_copy_is_up_to_date() -> None:
    assert KEPT.read_text() == kept_text(), "run: make openapi"


def test_no_named_schema_is_unused() -> None:
    used = set(re.findall(r'"#/components/schemas/(\w+)"', kept_text()))
    assert set(document()["components"]["schemas"]) == used


@pytest.mark.parametrize("path", ["/openapi.json", "/api/openapi.json"])
def test_the_document_is_served(call: Gateway, path: str) -> None:
    answered = call("GET", path)
    assert answered.status == 200
    assert answered.headers["Content-Type"] == "application/json"
    assert answered.json == document()


def test_each_operation_names_its_role_and_what_is_open_asks_for_no_token() -> None:
    for path, verbs in document()["paths"].items():
        for verb, operation in verbs.items():
            rule = path.replace("{", "<").replace("}", ">")
            need = NEEDS[f"{verb.upper()} {rule}"]
            assert operation["x-fermata-role"] == need
            assert (operation.get("security") == []) == (need is OPEN)


def test_what_the_codec_writes_is_what_the_schemas_say() -> None:
    schemas = {name: schema_of(cls, NAMES) for cls, name in NAMES.items()}
    closed = {name: {**schema, "additionalProperties": False} for name, schema in schemas.items()}
    written = {
        "WorkflowDef": encode(workflow_definition_from_json(main_job())),
        "TaskDef": encode(task_definition_from_json({"name": "work"})),
    }
    for name, value in written.items():
        whole: dict[str, Any] = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": closed}}
        assert not list(Draft202012Validator(whole).iter_errors(value))


def test_the_page_shows_every_operation_and_asks_nobody_for_anything(call: Gateway) -> None:
    answered = call("GET", "/docs")
    assert (answered.status, answered.headers["Content-Type"]) == (200, "text/html;charset=UTF-8")
    assert answered.headers["Content-Security-Policy"] == POLICY
    assert POLICY.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in POLICY
    assert not re.findall(r"<script|<img|<link|<iframe|https?://|url\(|@import|style=|\son\w+=", answered.text)
    ids = set(re.findall(r'id="?([\w-]+)', answered.text))
    assert {operation.id for room in ROOMS for operation in room.operations.values()} <= ids
    assert set(re.findall(r'href="#([\w-]+)"', answered.text)) <= ids


def test_what_descriptions_say_cannot_become_markup() -> None:
    assert "<provider>" in json.dumps(document())
    assert "&lt;provider&gt;" in page()


def test_a_stage_in_front_of_the_page_is_no_part_of_its_path(call: Gateway) -> None:
    assert call("GET", "/docs", stage="prod").status == 200
