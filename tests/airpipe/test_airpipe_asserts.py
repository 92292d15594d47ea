"""Every operator, and how a block of tests speaks."""

from dataclasses import replace

import pytest
from fermata.domain.airpipe.assert_reading import read_assert
from fermata.domain.airpipe.asserting import failures
from fermata.domain.airpipe.noting import Notes
from fermata.domain.airpipe.operators import OPERATORS, UNSUPPORTED_OPERATORS

from tests.support.airpipe import config, refusals, sight

UUID = "0b6b0f3e-43a4-4c5e-8d0f-1c2d3e4f5a6b"

# operator, value, what the test says, whether it holds
CASES = [
    ("is_equal_to", "completed", "completed", True),
    ("is_equal_to", "Completed", "completed", False),
    ("is_equal_to", 1, True, False),
    ("is_equal_to", "1", 1, False),
    ("is_equal_to", 1.0, 1, True),
    ("is_equal_to", {"a": [1]}, {"a": [1]}, True),
    ("is_equal_to", {"a": [1]}, {"a": [True]}, False),
    ("is_equal_to", None, None, True),
    ("is_not_equal_to", "a", "b", True),
    ("is_not_equal_to", "a", "a", False),
    ("is_less_than", 2, 3, True),
    ("is_less_than", 3, 3, False),
    ("is_less_than", "abc", 4, True),  # texts and lists by their length
    ("is_less_than", [1, 2], 2, False),
    ("is_less_than", None, 2, False),
    ("is_less_than_or_equal_to", 3, 3, True),
    ("is_less_than_or_equal_to", 4, 3, False),
    ("is_greater_than", 4, 3, True),
    ("is_greater_than", True, 0, False),
    ("is_greater_than", "ab", "a", True),
    ("is_greater_than_or_equal_to", 3, 3, True),
    ("is_greater_than_or_equal_to", 2, 3, False),
    ("starts_with", "abc", "ab", True),
    ("starts_with", "abc", "b", False),
    ("starts_with", 12, "1", False),
    ("not_starts_with", "abc", "b", True),
    ("not_starts_with", "abc", "a", False),
    ("ends_with", "abc", "bc", True),
    ("ends_with", "abc", "b", False),
    ("not_ends_with", "abc", "b", True),
    ("not_ends_with", "abc", "c", False),
    ("contains", "abc", "b", True),
    ("contains", "abc", "x", False),
    ("contains", [1, "a"], "a", True),
    ("contains", [1, "a"], ["a", 1], True),
    ("contains", [1, "a"], ["a", 2], False),
    ("contains", [1, "a"], {"values": ["a", 2], "at_least": 1}, True),
    ("contains", [1, "a"], {"values": ["b", 2], "at_least": 1}, False),
    ("contains", ["a", "b"], {"allowed": ["a", "b", "c"]}, True),
    ("contains", ["a", "z"], {"allowed": ["a", "b", "c"]}, False),
    ("contains", ["a", "z"], {"disallowed": ["z"]}, False),
    ("contains", {"k": 1}, "k", True),
    ("contains", None, "k", False),
    ("contains_value", {"k": "v"}, "v", True),
    ("contains_value", {"k": "v"}, "w", False),
    ("not_contains", "abc", "x", True),
    ("not_contains", "abc", ["x", "b"], False),
    ("not_contains_value", [1], 2, True),
    ("not_contains_value", [1], 1, False),
    ("contains_text", "ab1", True, True),
    ("contains_text", "12", True, False),
    ("contains_text", "hello world", "wor", True),
    ("contains_text", "hello", "wor", False),
    ("contains_number", "a1", True, True),
    ("contains_number", "a1", 2, False),
    ("contains_upper", "aB", True, True),
    ("contains_upper", "ab", True, False),
    ("contains_lower", "aB", 1, True),
    ("contains_lower", "AB", 1, False),
    ("contains_special", "a!", True, True),
    ("contains_special", "a b", True, False),
    ("contains_special", None, True, False),
    ("like", "report-7.csv", "report-%.csv", True),
    ("like", "report-7.csv", "%.txt", False),
    ("like", "ab", "ab%ab", False),
    ("like", "Report", "rep%", False),
    ("ilike", "Report", "rep%", True),
    ("ilike", "Report", "%z%", False),
    ("regex", "job-71", "^job-[0-9]+$", True),
    ("regex", "job-x", "^job-[0-9]+$", False),
    ("regex", 5, "5", False),
    ("is_null", None, True, True),
    ("is_null", 1, True, False),
    ("is_null", None, False, False),  # false does require a value
    ("is_null", 1, False, True),
    ("is_not_null", 1, True, True),
    ("is_not_null", None, True, False),
    ("is_not_null", None, False, True),  # false is "optional"
    ("is_not_empty", "a", True, True),
    ("is_not_empty", "", True, False),
    ("is_not_empty", [], True, False),
    ("is_not_empty", None, True, False),
    ("is_not_empty", 0, True, True),
    ("is_uuid", UUID, True, True),
    ("is_uuid", UUID.replace("-", ""), True, False),
    ("is_uuid", 5, True, False),
    ("is_array", [], True, True),
    ("is_array", {}, True, False),
    ("size_limit", "abc", 3, True),
    ("size_limit", {"a": "é"}, 9, False),
]


def _block(*tests, **fields):
    notes = Notes()
    read = read_assert(notes, {"tests": list(tests), **fields}, "assert")
    assert notes.violations == []
    return read


@pytest.mark.parametrize(("operator", "value", "expected", "holds"), CASES)
def test_an_operator(operator, value, expected, holds):
    assert bool(failures(_block({"value": "x", operator: expected}), {"x": value}, sight())) is not holds


def test_every_operator_is_in_the_table():
    assert {operator for operator, *_ in CASES} == set(OPERATORS)


@pytest.mark.parametrize("operator", sorted(UNSUPPORTED_OPERATORS))
def test_an_operator_nobody_has_explained_is_refused_by_name(operator):
    action = {"name": "A", "json_output": {}, "assert": {"tests": [{"value": "x", operator: "y"}]}}
    assert any(f"tests[0].{operator}: is not supported" in said for said in refusals(config(action)))


def test_case_may_be_left_out_of_account():
    test = {"value": "x", "is_equal_to": "DONE", "case_insensitive": True}
    assert not failures(_block(test), {"x": "done"}, sight())


@pytest.mark.parametrize(
    ("test", "says"),
    [
        ({"value": "body.id", "is_not_null": True}, "body.id::is_not_null: expected to not be null"),
        ({"value": "body.status", "is_equal_to": "completed"}, "body.status::is_equal_to: expected completed, got processing"),
        ({"value": "body.status", "is_equal_to": "a|Other::want|"}, "body.status::is_equal_to: expected done, got processing"),
        ({"value": "body.status", "is_equal_to": "x", "error_message": "not yet"}, "body.status::is_equal_to: not yet"),
        ({"value": "body.list.count()", "is_greater_than": 2}, "body.list.count()::is_greater_than: expected more than 2, got 2"),
        ({"jq": ".body.list[1]", "is_equal_to": 1}, ".body.list[1]::is_equal_to: expected 1, got 2"),
        ({"pointer": "/body/a~1b", "is_equal_to": 1}, "/body/a~1b::is_equal_to: expected 1, got 3"),
        ({"pointer": "/body/list/9", "is_not_null": True}, "/body/list/9::is_not_null: expected to not be null"),
        ({"action": "Other", "value": "want", "is_equal_to": "x"}, "want::is_equal_to: expected x, got done"),
        ({"custom_value": "a|Other::want|", "is_equal_to": "x"}, "value::is_equal_to: expected x, got done"),
        ({"value": "body.status", "is_equal_to": "a|Other::nothing|"}, "body.status: cannot resolve a|Other::nothing|"),
    ],
)
def test_a_failure_says_where_and_what(test, says):
    data = {"body": {"status": "processing", "list": [1, 2], "a/b": 3}}
    assert failures(_block(test), data, sight(results={"Other": {"want": "done"}})).texts == (says,)


def test_all_tests_run_and_the_first_code_counts():
    block = _block(
        {"value": "a", "is_equal_to": 1},
        {"value": "b", "is_equal_to": 1, "http_code_on_error": 409},
        {"value": "c", "is_equal_to": 1, "http_code_on_error": 410, "hide_errors": True},
        {"value": "d", "is_null": True},
        http_code_on_error=500,
    )
    found = failures(block, {}, sight())
    assert (len(found.texts), found.count, found.code) == (2, 3, 409)
    assert not failures(replace(block, tests=block.tests[3:]), {}, sight())


def test_a_pattern_that_takes_years_is_stopped_and_fails():
    found = failures(_block({"value": "x", "regex": "^(b|bb)+$"}), {"x": "b" * 60 + "a"}, sight())
    assert found
