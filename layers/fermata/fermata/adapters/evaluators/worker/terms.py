"""What the loop and the engines say to each other: requests, answers and the limits they name."""

import re
from typing import NamedTuple, Protocol

MAX_RESULT_CHARACTERS = 6 * 1024 * 1024  # what a synchronous Lambda answer may carry
MAX_RESULT_DEPTH = 500  # levels; Python's JSON reader and writer give up at about 1000
MAX_REASON_CHARACTERS = 1000

TOO_LARGE = "The result is larger than 6 MB"
TOO_DEEP = f"The result is nested deeper than {MAX_RESULT_DEPTH} levels, or contains itself"


class Request(NamedTuple):
    """One program to run. `subject` is JSON text, `seconds` how long an engine that can tell may take."""

    program: str
    subject: str
    function_body: bool
    seconds: float


class Answer(NamedTuple):
    """`word` is value (text is JSON), failed (the script's mistake), limit (time or memory) or fault (this installation is broken)."""

    word: str
    text: str


class Engine(Protocol):
    """What each engine module offers. Both functions answer for whatever a program does; what they let through is an engine's own bug."""

    def evaluate(self, request: Request) -> Answer: ...

    def check(self, request: Request) -> Answer:
        """Look at the syntax only. `value` when it is right."""
        ...


OUT_OF_MEMORY = Answer("limit", "Script stopped: it needs too much memory.")
OUT_OF_TIME = Answer("limit", "")  # the parent knows the limit and words it

# Conductor's data are Java lists and maps. Offering their methods means walking the data, so it is done for scripts that name one.
_JAVA_METHOD = re.compile(r"\b(?:get|size|isEmpty|contains|containsKey|keySet)\b")


def wants_java_methods(program: str) -> bool:
    return _JAVA_METHOD.search(program) is not None


def script_error(message: str, line: int | None = None) -> Answer:
    """Conductor's wording. Lines count from 1."""
    where = f" at line {line}" if line else ""
    return Answer("failed", f"Error evaluating the script `{message[:MAX_REASON_CHARACTERS]}`{where}")


def enclosed(request: Request) -> str:
    """Return the script of a request: a function body is called at once. Lines keep their numbers, a final comment is closed."""
    return f"(function(){{{request.program}\n}})()" if request.function_body else request.program
