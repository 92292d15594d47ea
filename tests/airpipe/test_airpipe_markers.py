"""Where a marker begins and ends, and what it is made of."""

import pytest
from fermata.domain.airpipe.markers import BadMarker, Filter, Marker, marker_of, normal, segments

from tests.support.airpipe import wrong_program


def _compiles(program: str) -> bool:
    return wrong_program(program) is None


def _source(text: str) -> list[str]:
    return [part if isinstance(part, str) else f"<{part.source}>" for part in segments(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain", ["plain"]),
        ("", []),
        ("a|body|", ["<a|body|>"]),
        ("Bearer a|var::key|", ["Bearer ", "<a|var::key|>"]),
        ("a|var::base|/jobs/a|Submit::body.id|", ["<a|var::base|>", "/jobs/", "<a|Submit::body.id|>"]),
        ("a|x|a|y|", ["<a|x|>", "<a|y|>"]),
        ("data|x| is plain", ["data|x| is plain"]),
        ("_a|x| is plain", ["_a|x| is plain"]),
        ("(a|x|)", ["(", "<a|x|>", ")"]),
        (r"a|X::jq::.a \| .b|!", ["<a|X::jq::.a | .b|>", "!"]),
        ("a|X::jq::(.a | .b)|", ["<a|X::jq::(.a | .b)|>"]),
        ("a|X::jq::[.[] | .b]|", ["<a|X::jq::[.[] | .b]|>"]),
        ("a|X::jq::{a: (.b | .c)}|", ["<a|X::jq::{a: (.b | .c)}|>"]),
        ('a|X::jq::"}" | .b|', ['<a|X::jq::"}" |>', " .b|"]),  # quotes do not count, and a bracket cannot close what is not open
    ],
)
def test_a_text_falls_into_parts(text, parts):
    assert _source(text) == parts


@pytest.mark.parametrize("text", ["a|body", "x a|body.id\n|", "a|X::jq::(.a|.b"])
def test_an_unclosed_marker_is_refused(text):
    with pytest.raises(BadMarker, match="not closed"):
        segments(text)


@pytest.mark.parametrize(
    ("content", "marker"),
    [
        ("body", Marker("body")),
        ("body::x.y", Marker("body", "x.y")),
        ("Poll::version", Marker("Poll", "version")),
        ("X::jq::.a", Marker("X", None, ".a")),
        ("X::y->default(5)", Marker("X", "y", None, (Filter("default", "5"),))),
        ("X::y->to_string->upper()", Marker("X", "y", None, (Filter("to_string"), Filter("upper")))),
        ("X::jq::.a->json_escape", Marker("X", None, ".a", (Filter("json_escape"),))),
        ("double_quote(X::y)", Marker("X", "y", None, (Filter("double_quote"),))),
    ],
)
def test_a_marker_is_read(content, marker):
    read = marker_of(content)
    assert (read.root, read.path, read.program, read.filters) == (marker.root, marker.path, marker.program, marker.filters)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a|X->conjure|", "the filter conjure is not supported"),
        ("a|::x|", "is no name"),
        ("json_stringify(a|X|)", "is read when a file is"),
    ],
)
def test_a_marker_that_cannot_be_read_is_refused(text, says):
    with pytest.raises(BadMarker, match=says):
        segments(text)


DAMAGED = 'a|Poll::jq::if| .version >= 3 then "completed" else "processing" end|'
WHOLE = 'a|Poll::jq::if .version >= 3 then "completed" else "processing" end|'


@pytest.mark.parametrize(
    ("text", "reads_as", "repairs"),
    [
        ("a|X::jq::.a|", "a|X::jq::.a|", 0),  # the documented rule: the first pipe that leaves a program
        (WHOLE, WHOLE, 0),
        ("a|X::jq::.a| and a|Y::jq::.b|", "a|X::jq::.a| and a|Y::jq::.b|", 0),
        ('a|X::jq::if .a then .b | .c else "x" end|', r'a|X::jq::if .a then .b \| .c else "x" end|', 0),  # a later pipe ends it
        (DAMAGED, WHOLE, 1),  # the generator's pipe behind `if` is taken out
        (f'"status": "{DAMAGED}"}}', f'"status": "{WHOLE}"}}', 1),
        ("a|X::jq::.a| | .b|", "a|X::jq::.a| | .b|", 0),  # damage that leaves a shorter program cannot be seen
        ("a|X::jq::.a->json_escape|", "a|X::jq::.a->json_escape|", 0),
        ("a|body::x| | a|body::y|", "a|body::x| | a|body::y|", 0),
        ('{"x": json_stringify(a|X|), "y": "json_esc(a|Y::z|)"}', '{"x": a|X->json_stringify|, "y": "a|Y::z->json_esc|"}', 0),
        (r"json_stringify(a|X::jq::.a \| .b|)!", r"a|X::jq::.a \| .b->json_stringify|!", 0),
        ("length(a|X|) of single_quote(a|Y| z)", "length(a|X|) of single_quote(a|Y| z)", 0),  # plain text
    ],
)
def test_a_jq_program_ends_where_it_is_one(text, reads_as, repairs):
    made = normal(text, _compiles)
    assert (made.text, len(made.repaired)) == (reads_as, repairs)
    assert normal(made.text, _compiles).text == made.text


@pytest.mark.parametrize("text", ["a|X::jq::if|", "a|X::jq::|", "a|X::jq::.a +| nothing|"])
def test_a_marker_without_a_program_is_refused(text):
    with pytest.raises(BadMarker, match="no jq program"):
        normal(text, _compiles)
