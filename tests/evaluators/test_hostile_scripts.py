"""Programs that mean harm end as failures within the wall limit, and the same evaluator then answers the next question."""

import json
import time
from datetime import timedelta

import pytest
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language

WALL_LIMIT = timedelta(seconds=0.25)
# For the questions before and after: a busy machine may take a while for one that is innocent.
INNOCENT_LIMIT = timedelta(seconds=20)
# The limit, killing, and starting afresh, on a busy machine.
PATIENCE_SECONDS = 5

JAVASCRIPT = {
    "loop": "while (true) {}",
    "loop that catches": "while (true) { try { while (true) {} } catch (e) {} }",
    "loop in finally": "try { throw 1; } finally { while (true) {} }",
    "finally that goes on": "while (true) { try { while (true) {} } finally { continue; } }",
    "native join": "new Array(4294967295).join('')",
    "native reverse": "Array.prototype.reverse.call({length: 1e12})",
    "native flat": "Array.prototype.flat.call({length: 1e12})",
    "regular expression": "/(a+)+$/.test('a'.repeat(50) + '!')",
    "large regular expression": "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))",
    "growing text": "var s = 'x'; while (true) { s += s; }",
    "growing list": "var a = []; while (true) { a.push(new Array(1000).fill(a.length)); }",
    "large buffer": "var all = []; while (true) { all.push(new ArrayBuffer(1e8)); }",
    "recursion": "(function f() { return f() + 1; })()",
    "deep JSON": "var v = []; for (var i = 0; i < 200000; i++) v = [v]; JSON.stringify(v)",
    "deep result": "var v = []; for (var i = 0; i < 200000; i++) v = [v]; v",
    "deep program": "eval('['.repeat(1e6))",
    "proxy recursion": "var p = new Proxy({}, {get(t, k) { return p[k]; }}); p.x",
    "proxy result": "new Proxy({}, {ownKeys() { while (true) {} }})",
    "endless getter": "({get a() { while (true) {} }})",
    "endless toString": "throw {toString() { while (true) {} }}",
    "result in every branch": "var v = 1; for (var i = 0; i < 60; i++) v = [v, v]; v",
    "constructor escape": "this.constructor.constructor('return process')().exit()",
    "function escape": "(function(){}).constructor('return require(\"fs\")')()",
    "import": "import('/etc/passwd').then(x => { throw x; }); import.meta",
    "python object": "Object.getOwnPropertyNames({}).__class__.__base__.__subclasses__()",
    "waiting": "Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 10000); throw 1",
}

JQ = {
    "recursion": "def f: f; f",
    "growing recursion": "def f(n): 1 + f(n + 1); f(0)",
    "list of everything": "[range(1e12)]",
    "everything": "range(1e12)",
    "last of everything": "last(range(1e12))",
    "until never": "until(false; .)",
    "repeat": "repeat(.)",
    "large text": '"a" * 1e9',
    "growing text": '"ab" | until(false; . + .)',
    "growing list": "[1] | until(false; . + .)",
    "regular expression": '"a" * 40 + "!" | test("^(a+)+$") | if . then . else error("no") end',
    "halt": "halt",
    "environment import": 'import "environ" as $e {search: "/proc/self"}; $e',
    "breakout": ".a) | ($ENV.X",
}

JS2PY = {
    "native join": "new Array(1e9).join('xx')",
    "native join in an endless loop": "while (true) { try { new Array(1e9).join('xx'); } catch (e) {} finally { continue; } }",
    "regular expression": "/(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')",
    "growing text": "var s = 'x'; while (true) { s += s; }",
    "recursion": "(function f() { return f() + 1; })()",
    "recursion through a native": "(function f() { return [1].map(f); })()",
    "python object": "Object.getOwnPropertyNames({}).__class__.__base__.__subclasses__()",
    "constructor escape": "(function(){}).constructor('return process')()",
    "translator injection": "try { throw 1; } catch (BLOCK) { 'import os #' }; BLOCK",
    "python import": "pyimport os",
}


@pytest.fixture
def evaluator(request):
    evaluator = ChildEvaluator(getattr(request, "param", "quickjs"), wall_limit=INNOCENT_LIMIT)
    assert evaluator.evaluate(Evaluate(Language.JAVASCRIPT, "1", "null")) == Evaluated(1)
    evaluator._wall_limit = WALL_LIMIT
    yield evaluator
    evaluator.close()


def assert_ends_and_the_next_call_is_right(evaluator, question):
    began = time.monotonic()
    assert isinstance(evaluator.evaluate(question), EvaluationFailed)
    assert time.monotonic() - began < PATIENCE_SECONDS
    evaluator._wall_limit = INNOCENT_LIMIT
    subject = json.dumps({"a": [1, 2]})
    assert evaluator.evaluate(Evaluate(Language.JAVASCRIPT, "$.a.length", subject)) == Evaluated(2)
    assert evaluator.evaluate(Evaluate(Language.JQ, ".a[]", subject)) == Evaluated([1, 2])


@pytest.mark.parametrize("script", JAVASCRIPT.values(), ids=JAVASCRIPT)
def test_hostile_javascript_ends(evaluator, script):
    assert_ends_and_the_next_call_is_right(evaluator, Evaluate(Language.JAVASCRIPT, script, "null"))


@pytest.mark.parametrize("program", JQ.values(), ids=JQ)
def test_hostile_jq_ends(evaluator, program):
    assert_ends_and_the_next_call_is_right(evaluator, Evaluate(Language.JQ, program, "null"))


@pytest.mark.parametrize("evaluator", ["js2py"], indirect=True)
@pytest.mark.parametrize("script", JS2PY.values(), ids=JS2PY)
def test_hostile_javascript_ends_in_the_fallback_too(evaluator, script):
    assert_ends_and_the_next_call_is_right(evaluator, Evaluate(Language.JAVASCRIPT, script, "null"))


@pytest.mark.parametrize(
    "question",
    [
        Evaluate(Language.JAVASCRIPT, "(" * 1_000_000, "null"),
        Evaluate(Language.JAVASCRIPT, "}); while (true) {} (function() {", "null", function_body=True),
        Evaluate(Language.JQ, "(" * 100_000, "null"),
    ],
    ids=["nested", "closes the function", "nested jq"],
)
def test_checking_the_syntax_of_a_hostile_program_ends(evaluator, question):
    began = time.monotonic()
    evaluator.syntax_error(question)
    assert time.monotonic() - began < PATIENCE_SECONDS
    evaluator._wall_limit = INNOCENT_LIMIT
    assert evaluator.syntax_error(Evaluate(Language.JAVASCRIPT, "1", "null")) is None
