"""JavaScript in QuickJS: a fresh context for every script."""

import importlib
import json
import re
from typing import Any

from fermata.adapters.evaluators.worker.quickjs_prelude import prelude
from fermata.adapters.evaluators.worker.terms import OUT_OF_MEMORY, OUT_OF_TIME, Answer, Request, enclosed, script_error, wants_java_methods

# The C module itself: the package `quickjs` around it starts a thread, which this process may not.
_quickjs: Any = importlib.import_module("_quickjs")

# Below the limit of the process, so that most memory bombs end in an error of the script and the worker lives.
SCRIPT_MEMORY_BYTES = 256 * 1024 * 1024
SCRIPT_STACK_BYTES = 3 * 1024 * 1024  # of the 8 MB a process usually has; enough to copy a result of MAX_RESULT_DEPTH levels

_PRELUDE = prelude()
# The innermost frame that is the script's own: `    at f (<input>:3:1)`, or `    at <input>:2:3` for a syntax error.
_SCRIPT_FRAME = re.compile(r"^ +at (?!java)(?:.*\()?<input>:(\d+)", re.MULTILINE)
_VALUE = '{"value":'  # as long as '{"error":'
_OUT_OF_MEMORY = "InternalError: out of memory"
_INTERRUPTED = "InternalError: interrupted"


def evaluate(request: Request) -> Answer:
    return _run("run", enclosed(request), request)


def check(request: Request) -> Answer:
    return _run("check", enclosed(request), request)


def _run(mode: str, source: str, request: Request) -> Answer:
    context = _quickjs.Context()
    context.set_memory_limit(SCRIPT_MEMORY_BYTES)
    context.set_max_stack_size(SCRIPT_STACK_BYTES)
    context.set_time_limit(request.seconds)  # CPU time, and not looked at inside long native calls: the parent's wall clock is the limit
    try:
        answer: str = context.eval(_PRELUDE)(mode, source, request.subject, wants_java_methods(request.program))
    except _quickjs.JSException as error:
        return _stopped(str(error))
    text = answer[len(_VALUE) : -1]
    return Answer("value", text) if answer.startswith(_VALUE) else _script_failed(text)


def _stopped(message: str) -> Answer:
    """QuickJS raises past the script's own `catch` when time is up, and past ours when not even the error could be described."""
    if message.startswith(_INTERRUPTED):
        return OUT_OF_TIME
    return OUT_OF_MEMORY if message.startswith(_OUT_OF_MEMORY) else script_error(message.partition("\n")[0])


def _script_failed(description: str) -> Answer:
    message, stack = json.loads(description)
    if message.startswith(_OUT_OF_MEMORY):
        return OUT_OF_MEMORY
    frame = _SCRIPT_FRAME.search(stack.partition("at eval (native)")[0])
    return script_error(message, int(frame[1]) if frame else None)
