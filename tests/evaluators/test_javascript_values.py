"""JavaScript in QuickJS beyond ES5: modern syntax, and what becomes of values that JSON does not know."""

import json

import pytest
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language


@pytest.fixture(scope="module")
def quickjs():
    evaluator = ChildEvaluator("quickjs")
    yield evaluator
    evaluator.close()


def evaluate(quickjs, program, subject=None, *, function_body=False):
    return quickjs.evaluate(Evaluate(Language.JAVASCRIPT, program, json.dumps(subject), function_body))


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("const x = 1; let y = x + 1; y", 2),
        ("$.jobs.map(j => j.id).includes(2)", True),
        ("`${$.jobs.length} jobs`", "2 jobs"),
        ("$.nothing?.deeper ?? 'none'", "none"),
        ("const {jobs: [first, ...rest]} = $; rest.length", 1),
        ("({...$.jobs[0], state: 'DONE'})", {"id": 1, "state": "DONE"}),
        ("[...new Set([1, 1, 2])]", [1, 2]),
        ("let n = 0; for (const j of $.jobs) n += j.id; n", 3),
        ("class A { #v = 3; get v() { return this.#v; } } new A().v", 3),
        ("Object.entries({a: 1}).flat()", ["a", 1]),
        ("new Date(0).toISOString()", "1970-01-01T00:00:00.000Z"),
        ("2 ** 10", 1024),
        ("'use strict'; $.jobs.length", 2),
        ("let $ = 5; $", 5),
        ("'2024-05'.match(/(?<year>\\d+)/).groups.year", "2024"),
    ],
)
def test_modern_syntax_is_understood(quickjs, script, value):
    assert evaluate(quickjs, script, {"jobs": [{"id": 1}, {"id": 2}]}) == Evaluated(value)


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("Promise.resolve(4)", {}),
        ("async () => 1", {}),
        ("Symbol('s')", None),
        ("12345678901234567890n * 0n + 9007199254740993n", 9007199254740993),
        ("({f: () => 1, s: Symbol('s'), u: undefined})", {"f": {}, "s": None, "u": None}),
        ("Object.assign(() => 1, {a: 2})", {"a": 2}),
        ("new Uint8Array([1, 2])", [1, 2]),
        ("new Map([[1, 2]])", {}),
        ("new (class { constructor() { this.a = 1; } get b() { return 2; } })()", {"a": 1}),
        ("({toJSON() { return 'not asked'; }})", {"toJSON": {}}),
        ("({get a() { return 3; }})", {"a": 3}),
        ("new Proxy({a: 1}, {get: () => 8})", {"a": 8}),
        ("JSON.parse('{\"__proto__\": 5}')", {"__proto__": 5}),
        ("[Infinity, -Infinity, NaN]", [None, None, None]),
        ("'\\u0000'", "\x00"),
        ("$", [10000000000000001.5]),
    ],
)
def test_values_that_json_does_not_know_become_what_a_java_host_makes_of_them(quickjs, script, value):
    assert evaluate(quickjs, script, [10000000000000001.5]) == Evaluated(value)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("\n\nfoo()", "Error evaluating the script `ReferenceError: foo is not defined` at line 3"),
        ("1 +\n* 2", "at line 2"),
        ("throw 'plain'", "Error evaluating the script `plain`"),
        ("throw null", "Error evaluating the script `null`"),
        ("throw {toString() { throw 1; }}", "Error evaluating the script `an error that cannot be shown`"),
        ("throw new Error('x'.repeat(5000))", "x" * 900),
        ("({get a() { throw new Error('in the getter'); }})", "Error: in the getter"),
    ],
)
def test_the_reason_says_what_and_where(quickjs, script, reason):
    failed = evaluate(quickjs, script)
    assert isinstance(failed, EvaluationFailed)
    assert reason in failed.reason
    assert len(failed.reason) < 1100


def test_lines_of_a_function_body_keep_their_numbers(quickjs):
    assert evaluate(quickjs, "var a = 1;\nreturn nope;", function_body=True).reason.endswith("at line 2")


def test_a_result_of_many_small_parts_is_capped_too(quickjs):
    assert "larger than 6 MB" in evaluate(quickjs, "new Array(7e6)").reason


def test_a_result_just_below_the_cap_is_delivered(quickjs):
    assert len(evaluate(quickjs, "'é'.repeat(6e6)").value) == 6_000_000


def test_a_nested_result_is_delivered_up_to_its_limit(quickjs):
    nest = "var v = 1; for (var i = 0; i < {}; i++) v = [v]; v"
    assert isinstance(evaluate(quickjs, nest.format(490)), Evaluated)
    assert "nested deeper than 500 levels" in evaluate(quickjs, nest.format(501)).reason


def test_a_spoiled_prototype_does_not_spoil_the_result(quickjs):
    script = "Array.prototype.toJSON = Object.prototype.toJSON = function() { return 'spoiled'; }; JSON.stringify = null; ({a: [1]})"
    assert evaluate(quickjs, script) == Evaluated({"a": [1]})


def test_a_subject_larger_than_a_pipe_is_read(quickjs):
    assert evaluate(quickjs, "$.length", "x" * 3_000_000) == Evaluated(3_000_000)


def test_a_nul_in_a_program_is_refused(quickjs):
    assert "NUL" in evaluate(quickjs, "1\0").reason


def test_text_that_is_not_unicode_is_an_answer_not_a_crash(quickjs):
    assert isinstance(quickjs.evaluate(Evaluate(Language.JAVASCRIPT, "'\ud800'", '"\ud800"')), Evaluated | EvaluationFailed)
    assert evaluate(quickjs, "1") == Evaluated(1)
