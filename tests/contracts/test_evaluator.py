"""What every evaluator must do: this suite runs on both JavaScript engines."""

import json
import threading
from datetime import timedelta

import pytest
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language


@pytest.fixture(scope="module", params=["quickjs", "js2py"])
def evaluator(request):
    evaluator = ChildEvaluator(request.param)
    yield evaluator
    evaluator.close()


@pytest.fixture(params=["quickjs", "js2py"])
def impatient_evaluator(request):
    evaluator = ChildEvaluator(request.param, wall_limit=timedelta(seconds=0.25))
    yield evaluator
    evaluator.close()


def javascript(program, subject=None, *, function_body=False):
    return Evaluate(Language.JAVASCRIPT, program, json.dumps(subject), function_body)


def jq(program, subject=None):
    return Evaluate(Language.JQ, program, json.dumps(subject))


def test_javascript_answers_with_the_completion_value(evaluator):
    assert evaluator.evaluate(javascript("var a = $.a; a > 1", {"a": 2})) == Evaluated(value=True)


def test_jq_answers_with_all_outputs(evaluator):
    assert evaluator.evaluate(jq(".a[]", {"a": [1, "x", None]})) == Evaluated([1, "x", None])


def test_a_function_body_returns(evaluator):
    assert evaluator.evaluate(javascript("if ($.a) { return 'yes'; } return 'no'; // done", {"a": 1}, function_body=True)) == Evaluated(
        "yes"
    )


def test_a_function_body_without_return_is_null(evaluator):
    assert evaluator.evaluate(javascript("var x = 1;", function_body=True)) == Evaluated(None)


def test_a_script_cannot_return_at_its_top_level(evaluator):
    assert isinstance(evaluator.evaluate(javascript("return 1")), EvaluationFailed)


def test_the_reason_is_worded_as_conductor_words_it(evaluator):
    failed = evaluator.evaluate(javascript("throw new TypeError('no such job')"))
    assert failed.reason.startswith("Error evaluating the script `TypeError: no such job`")
    assert not failed.timed_out


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("$.list.get(1)", "b"),
        ("$.list.size()", 2),
        ("$.list.isEmpty()", False),
        ("$.list.contains('b')", True),
        ("$.list.contains('z')", False),
        ("$.map.get('k')", 1),
        ("$.map.get('nope')", None),
        ("$.map.size()", 1),
        ("$.map.containsKey('k') && !$.map.containsKey('size')", True),
        ("$.map.keySet()", ["k"]),
        ("$.map.keySet().contains('k')", True),
        ("$.list.get(0).length", 1),
    ],
)
def test_lists_and_maps_have_the_java_methods_that_definitions_use(evaluator, script, value):
    assert evaluator.evaluate(javascript(script, {"list": ["a", "b"], "map": {"k": 1}})) == Evaluated(value)


def test_a_list_index_out_of_bounds_is_an_error_as_in_java(evaluator):
    assert "Index 5 out of bounds for length 1" in evaluator.evaluate(javascript("$.get(5)", ["a"])).reason


@pytest.mark.parametrize("key", ["size", "get", "keySet", "containsKey"])
def test_a_key_of_the_data_wins_over_a_java_method(evaluator, key):
    assert evaluator.evaluate(javascript(f"$.{key}", {key: 7})) == Evaluated(7)


@pytest.mark.parametrize(
    "script",
    [
        "var ks = []; for (var k in $) { ks.push(k); } ks.sort().join() + typeof $.size + typeof $.get",
        "Object.keys($).sort().join() + typeof $.size + typeof $.get",
        "var o = JSON.parse(JSON.stringify($)); Object.keys(o).sort().join() + typeof $.size + typeof $.get",
    ],
)
def test_java_methods_are_never_enumerated(evaluator, script):
    assert evaluator.evaluate(javascript(script, {"a": 1, "b": {"c": [1]}})) == Evaluated("a,bfunctionfunction")


def test_java_methods_are_never_part_of_a_result(evaluator):
    subject = {"a": [1, {"b": []}], "size": {"get": None}}
    assert evaluator.evaluate(javascript("$.a.size(); $", subject)) == Evaluated(subject)


def test_objects_that_a_script_makes_have_no_java_methods(evaluator):
    assert evaluator.evaluate(javascript("typeof ({}).size + typeof [].get")) == Evaluated("undefinedundefined")


@pytest.mark.parametrize("subject", [None, True, 0, -1.5, "", "é\u0000😀", [], {}, [[[]]], {"__proto__": {"a": 1}, "constructor": 2}])
def test_data_pass_through_unchanged(evaluator, subject):
    assert evaluator.evaluate(javascript("$", subject)) == Evaluated(subject)
    assert evaluator.evaluate(jq(".", subject)) == Evaluated([subject])


def test_whole_numbers_are_integers(evaluator):
    answer = evaluator.evaluate(javascript("[1.0, 4 / 2, 9007199254740991, -0.0, 1e20]"))
    assert [type(number) for number in answer.value] == [int, int, int, int, float]


def test_half_a_surrogate_pair_does_not_reach_the_store(evaluator):
    assert evaluator.evaluate(javascript("'a\\ud800'")) == Evaluated("a\ufffd")


@pytest.mark.parametrize(
    ("program", "subject", "holder"), [('"a\ud800"', {}, "program"), ('"a\\ud800"', {}, "program"), (".a", {"a": "\ud800"}, "input")]
)
def test_half_a_surrogate_pair_is_refused_by_jq_in_plain_words(evaluator, program, subject, holder):
    said = f"the {holder} holds half of a surrogate pair, which is no character"
    assert evaluator.evaluate(jq(program, subject)).reason.endswith(said)
    assert (evaluator.syntax_error(jq(program, subject)) is None) == (holder == "input")


def test_a_result_that_contains_itself_is_an_error(evaluator):
    assert "contains itself" in evaluator.evaluate(javascript("var o = {}; o.o = o; o")).reason


def test_a_result_that_is_too_large_is_an_error(evaluator):
    failed = evaluator.evaluate(javascript("var s = 'x'; while (s.length < 8e6) { s += s; } s"))
    assert "larger than 6 MB" in failed.reason


def test_a_syntax_error_is_found_without_running_the_program(evaluator):
    assert "SyntaxError" in evaluator.syntax_error(javascript("var = 1"))
    assert "SyntaxError" in evaluator.syntax_error(javascript("while (true) {} )"))
    assert evaluator.syntax_error(javascript("while (true) {}")) is None
    assert evaluator.syntax_error(javascript("nowhere.to.be.found")) is None


def test_the_syntax_of_a_function_body_allows_return(evaluator):
    assert evaluator.syntax_error(javascript("return 1", function_body=True)) is None
    assert evaluator.syntax_error(javascript("return 1")) is not None


def test_the_syntax_of_jq_is_checked_without_running(evaluator):
    assert "syntax error" in evaluator.syntax_error(jq(".a |"))
    assert "nope/0 is not defined" in evaluator.syntax_error(jq("nope"))
    assert evaluator.syntax_error(jq("def f: f; f")) is None


@pytest.mark.parametrize(
    "spoil",
    [
        "Object.prototype.size = 9; Object.prototype.state = 9; 1",
        "Array.prototype.map = function() { return 'spoiled'; }; 1",
        "JSON.stringify = JSON.parse = function() { return 'spoiled'; }; 1",
        "String.prototype.toUpperCase = null; 1",
        "spoiled = 1; Object = Array = String = Error = undefined; 1",
        "$ = 'spoiled'; 1",
    ],
)
def test_nothing_of_one_script_is_seen_by_the_next(evaluator, spoil):
    assert evaluator.evaluate(javascript(spoil, {})) == Evaluated(1)
    look = "[typeof spoiled, $.state, [1].map(function(x) { return x + 1; }), JSON.parse(JSON.stringify({a: 'b'.toUpperCase()}))]"
    assert evaluator.evaluate(javascript(look, {})) == Evaluated(["undefined", None, [2], {"a": "B"}])


@pytest.mark.parametrize(
    "script",
    [
        "while (true) {}",
        "for (;;) { try { while (true) {} } catch (e) {} finally { continue; } }",
        "(function() { while (true) { try { while (true) {} } finally { return 1; } } })()",
        "[1].map(function f() { while (true) {} })",
        "var a = []; while (true) { a.push(a); }",
    ],
)
def test_an_endless_script_is_stopped_and_the_next_one_is_answered(impatient_evaluator, script):
    stopped = impatient_evaluator.evaluate(javascript(script))
    assert isinstance(stopped, EvaluationFailed)
    assert stopped.timed_out
    impatient_evaluator._wall_limit = timedelta(seconds=20)  # innocent, but the machine may be busy
    assert impatient_evaluator.evaluate(javascript("1 + 1")) == Evaluated(2)


def test_the_reason_of_a_timeout_names_the_limit(impatient_evaluator):
    reason = "Script not evaluated within 0.25 seconds, interrupted."
    assert impatient_evaluator.evaluate(javascript("while (true) {}")) == EvaluationFailed(reason, timed_out=True)


def test_several_threads_may_ask_at_once(evaluator):
    answers = {}

    def ask(number):
        answers[number] = evaluator.evaluate(javascript("$ * 2", number)).value, evaluator.evaluate(jq(". + 1", number)).value

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: (number * 2, [number + 1]) for number in range(16)}
