"""Two JavaScript engines that share no code give the same verdict on every ES5 expression of the table."""

import json
from pathlib import Path

import pytest
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language

CASES = json.loads(Path(__file__).with_name("es5_cases.json").read_text())
SUBJECT = json.dumps(CASES["subject"])


@pytest.fixture(scope="module")
def quickjs():
    evaluator = ChildEvaluator("quickjs")
    yield evaluator
    evaluator.close()


@pytest.fixture(scope="module")
def js2py():
    evaluator = ChildEvaluator("js2py")
    yield evaluator
    evaluator.close()


@pytest.mark.parametrize(("script", "value"), CASES["values"])
def test_both_engines_give_the_expected_value(quickjs, js2py, script, value):
    question = Evaluate(Language.JAVASCRIPT, script, SUBJECT)
    assert [quickjs.evaluate(question), js2py.evaluate(question)] == [Evaluated(value), Evaluated(value)]


@pytest.mark.parametrize("script", CASES["failures"])
def test_both_engines_call_it_an_error_of_the_script(quickjs, js2py, script):
    question = Evaluate(Language.JAVASCRIPT, script, SUBJECT)
    for answer in (quickjs.evaluate(question), js2py.evaluate(question)):
        assert isinstance(answer, EvaluationFailed)
        assert answer.reason.startswith("Error evaluating the script `")
        assert not answer.timed_out


@pytest.mark.parametrize(("script", "value"), CASES["values"])
def test_both_engines_accept_the_syntax(quickjs, js2py, script, value):
    question = Evaluate(Language.JAVASCRIPT, script, "null")
    assert [quickjs.syntax_error(question), js2py.syntax_error(question)] == [None, None]
