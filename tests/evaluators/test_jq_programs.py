"""jq: all outputs, exact integers, Conductor's wording of errors, and nothing that reaches outside the program."""

import json

import pytest
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language

SUBJECT = {"text": "array", "list": [1, 2], "body": {"jobId": "j-1", "result": {"rows": 42}}}


@pytest.fixture(scope="module")
def evaluator():
    evaluator = ChildEvaluator()
    yield evaluator
    evaluator.close()


def evaluate(evaluator, program, subject=SUBJECT):
    return evaluator.evaluate(Evaluate(Language.JQ, program, json.dumps(subject)))


@pytest.mark.parametrize(
    ("program", "outputs"),
    [
        (".", [SUBJECT]),
        (".list[]", [1, 2]),
        ("empty", []),
        (".missing", [None]),
        (
            '{jobId: .body.jobId, rows: (.body.result.rows // 0), artifact: (.body.result.artifact // "")}',
            [{"jobId": "j-1", "rows": 42, "artifact": ""}],
        ),
        (".list | map(. * 2) | add", [6]),
        (".list as [$a, $b] | $b", [2]),
        ("def double: . * 2; .list | map(double)", [[2, 4]]),
        (".text # a comment", ["array"]),
        (".text # a comment that goes on \\", ["array"]),
        (".text\n| ascii_upcase\n", ["ARRAY"]),
        ("1, 2 | . + 1", [2, 3]),
        ("label $out | 1, break $out, 2", [1]),
        ('try error("x") catch .', ["x"]),
        ('"\\(.list | length) items"', ["2 items"]),
        ("def tojson: 7; .list", [[1, 2]]),
        ("$__loc__.line", [1]),
        ('debug, debug("x"), stderr | .text', ["array", "array", "array"]),
    ],
)
def test_a_program_answers_with_all_its_outputs(evaluator, program, outputs):
    assert evaluate(evaluator, program) == Evaluated(outputs)


@pytest.mark.parametrize("number", [9007199254740993, 12345678901234567890, -(2**63), 10**40])
def test_large_integers_keep_their_digits(evaluator, number):
    assert evaluate(evaluator, ".n, [.n]", {"n": number}) == Evaluated([number, [number]])


def test_whole_numbers_are_integers_and_others_are_not(evaluator):
    answer = evaluate(evaluator, "1.0, 4 / 2, 1e3, 1.5, -0, 1e400, nan", None)
    assert answer == Evaluated([1, 2, 1000, 1.5, 0, 1.7976931348623157e308, None])
    assert [type(value) for value in answer.value] == [int, int, int, float, int, float, type(None)]


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ('.text["array"]', 'Cannot index string with string "array"'),
        (".list.a", 'Cannot index array with string "a"'),
        (".text | keys", 'string ("array") has no keys'),
        ('error("not ready")', "not ready"),
        (".a |", "syntax error, unexpected end of file at line 1"),
        (".a\n| nope", "nope/0 is not defined at line 2"),
        ("", "syntax error"),
        (".a) | (.b", "syntax error"),
        (".a\0", "NUL"),
    ],
)
def test_the_reason_is_the_first_usable_message(evaluator, program, reason):
    failed = evaluate(evaluator, program)
    assert isinstance(failed, EvaluationFailed)
    assert reason in failed.reason
    assert not failed.timed_out


@pytest.mark.parametrize(
    ("program", "output"),
    [
        ("env", {}),
        ("$ENV", {}),
        ("$ENV | .PATH, env.PATH | select(.)", None),
        ("[.., env, $ENV] | map(objects | .AWS_SECRET_ACCESS_KEY? | select(.)) | length", 0),
        ("def f: $ENV; f", {}),
        ('"\\($ENV)"', "{}"),
        ("input", None),
        ("[inputs]", []),
        ("input_filename", None),
        ("get_search_list", []),
    ],
)
def test_what_lies_outside_the_program_is_empty(evaluator, program, output):
    assert evaluate(evaluator, program) in (Evaluated([output]), Evaluated([]))


@pytest.mark.parametrize(
    "program",
    [
        'import "a" as $a; .',
        'import "environ" as $e {search: "/proc/self"}; $e',
        'include "a"; .',
        'include "a" {search: "/"}; .',
        '"a" | modulemeta',
        ".a) | ($ENV.X",
        ".) | env | (.",
        '. as $x | import "a" as b; .',
        "halt",
        "halt_error",
        '"x" | halt_error(1)',
    ],
)
def test_what_reaches_outside_is_refused(evaluator, program):
    assert isinstance(evaluate(evaluator, program), EvaluationFailed)


def test_a_result_nested_too_deep_is_an_error(evaluator):
    for levels in (600, 5000):
        assert isinstance(evaluate(evaluator, f"reduce range({levels}) as $i (1; [.])"), EvaluationFailed)


def test_more_programs_than_are_kept_all_answer(evaluator):
    assert [evaluate(evaluator, f". + {n}", 1).value for n in range(70)] == [[1 + n] for n in range(70)]
