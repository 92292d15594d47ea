"""Scripts written for Conductor's `python` evaluator, run as Starlark: Python's syntax without anything that reaches outside.

A script is the body of a function and must `return`; each key of the input is a global variable. What Python has and Starlark has not:
`while`, `try`, `import`, `class`, `is`, `**`, sets, generators. Such a script does not parse, so that registration refuses it.
"""

import importlib
import io
import json
import re
import time
import tokenize
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from fermata.adapters.evaluators.worker.terms import MAX_RESULT_CHARACTERS, OUT_OF_TIME, TOO_DEEP, TOO_LARGE, Answer, Request, script_error

_starlark: Any = importlib.import_module("starlark")

FILE = "script"
CALLS_IN_EACH_OTHER = 200
# What scripts use most of what Starlark lacks. It stands below the script, so that the script's lines keep their numbers.
SUM = """
def sum(numbers, start=0):
    for number in numbers:
        start += number
    return start
"""

# What the library says of `while`, `try`, `import`, `class`, `is` and the others.
_KEYWORD = "reserved keyword"
_ADVICE = "; python scripts are run as Starlark, which has no such word"

_MESSAGE = re.compile(r"^error: (.*)$", re.MULTILINE)
_PLACE = re.compile(rf"-->\s*{FILE}:(\d+):")
_MAY_SPAN_LINES = re.compile(r"\"\"\"|'''|\\\r?\n")


def evaluate(request: Request) -> Answer:
    """The returned value. A panic of the library is no `Exception`: it ends the worker, and the parent takes it for a limit."""
    subject = json.loads(request.subject)
    given = subject if isinstance(subject, Mapping) else {}
    module = _starlark.Module()
    for name, value in given.items():
        module[name] = value
    end = time.monotonic() + request.seconds
    options = _starlark.EvalOptions(check_cancelled=lambda: time.monotonic() > end, max_callstack_size=CALLS_IN_EACH_OTHER)
    try:
        result = _starlark.eval_with(options, module, _parsed(request.program, given), _GLOBALS)
    except _starlark.StarlarkError as error:
        return OUT_OF_TIME if time.monotonic() > end else _failed(str(error))
    return _answer(result.value)


def check(request: Request) -> Answer:
    """Look at the syntax only. A name that is not known shows when the script runs: its input brings names along."""
    try:
        _parsed(request.program, ())
    except _starlark.StarlarkError as error:
        return _failed(str(error))
    return Answer("value", "null")


def _dialect() -> Any:
    dialect = _starlark.Dialect.extended()
    dialect.enable_load = False
    dialect.enable_f_strings = True
    dialect.enable_types = _starlark.DialectTypes.PARSE_ONLY
    return dialect


_DIALECT = _dialect()
_EXTENSIONS = _starlark.LibraryExtension
_GLOBALS = _starlark.Globals.extended_by([_EXTENSIONS.Map, _EXTENSIONS.Filter, _EXTENSIONS.Print])  # it prints to nowhere


def _parsed(program: str, names: Collection[str]) -> Any:
    """Return the script as a function that is called at once. `names`: those of the input, which the function's must not hide."""
    entry = "script"
    while entry in names:
        entry += "_"
    after = SUM if "sum" in program and "sum" not in names else ""
    return _starlark.parse(FILE, f"def {entry}():\n{_indented(program)}\n{after}\n{entry}()\n", _DIALECT)


def _indented(program: str) -> str:
    """Indent every line but those that begin inside a text. Starlark knows no tabs: they are eight columns, as in Python."""
    inside = set(_lines_inside_texts(program)) if _MAY_SPAN_LINES.search(program) else set()
    lines = program.splitlines()
    return "\n".join(line if number in inside else f" {_without_tabs(line)}" for number, line in enumerate(lines, 1))


def _without_tabs(line: str) -> str:
    text = line.lstrip(" \t")
    return line[: len(line) - len(text)].expandtabs() + text


def _lines_inside_texts(program: str) -> Iterable[int]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(program).readline):
            if token.start[0] < token.end[0] and token.string.strip():
                yield from range(token.start[0] + 1, token.end[0] + 1)
    except (tokenize.TokenError, SyntaxError):
        return  # what cannot be read does not parse either


def _answer(value: Any) -> Answer:
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return Answer("failed", f"{TOO_DEEP}.")
    except TypeError as error:
        return script_error(f"The result cannot be kept as JSON: {error}")
    return Answer("failed", f"{TOO_LARGE}.") if len(text) > MAX_RESULT_CHARACTERS else Answer("value", text)


def _failed(description: str) -> Answer:
    """Take the message and the innermost line from what the library says; the function's own line is not the script's."""
    found = _MESSAGE.search(description)
    message = found[1] if found else description.partition("\n")[0]
    places = _PLACE.findall(description)
    line = int(places[-1]) - 1 if places else None
    return script_error(message + _ADVICE if _KEYWORD in message else message, line or None)
