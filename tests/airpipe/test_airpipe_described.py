"""The OpenAPI document of interfaces that the pack has none of."""

from fermata.domain.airpipe.compiling import ABOUT, compiled
from fermata.domain.airpipe.describing import described

from tests.support.airpipe import config, read


def _described(prefix="", docs=None, **fields):
    value = config({"name": "A", "json_output": {}}, **fields)
    if docs is not None:
        value["docs"] = docs
    return described([compiled(each).metadata[ABOUT] for each in read(value).interfaces], prefix)


def test_parameters_of_a_route_are_named():
    paths = _described(route="/jobs/:id/files/:name", method="GET")["paths"]
    operation = paths["/jobs/{id}/files/{name}"]["get"]
    assert [(each["name"], each["in"], each["required"]) for each in operation["parameters"]] == [
        ("id", "path", True),
        ("name", "path", True),
    ]
    assert set(operation["responses"]) == {"200", "default"}
    assert "requestBody" not in operation


def test_examples_are_values_or_texts():
    operation = _described(request_example="{not json", response_example={"a": 1})["paths"]["/try"]["post"]
    assert operation["requestBody"]["content"]["application/json"] == {"example": "{not json"}
    assert operation["responses"]["200"]["content"]["application/json"] == {"example": {"a": 1}}


def test_a_file_may_keep_its_interfaces_out():
    assert list(_described(docs=False)["paths"]) == ["/runs/{run_id}", "/runs/{run_id}/result"]
