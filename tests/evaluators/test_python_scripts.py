"""Scripts in Python's syntax: what they see, what they may return, how their mistakes read, and that they end."""

import json
import time
from datetime import timedelta

import pytest
from fermata.adapters.evaluators.child_evaluator import ChildEvaluator
from fermata.domain.questions import Evaluate, Evaluated, EvaluationFailed, Language

INNOCENT_LIMIT = timedelta(seconds=20)
WALL_LIMIT = timedelta(seconds=0.4)
PATIENCE_SECONDS = 5

GIVEN = {"state": "DONE", "rows": [{"n": 2}, {"n": 1}], "count": 3, "share": 0.5, "nothing": None, "odd-name": 1}

VALUES = {
    "a value": ("return count + 1", 4),
    "nothing returned": ("x = 1", None),
    "branches": ("if count > 2 and state == 'DONE':\n    return 'big'\nelse:\n    return 'small'", "big"),
    "a loop": ("total = 0\nfor row in rows:\n    total += row['n']\nreturn total", 3),
    "comprehension": ("return [row['n'] * 2 for row in rows if row['n'] > 1]", [4]),
    "sorted by a key": ("return sorted(rows, key=lambda row: row['n'])", [{"n": 1}, {"n": 2}]),
    "a function of its own": ("def twice(n):\n    return n * 2\nreturn twice(count)", 6),
    "sum": ("return sum([row['n'] for row in rows])", 3),
    "map and filter": ("return map(lambda row: row['n'], filter(lambda row: row['n'] > 1, rows))", [2]),
    "f-string": ("return f'{state}: {count}'", "DONE: 3"),
    "percent": ("return '%s-%d' % (state, count)", "DONE-3"),
    "None": ("return nothing == None", True),
    "true division": ("return count / 2", 1.5),
    "whole numbers stay exact": ("return 10000000000 * 10000000000", 10**20),
    "a whole floating point number": ("return share * 2", 1),
    "not a number": ("return float('nan')", None),
    "tuples are lists": ("return (1, (2,))", [1, [2]]),
    "keys are texts": ("return {1: 'a'}", {"1": "a"}),
    "the input may be changed": ("rows.append(1)\nreturn len(rows)", 3),
    "get": ("return rows[0].get('missing', 'default')", "default"),
    "tabs": ("if count:\n\treturn 1", 1),
    "all lines indented": ("    x = 1\n    return x", 1),
    "windows lines": ("x = 1\r\nreturn x", 1),
    "a comment at the end": ("return 1 # done", 1),
    "a text over two lines": ('return """a\n  b"""', "a\n  b"),
    "annotations": ("def f(n: int) -> int:\n    return n\nreturn f(1)", 1),
    "printing": ("print('seen by nobody')\nreturn 1", 1),
}

NO_PYTHON_HERE = {
    "while": ("while True:\n    pass", "reserved keyword `while`"),
    "import": ("x = 1\nimport os", "reserved keyword `import`"),
    "try": ("try:\n    pass\nexcept Exception:\n    pass", "reserved keyword `try`"),
    "class": ("class A:\n    pass", "reserved keyword `class`"),
    "unfinished": ("return 1 +", "Parse error"),
    "load": ("load('//etc:passwd', 'x')", "load"),
    "wrong indentation": ("if True:\nreturn 1", "Parse error"),
    "nested deeper than any parser": ("return " + "[" * 100_000, ""),
}

HOSTILE = {
    "open": ("return open('/etc/passwd')", "`open` not found"),
    "exec": ("exec('1')", "`exec` not found"),
    "dunder import": ("return __import__('os')", "`__import__` not found"),
    "dunder class": ("return ().__class__.__base__.__subclasses__()", "has no attribute `__class__`"),
    "globals": ("return print.__globals__", "has no attribute `__globals__`"),
    "getattr": ("return getattr('', '__class__')", "__class__"),
    "endless loop": ("for i in range(1000000000):\n    for j in range(1000000000):\n        pass", ""),
    "endless comprehension": ("return [i for i in range(2000000000)]", ""),
    "endless sort": ("return len(sorted(range(100000000)))", ""),
    "growing while it is read": ("l = [1]\nfor x in l:\n    l.append(x)", "mutates"),
    "growing text": ("s = 'x'\nfor i in range(100):\n    s += s\nreturn 1", ""),
    "growing number": ("x = 3\nfor i in range(100):\n    x = x * x\nreturn 1", ""),
    "large text": ("return len('x' * 1000000000)", ""),
    "recursion": ("def f(n):\n    return f(n + 1)\nreturn f(1)", "overflow"),
    "result in every branch": ("v = 1\nfor i in range(60):\n    v = [v, v]\nreturn v", ""),
    "text of every branch": ("v = 1\nfor i in range(60):\n    v = [v, v]\nreturn len(str(v))", ""),
    "deep result": ("v = []\nfor i in range(100000):\n    v = [v]\nreturn v", "depth"),
    "a result of 10 MB": ("return 'x' * 10000000", "larger than 6 MB"),
    "a result in itself": ("l = []\nl.append(l)\nreturn l", "Cycle"),
    "a function as the result": ("return lambda: 1", "not supported"),
    "not a name": ("return missing", "`missing` not found"),
    "nested deeper than any parser": ("return " + "not " * 100_000 + "1", ""),
}


@pytest.fixture(scope="module")
def evaluator():
    evaluator = ChildEvaluator(wall_limit=INNOCENT_LIMIT)
    yield evaluator
    evaluator.close()


def python(script, given=GIVEN):
    return Evaluate(Language.PYTHON, script, json.dumps(given))


@pytest.mark.parametrize(("script", "value"), VALUES.values(), ids=VALUES)
def test_a_script_sees_its_input_as_globals_and_returns_a_value(evaluator, script, value):
    assert evaluator.syntax_error(python(script)) is None
    assert evaluator.evaluate(python(script)) == Evaluated(value)


@pytest.mark.parametrize("name", ["script", "sum", "len", "script_"])
def test_an_input_may_have_any_name(evaluator, name):
    assert evaluator.evaluate(python(f"return {name}", {name: 7, "script": 7})) == Evaluated(7)


@pytest.mark.parametrize(("script", "message"), NO_PYTHON_HERE.values(), ids=NO_PYTHON_HERE)
def test_what_is_not_in_the_language_is_a_syntax_error(evaluator, script, message):
    assert message in evaluator.syntax_error(python(script))


def test_nothing_stays_between_two_scripts(evaluator):
    assert evaluator.evaluate(python("rows.append(1)\nreturn len(rows)")) == Evaluated(3)
    assert evaluator.evaluate(python("return len(rows)")) == Evaluated(2)
    assert isinstance(evaluator.evaluate(python("return count", {})), EvaluationFailed)


def test_an_error_names_the_line_of_the_script(evaluator):
    found = evaluator.evaluate(python("x = 1\n\nreturn rows[5]"))
    assert isinstance(found, EvaluationFailed)
    assert found.reason.startswith("Error evaluating the script `")
    assert found.reason.endswith("at line 3")


def test_a_syntax_error_names_the_line_and_what_the_language_is(evaluator):
    found = evaluator.syntax_error(python("x = 1\nimport os\nreturn x"))
    assert found.startswith("Error evaluating the script `Parse error: cannot use reserved keyword `import`")
    assert "Starlark" in found
    assert found.endswith("at line 2")


@pytest.mark.parametrize(("script", "message"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_script_ends_and_the_next_one_is_right(evaluator, script, message):
    assert evaluator.evaluate(python("return 1")) == Evaluated(1)
    evaluator._wall_limit = INNOCENT_LIMIT if message else WALL_LIMIT  # what ends by itself is not hurried on a busy machine
    began = time.monotonic()
    try:
        found = evaluator.evaluate(python(script))
    finally:
        evaluator._wall_limit = INNOCENT_LIMIT
    assert isinstance(found, EvaluationFailed)
    assert message in found.reason
    assert time.monotonic() - began < PATIENCE_SECONDS
    assert evaluator.evaluate(python("return count")) == Evaluated(3)
