"""Templates and paths come from strangers: nothing raises, nothing hangs, nothing fills the memory."""

import json
import time

import pytest
from fermata.domain.expressions import Scope, mentions, references, resolve, reveal
from fermata.domain.expressions.safe_regex import UnsafePattern, safe_pattern
from hypothesis import given, settings
from hypothesis import strategies as st

DOCUMENT = {"input": {"x": 5, "list": [{"k": "a"}, {"k": "b"}], "": {"$": [None, 1.5]}}, "output": {}}
SCOPE = Scope(roots={"workflow": DOCUMENT, "a": {"output": [1, [2, [3]]]}}.get)
BOUND_SECONDS = 8  # generous for a slow machine; without limits these run for minutes or for ever

ALPHABET = st.sampled_from(
    ["${", "}", "$", "{", "[", "]", "*", "..", ".", "?(@.k==", ")", "'", '"', "=~/", "/", "workflow", "input", "x", "a", "0", ":", "-", " "]
)
PATH_LIKE = st.lists(ALPHABET, max_size=14).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | PATH_LIKE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def within(bound, work):
    started = time.thread_time()  # not the clock on the wall: other tests run beside this one
    result = work()
    assert time.thread_time() - started < bound
    return result


@given(st.text() | PATH_LIKE | PATH_LIKE.map(lambda path: "${workflow.input." + path + "}"))
@settings(max_examples=300, deadline=None)
def test_no_text_makes_resolving_or_revealing_raise(text):
    resolve(text, SCOPE)
    references(text)
    reveal(text, {}.get)


@given(JSON.filter(lambda value: "$" not in json.dumps(value)))
@settings(deadline=None)
def test_a_template_without_dollar_signs_is_unchanged(template):
    assert resolve(template, SCOPE) == template


@given(JSON)
@settings(deadline=None)
def test_a_whole_expression_keeps_value_and_type(value):
    resolved = resolve("${workflow.input}", Scope(roots={"workflow": {"input": value}}.get))
    assert type(resolved) is type(value)
    assert resolved == value


@given(JSON)
@settings(deadline=None)
def test_data_survives_resolving_and_revealing_and_asks_for_no_secret(value):
    data = [value, "$${workflow.secrets.A} ${workflow.secrets.B}"]
    asked = []
    resolved = resolve("${workflow.input}", Scope(roots={"workflow": {"input": data}}.get))
    assert reveal(resolved, asked.append) == data
    assert asked == []


@pytest.mark.parametrize(
    "text",
    [
        "${" * 100_000,
        "${" * 100_000 + "}" * 100_000,
        "${workflow.input." * 20_000 + "x" + "}" * 20_000,
        "${x}" * 20_000,
        "$" * 200_000 + "{x}",
        "${" + "a." * 100_000 + "b}",
        "${" + "[" * 100_000 + "}",
        "${workflow.input" + "[?(@" * 400 + ")]" * 400 + "}",
        "${workflow.input.list[?(" + "(" * 900 + "1" + ")" * 900 + ")]}",
        "${workflow.input.list[?(" + "!" * 1900 + "@.k)]}",
        "${workflow.input.list[?(@.k == '" + "\\" * 1900 + "]}",
        "${workflow.input.list[" + "9" * 1900 + ":]}",
        "${workflow.input.list[?(@.k == 1e" + "9" * 400 + ")]}",
        "${workflow.input.list[?(@.k =~ /" + "(" * 100 + ")" * 100 + "/)]}",
    ],
    ids=lambda text: text[:24],
)
def test_long_and_deep_text_is_quick(text):
    within(BOUND_SECONDS, lambda: (resolve(text, SCOPE), references(text), list(mentions(text)), reveal(text, {}.get)))


def test_deep_templates_and_values_are_no_recursion():
    template = value = "${workflow.input}"
    for _ in range(100_000):
        template, value = [template], {"k": value}
    scope = Scope(roots={"workflow": {"input": value}}.get)

    resolved = resolve(template, scope)
    for _ in range(100_000):
        resolved = resolved[0]
    assert resolved is value
    assert references(template) == {"workflow"}
    assert resolve("v=${workflow.input}", scope) == "v=null"
    assert resolve("${workflow.input..x}", scope) is None
    reveal(template, {}.get)
    while isinstance(value, dict):  # take it apart by hand: freeing it in one go is Python's recursion, not ours
        value = value["k"]


@pytest.mark.parametrize(
    "path",
    [
        "..*" * 8,
        "[*,*]" * 18,
        "..*[?(@..*[?(@..*[?(@..x)])])]",
        "..[?(@..[?(@..[?(@..nothing)])])]",
        "..[?(@.s =~ /a*a*a*a*a*b/)]",
        "[?($..s == $..s)]" * 5,
    ],
)
def test_a_path_that_asks_for_too_much_work_is_null(path):
    document = {"s": "a" * 2_000}
    for _ in range(40):
        document = {"s": "a" * 2_000, "l": [document, [1, 2, 3]]}
    within(BOUND_SECONDS, lambda: resolve("${workflow.input" + path + "}", Scope(roots={"workflow": {"input": document}}.get)))


def test_many_expensive_paths_share_one_budget():
    document = [list(range(300)) for _ in range(300)]
    scope = Scope(roots={"workflow": {"input": document}}.get)
    resolved = within(
        BOUND_SECONDS, lambda: resolve([f"${{workflow.input..*[?(@ == {n})]..*}}" for n in range(500)] + ["${workflow.input[0][7]}"], scope)
    )
    assert resolved[-2:] == [None, 7]


def test_ordinary_large_lists_are_within_the_budget():
    items = [{"name": f"item-{n}-prod", "n": n, "tags": ["a", "b"]} for n in range(5_000)]
    scope = Scope(roots={"workflow": {"input": items}}.get)

    assert len(resolve("${workflow.input[*].name}", scope)) == 5_000
    assert resolve("${workflow.input[?(@.n >= 4999)].name}", scope) == ["item-4999-prod"]
    assert len(resolve("${workflow.input[?(@.name =~ /item-.*-prod/)].n}", scope)) == 5_000
    assert len(resolve("${workflow.input..tags}", scope)) == 5_000


def test_a_small_template_cannot_make_a_huge_result():
    big = ["x" * 1_000] * 1_000
    scope = Scope(roots={"workflow": {"input": big}}.get)

    whole = within(BOUND_SECONDS, lambda: resolve(["${workflow.input}"] * 5_000, scope))
    assert whole[0] == big
    assert whole[-1] is None
    assert within(BOUND_SECONDS, lambda: resolve("${workflow.input} " * 5_000, scope)) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*b",
        "((ab)*)*",
        "(a{1,9}){1,9}",
        r"(a)\1",
        "(?=a)",
        "(?P<x>a)",
        "(?<!a)b",
        "a" * 201,
        "a?" * 13,
        "(",
        "[",
        "(x+x+)+y",
        "(?:a*)*",
    ],
)
def test_patterns_without_a_known_worst_case_are_refused(pattern):
    with pytest.raises(UnsafePattern):
        safe_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", ["[ab]", "a.*b", r"\(?[0-9]{3}\)?-\d+", "(ab)+", "(prod|test)-.*", "[(?+]*", "^x$", r"(?:ab)?c", "[]()]+"]
)
def test_ordinary_patterns_are_accepted(pattern):
    assert safe_pattern(pattern).compiled.pattern == pattern
