"""Secrets: left alone by `resolve`, filled in by `reveal`, and never on the say-so of data."""

import json

import pytest
from fermata.domain.expressions import Scope, resolve, reveal

SECRETS = {"TOKEN": "s3cret", "DB": json.dumps({"user": "u", "port": 5432}), "TRICK": "${workflow.secrets.DB}"}
REFERENCE = "${workflow.secrets.TOKEN}"


def scope_with(value):
    return Scope(roots={"workflow": {"input": {"x": value, "a": "${workflow.sec", "b": "rets.TOKEN}", "name": "TOKEN"}}}.get)


@pytest.mark.parametrize("template", [REFERENCE, f"Bearer {REFERENCE}", [{"a": REFERENCE}], "${workflow.secrets.DB.user}"])
def test_resolving_leaves_a_secret_reference_as_it_is(template):
    assert resolve(template, scope_with(1)) == template


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (REFERENCE, "s3cret"),
        (f"Bearer {REFERENCE}!", "Bearer s3cret!"),
        ("${workflow.secrets.DB.user}:${workflow.secrets.DB.port}", "u:5432"),
        ("${workflow.secrets.DB.port}", 5432),
        ("${workflow.secrets.MISSING}", None),
        ("x${workflow.secrets.MISSING}y", "xy"),
        ("${workflow.secrets.TOKEN.user}", None),
        ("${workflow.secrets.}", None),
        ("${workflow.secrets.TRICK}", "${workflow.secrets.DB}"),
        ("v=${workflow.secrets.TRICK}", "v=${workflow.secrets.DB}"),
        ("${workflow.secrets.TOKEN", "${workflow.secrets.TOKEN"),
        ("${workflow.input.x}", "${workflow.input.x}"),
    ],
)
def test_revealing_fills_in_secrets_and_nothing_else(text, expected):
    assert reveal(text, SECRETS.get) == expected
    assert reveal({"h": [text]}, SECRETS.get) == {"h": [expected]}


@pytest.mark.parametrize(
    "data",
    [
        REFERENCE,
        f"$${REFERENCE}",
        "$" + REFERENCE,
        f"a {REFERENCE} b {REFERENCE}",
        [{"deep": REFERENCE}],
        "${workflow.secrets.",
        "{workflow.secrets.X}",
    ],
)
@pytest.mark.parametrize("template", ["${workflow.input.x}", ["${workflow.input.x}"]])
def test_data_that_looks_like_a_secret_reference_arrives_as_it_was(data, template):
    resolved = resolve(template, scope_with(data))
    assert reveal(resolved, SECRETS.get) == (data if isinstance(template, str) else [data])


@pytest.mark.parametrize(
    "template",
    [
        "v=${workflow.input.x}",
        "${workflow.input.a}${workflow.input.b}",
        "v=${workflow.input.a}rets.TOKEN}",
        "$${workflow.secrets.TOKEN}",
        "$" + "${workflow.input.x}",
        "${workflow.input..x}",
    ],
)
@pytest.mark.parametrize("data", [REFERENCE, "$" + REFERENCE, "${workflow.input.name}", {"k": REFERENCE}])
def test_no_way_of_putting_data_together_makes_a_secret_reference(template, data):
    resolved = resolve(template, scope_with(data))
    assert "s3cret" not in json.dumps(reveal(resolved, SECRETS.get))


def test_an_escaped_secret_reference_is_literal_text():
    assert reveal(resolve("write $${workflow.secrets.TOKEN}", scope_with(1)), SECRETS.get) == "write ${workflow.secrets.TOKEN}"


def test_a_definition_may_choose_the_secret_by_a_plain_name_only():
    template = "${workflow.secrets.${workflow.input.x}}"

    assert reveal(resolve(template, scope_with("TOKEN")), SECRETS.get) == "s3cret"
    assert resolve(template, scope_with("A} ${workflow.secrets.TOKEN")) is None


def test_what_the_secret_lookup_raises_passes_through():
    def lookup(_):
        raise PermissionError

    with pytest.raises(PermissionError):
        reveal(REFERENCE, lookup)
