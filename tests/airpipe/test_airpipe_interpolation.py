"""What markers stand for."""

import json

import pytest
from fermata.domain.airpipe.filters import FILTERS, UNEXPLAINED
from fermata.domain.airpipe.interpolation import (
    CALLER_ROOTS,
    OTHER_ROOTS,
    SECRET_ROOTS,
    UNSUPPORTED_ROOTS,
    Unresolved,
    resolved,
    resolved_document,
    resolved_or_null,
    resolved_text,
)
from fermata.domain.airpipe.templates import VARIABLE, markers_in

from tests.support.airpipe import config, refusals, sight

SEEN = {
    "results": {"Submit": {"status": 200, "body": {"id": "j1", "n": 7, "list": [{"x-y": True}]}}, "Poll": {"version": 2}, "Gone": None},
    "variables": {"base": "a|ap_var::BASE|", "key": "k", "nested": {"deep": "a|var::key|!"}, "twice": "a|var::base|/v1"},
    "secrets": {"BASE": "https://api.test"},
    "body": {"prompt": "cat", "input": {"a": 1}, "none": None},
    "params": {"id": "5"},
    "headers": {"X-Trace": "t"},
    "raw_body": '{"prompt":"cat"}',
    "ip": "203.0.113.9",
}


TEMPLATES = [
    ("plain", "plain"),
    (7, 7),
    ("a|body|", SEEN["body"]),
    ("a|body::prompt|", "cat"),
    ("a|body::input|", {"a": 1}),
    ("a|params::id|", "5"),  # a string that looks like a number stays one
    ("a|headers::x-trace|", "t"),
    ("a|header::X-TRACE|", "t"),
    ("a|raw_body|", '{"prompt":"cat"}'),
    ("a|ip|", "203.0.113.9"),
    ("a|request::params.id|", "5"),
    ("a|Submit::body.id|", "j1"),
    ("a|Submit::.body.id|", "j1"),
    ("a|Submit::body.list[0].x-y|", True),
    ("a|Submit::body.list.count()|", 1),
    ("a|Submit::status|", 200),
    ("a|Submit::jq::.body.n + 1|", 8),
    ("a|Submit::jq::.body.list[]|", {"x-y": True}),  # the first output
    ("a|var::key|", "k"),
    ("a|var::nested.deep|", "k!"),
    ("a|var::twice|", "https://api.test/v1"),
    ("a|ap_var::BASE|", "https://api.test"),
    ("a|secret::BASE|", "https://api.test"),
    ("a|uuid|", "id-1"),
    ("a|uuid| a|uuid|", "id-1 id-2"),  # another one at each occurrence
    ("n=a|Submit::body.n| b=a|Submit::body.list|", 'n=7 b=[{"x-y":true}]'),
    ({"k": ["a|params::id|", "a|body::input|"]}, {"k": ["5", {"a": 1}]}),
    ("a|body::none|", None),
]


@pytest.mark.parametrize(("template", "value"), TEMPLATES)
def test_a_template_becomes_a_value(template, value):
    assert resolved(template, sight(**SEEN)) == value


FILTERED = [
    ("a|body::missing->default(x)|", "x"),
    ("a|body::missing->default(3)|", 3),
    ("a|body::missing->default('3')|", "3"),
    ("a|body::prompt->default(x)|", "cat"),
    ("a|Submit::body.n->to_string|", "7"),
    ("a|params::id->to_number|", 5),
    ("a|body::prompt->upper|", "CAT"),
    ("a|body::prompt->upper->lower|", "cat"),
    ("a|body::prompt->length|", 3),
    ("a|body::prompt->single_quote|", "'cat'"),
    ("a|double_quote(body::prompt)|", '"cat"'),
    ("a|body::input->json_stringify|", '{"a":1}'),
    ("a|body::input->tojson|", '{"a":1}'),
    ("a|body::input->json_escape|", '{\\"a\\":1}'),
    ("a|body::input->json_esc|", '{\\"a\\":1}'),
    ("a|body::prompt->prefix(a )->suffix(!)|", "acat!"),
    ("a|Submit::body.list->length|", 1),
    ("a|Submit::jq::[1,2]->join(-)|", "1-2"),
    ("a|body->access(input)|", {"a": 1}),
    ("a|body->path(input.a)|", 1),
]


@pytest.mark.parametrize(("template", "value"), FILTERED)
def test_filters(template, value):
    assert resolved(template, sight(**SEEN)) == value


def test_every_root_and_every_filter_is_in_a_table():
    markers = [marker for template, _ in (*TEMPLATES, *FILTERED) for _, marker in markers_in(template, VARIABLE)]
    assert {marker.root for marker in markers} >= CALLER_ROOTS | SECRET_ROOTS | OTHER_ROOTS
    assert {each.name for marker in markers for each in marker.filters} == set(FILTERS)


@pytest.mark.parametrize("name", sorted(UNSUPPORTED_ROOTS))
def test_a_root_that_is_not_carried_out_is_refused_by_name(name):
    said = refusals(config({"name": "A", "json_output": {"x": f"a|{name}::x|"}}))
    assert any(f"'{name}' is not supported here" in each for each in said)


@pytest.mark.parametrize("name", sorted(UNEXPLAINED))
def test_a_filter_that_nobody_explained_is_refused_by_name(name):
    said = refusals(config({"name": "A", "json_output": {"x": f"a|body->{name}(1)|"}}))
    assert any(f"the filter {name} is not supported" in each for each in said)


@pytest.mark.parametrize(
    ("template", "by_caller"),
    [
        ("a|body::missing|", True),
        ("x a|params::missing|", True),
        ("a|Submit::body.missing|", False),
        ("a|Nobody::x|", False),
        ("a|Gone::x|", False),
        ("a|ap_var::NOWHERE|", False),
        ("a|Submit::jq::empty|", False),
        ("a|Submit::jq::error|", False),
        ("a|body::jq::.prompt.x|", True),
        ("a|body::prompt->to_number|", True),
        ("id=a|body::none|", True),
    ],
)
def test_what_stands_for_nothing_is_no_value(template, by_caller):
    with pytest.raises(Unresolved, match="cannot resolve") as raised:
        resolved(template, sight(**SEEN))
    assert raised.value.by_caller is by_caller


def test_variables_within_each_other_end():
    with pytest.raises(Unresolved, match="deep"):
        resolved("a|var::x|", sight(variables={"x": "a|var::y|", "y": "a|var::x|"}))


@pytest.mark.parametrize(("template", "value"), [("a|body::missing|", None), ("a|body::prompt|", "cat"), ({"a": 1}, {"a": 1})])
def test_a_whole_text_may_stand_for_nothing_where_that_is_said(template, value):
    assert resolved_or_null(template, sight(**SEEN)) == value


def test_what_must_be_text_is_made_text():
    assert resolved_text("a|Submit::body.n|", sight(**SEEN)) == "7"


@pytest.mark.parametrize("hostile", ['x","status":"completed', "line\r\nbreak", "back\\slash", '\\"', "ünï"])
def test_a_string_cannot_leave_the_quotes_it_stands_in(hostile):
    text = resolved_document('{"id": "a|params::id|", "polls": a|Poll::version|}', sight(**{**SEEN, "params": {"id": hostile}}))
    assert json.loads(text) == {"id": hostile, "polls": 2}


def test_ordinary_values_change_no_byte():
    assert resolved_document('{"id": "a|params::id|"}', sight(**SEEN)) == '{"id": "5"}'
    assert resolved_document('{"r": a|Submit::jq::.body.list|}', sight(**SEEN)) == '{"r": [{"x-y":true}]}'


@pytest.mark.parametrize("hostile", ['1, "admin": true', "x", ""])
def test_a_string_outside_of_quotes_must_be_one_value(hostile):
    with pytest.raises(Unresolved, match="no JSON value"):
        resolved_document('{"n": a|params::id|}', sight(**{**SEEN, "params": {"id": hostile}}))


def test_a_filter_says_how_a_value_becomes_text():
    assert json.loads(resolved_document('{"n": a|params::id->json_stringify|}', sight(params={"id": 'a"b'}))) == {"n": 'a"b'}
    assert json.loads(resolved_document('{"n": "a|params::id->json_escape|"}', sight(params={"id": 'a"b'}))) == {"n": 'a"b'}


def test_an_escaped_quote_in_the_template_does_not_end_a_string():
    text = resolved_document('{"t": "say \\"a|params::id|\\""}', sight(params={"id": '"'}))
    assert json.loads(text) == {"t": 'say """'}


def test_a_program_sees_no_environment():
    assert resolved("a|body::jq::[env, $ENV]|", sight(**SEEN)) == [{}, {}]
