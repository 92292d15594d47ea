"""Operators on texts: how they begin and end, what letters they have, what pattern they fit, which version they name."""

import json
from collections.abc import Callable, Mapping

from fermata.domain.airpipe.filters import as_text
from fermata.domain.airpipe.operators.asking import Asked, Operator, Verdict, a_text, folded, missed
from fermata.domain.airpipe.operators.comparing import contains
from fermata.domain.airpipe.operators.versions import NoVersion, fits, wrong_requirement
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, Evaluated, Language


def _texts(asked: Asked) -> tuple[str, str] | None:
    actual, expected = folded(asked, asked.actual), folded(asked, asked.expected)
    return (actual, as_text(expected)) if isinstance(actual, str) else None


def _on_text(words: str, holds: Callable[[str, str], bool], *, negated: bool = False) -> Callable[[Asked], Verdict]:
    """Return an operator on two texts. What is no text starts, ends and looks like nothing."""

    def operator(asked: Asked) -> Verdict:
        texts = _texts(asked)
        return None if (texts is not None and holds(*texts)) is not negated else missed(words, asked)

    return operator


def _letters(words: str, counts: Callable[[str], bool]) -> Callable[[Asked], Verdict]:
    """Return an operator that counts letters of a kind: `true` wants one, a number so many."""

    def operator(asked: Asked) -> Verdict:
        if isinstance(asked.expected, str):
            return contains(asked)
        needed = 1 if asked.expected is True else asked.expected
        found = sum(map(counts, asked.actual)) if isinstance(asked.actual, str) else 0
        return None if found >= needed else f"expected at least {needed} {words}, found {found}"

    return operator


def _like(actual: str, pattern: str) -> bool:
    """Tell whether a text fits a pattern in which `%` stands for anything. Takes linear time in each."""
    first, *rest = pattern.split("%")
    if not rest:
        return actual == pattern
    if not actual.startswith(first):
        return False
    position = len(first)
    for part in rest[:-1]:
        found = actual.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    return len(actual) - len(rest[-1]) >= position and actual.endswith(rest[-1])


def _ilike(actual: str, pattern: str) -> bool:
    return _like(actual.casefold(), pattern.casefold())


def _regex(*, negated: bool = False) -> Callable[[Asked], Verdict]:
    """Match in the evaluator's process, which is stopped by the clock: a pattern may need years."""
    words = "not to match" if negated else "to match"

    def operator(asked: Asked) -> Verdict:
        if not isinstance(asked.actual, str):
            return None if negated else missed(words, asked)
        flags = '"i"' if asked.case_insensitive else "null"
        subject = json.dumps([asked.actual, asked.expected])
        match asked.evaluate(Evaluate(Language.JQ, f". as [$text, $pattern] | $text | test($pattern; {flags})", subject)):
            case Evaluated([bool() as matched]):
                return None if matched is not negated else missed(words, asked)
            case Evaluated():
                return missed(words, asked)
            case failed:
                return f"the pattern {as_text(asked.expected)} cannot be matched: {failed.reason}"

    return operator


def _semver_matches(asked: Asked) -> Verdict:
    try:
        return None if isinstance(asked.actual, str) and fits(asked.actual, asked.expected) else missed("a version", asked)
    except NoVersion as error:
        return str(error)


def _a_requirement(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return wrong_requirement(expected) if isinstance(expected, str) else "must be a text, such as '>=1.0.0, <2.0.0'"


def _a_count(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return None if expected is True or _is_count(expected) else "must be true or how many"


def _a_count_or_text(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return None if expected is True or _is_count(expected) or isinstance(expected, str) else "must be true, how many, or a text"


def _is_count(expected: Json) -> bool:
    return isinstance(expected, int) and not isinstance(expected, bool)


def _special(letter: str) -> bool:
    return not letter.isalnum() and not letter.isspace()


TEXTS: Mapping[str, Operator] = {
    "starts_with": Operator(_on_text("to start with", str.startswith)),
    "not_starts_with": Operator(_on_text("not to start with", str.startswith, negated=True)),
    "ends_with": Operator(_on_text("to end with", str.endswith)),
    "not_ends_with": Operator(_on_text("not to end with", str.endswith, negated=True)),
    "contains_text": Operator(_letters("letters", str.isalpha), _a_count_or_text),
    "contains_number": Operator(_letters("digits", str.isdigit), _a_count),
    "contains_upper": Operator(_letters("upper-case letters", str.isupper), _a_count),
    "contains_lower": Operator(_letters("lower-case letters", str.islower), _a_count),
    "contains_special": Operator(_letters("special characters", _special), _a_count),
    "like": Operator(_on_text("to be like", _like), a_text),
    "not_like": Operator(_on_text("not to be like", _like, negated=True), a_text),
    "ilike": Operator(_on_text("to be like", _ilike), a_text),
    "not_ilike": Operator(_on_text("not to be like", _ilike, negated=True), a_text),
    "regex": Operator(_regex(), a_text, "patterns are those of jq (Oniguruma)"),
    "not_regex": Operator(_regex(negated=True), a_text, "patterns are those of jq (Oniguruma)"),
    "semver_matches": Operator(_semver_matches, _a_requirement, "requirements are Cargo's: 1.2.3 is ^1.2.3, and commas join"),
}
