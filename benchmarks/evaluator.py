"""What an expression costs: the first, which starts the worker, and each after it."""

import json
from collections.abc import Sequence

from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.questions import Evaluate, Evaluated, Language

from benchmarks.figures import Figure
from benchmarks.measured_job import CONDITION
from benchmarks.timing import median_seconds

STARTS = 5
CALLS = 300
FIRST_MS = 100  # about 30 to start the worker; the rest is for a busy machine
CALL_MS = 1
SUBJECT = json.dumps({"output": {"response": {"body": {"state": "RUNNING", "progress": 40}}}})
QUESTIONS = {
    "JavaScript": Evaluate(Language.JAVASCRIPT, CONDITION, SUBJECT),
    "jq": Evaluate(Language.JQ, ".output.response.body | {state, done: (.progress >= 100)}", SUBJECT),
    "Python (Starlark)": Evaluate(
        Language.PYTHON, "body = output['response']['body']\nreturn 'done' if body['progress'] >= 100 else body['state']", SUBJECT
    ),
}


def measure() -> Sequence[Figure]:
    return [figure for name, question in QUESTIONS.items() for figure in _language(name, question)]


def _language(name: str, question: Evaluate) -> Sequence[Figure]:
    first = 1000 * median_seconds(lambda: _first(question), STARTS)
    warm = ChildEvaluator()
    try:
        assert isinstance(warm.evaluate(question), Evaluated)
        each = 1000 * median_seconds(lambda: warm.evaluate(question), CALLS)
    finally:
        warm.close()
    return (
        Figure("evaluator", f"{name}: first call", first, "ms", FIRST_MS, "starts the worker"),
        Figure("evaluator", f"{name}: each call", each, "ms", CALL_MS, f"median of {CALLS}"),
    )


def _first(question: Evaluate) -> None:
    evaluator = ChildEvaluator()
    try:
        assert isinstance(evaluator.evaluate(question), Evaluated)
    finally:
        evaluator.close()
