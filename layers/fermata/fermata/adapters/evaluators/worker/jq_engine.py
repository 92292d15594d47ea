"""jq programs, with everything that reaches outside the program taken away. Compiled programs are kept."""

import importlib
import re
from functools import lru_cache
from typing import Any

from fermata.adapters.evaluators.worker.terms import MAX_RESULT_CHARACTERS, TOO_LARGE, Answer, Request

_jq: Any = importlib.import_module("jq")

KEPT_PROGRAMS = 64
HALF_A_PAIR = "half of a surrogate pair, which is no character"

# Definitions in front of the program: they hide jq's own, and no `import` or `include` may follow them. The program
# begins on the same line, so that its lines keep their numbers.
PRELUDE = (
    "def env: {}; def input: null; def inputs: empty; def input_filename: null; "
    "def debug: .; def debug(messages): (messages | empty), .; def stderr: .; "
    'def halt: error("halt is not available"); def halt_error: halt; def halt_error($code): halt; '
    'def modulemeta: error("modulemeta is not available"); def get_search_list: []; '
    "{} as $ENV |"
)

_AT_LINE = re.compile(r" at <top-level>, line (\d+)(?:, column \d+)?")
_INDEX_ERROR = re.compile(r'^(Cannot index \w+ with string) \((".*")\)$', re.DOTALL)


def evaluate(request: Request) -> Answer:
    """All outputs, as the text of a JSON list. jq itself writes the JSON: the binding would lose digits of large integers."""
    try:
        outputs = iter(_compiled(request.program).input_text(request.subject))
        return _collected(outputs)
    except ValueError as error:
        return Answer("failed", _reason(error))


def check(request: Request) -> Answer:
    try:
        _compiled(request.program)
    except ValueError as error:
        return Answer("failed", _reason(error))
    return Answer("value", "null")


@lru_cache(maxsize=KEPT_PROGRAMS)
def _compiled(program: str) -> Any:
    """Compile once without parentheses, so that `.a) | (.b` cannot close ours. Two line ends: one may be escaped by a final comment."""
    _jq.compile(f"{PRELUDE} {program}")
    return _jq.compile(f"{PRELUDE} ({program}\n\n) | tojson")


def _collected(outputs: Any) -> Answer:
    texts: list[str] = []
    room = MAX_RESULT_CHARACTERS
    for text in outputs:
        room -= len(text) + 1
        if room < 0:
            return Answer("failed", f"{TOO_LARGE}.")
        texts.append(text)
    return Answer("value", f"[{','.join(texts)}]")


def _reason(error: ValueError) -> str:
    """Return jq's first usable line, without columns (they count our definitions), an index error as Conductor words it."""
    if isinstance(error, UnicodeError) or "surrogate pair escape" in str(error):
        return f"the {'input' if str(error).startswith('parse error') else 'program'} holds {HALF_A_PAIR}"
    first = str(error).partition("\n")[0].removeprefix("jq: error: ").removesuffix(":")
    first = _AT_LINE.sub(r" at line \1", first)
    return _INDEX_ERROR.sub(r"\1 \2", first)
