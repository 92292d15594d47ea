"""An action's `assert`: its tests, and what is wrong with a value that fails them (air pipe reference, 4)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fermata.domain.airpipe.interpolation import Sight, Unresolved, resolved, resolved_expression, resolved_pattern
from fermata.domain.airpipe.operators import OPERATORS, asked_of
from fermata.domain.airpipe.operators.asking import Asked
from fermata.domain.airpipe.selecting import Missing, pick
from fermata.domain.airpipe.templates import EXPRESSION, PATTERNS, STRUCTURES
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, Evaluated, Language


@dataclass(frozen=True)
class Subject:
    """What a test looks at: the action's own data, or that of `action`, and one way to pick from it. Nothing there is null.

    `path` None: the value itself.
    """

    path: str | None = None
    program: str | None = None
    pointer: str | None = None
    action: str | None = None
    custom: Json = None
    is_custom: bool = False

    @property
    def shown(self) -> str:
        """How a failure names it."""
        return self.path or self.program or self.pointer or self.action or "value"


@dataclass(frozen=True)
class Test:
    """One value and the operators that must all hold for it."""

    subject: Subject
    operators: Mapping[str, Json]
    error_message: str | None = None
    http_code: int | None = None
    case_insensitive: bool = False
    hide_errors: bool = False
    data_type: str | None = None


@dataclass(frozen=True)
class Assert:
    """A block of tests. The codes and texts are what the caller sees."""

    tests: tuple[Test, ...] = ()
    code_on_error: int | None = None
    code_on_success: int | None = None
    error_message: str | None = None
    success_message: str | None = None


@dataclass(frozen=True)
class Failures:
    """What did not hold, in order, and the code of the first failed test that has one."""

    texts: tuple[str, ...] = ()
    code: int | None = None
    count: int = field(default=0)

    def __bool__(self) -> bool:
        return self.count > 0


def failures(block: Assert, data: Json, sight: Sight) -> Failures:
    """Run every test on an action's data and return what did not hold."""
    found = [(test, text) for test in block.tests for text in _of_test(test, data, sight)]
    code = next((test.http_code for test, _ in found if test.http_code), None)
    return Failures(tuple(text for test, text in found if not test.hide_errors), code, len(found))


def _of_test(test: Test, data: Json, sight: Sight) -> Iterator[str]:
    try:
        actual = _picked(test.subject, data, sight)
        expectations = {operator: _expected(operator, expected, sight) for operator, expected in test.operators.items()}
    except Unresolved as error:
        yield f"{test.subject.shown}: {error}"
        return
    for operator, expected in expectations.items():
        asked = Asked(actual, expected, sight.evaluate, test.case_insensitive, test.data_type, sight.now, OPERATORS)
        verdict = asked_of(operator, asked)
        if verdict is not None:
            yield f"{test.subject.shown}::{operator}: {test.error_message or verdict}"


def _expected(operator: str, template: Json, sight: Sight) -> Json:
    """Return what a test says to an operator, its markers filled in as they are read there."""
    if operator == EXPRESSION and isinstance(template, str):
        return resolved_expression(template, sight)
    if operator in PATTERNS and isinstance(template, str):
        return resolved_pattern(template, sight)
    if operator in STRUCTURES and isinstance(template, Mapping):
        return {key: _expected(key if key in PATTERNS else operator, each, sight) for key, each in template.items()}
    if operator in STRUCTURES and isinstance(template, list):
        return [_expected(operator, each, sight) for each in template]
    return resolved(template, sight)


def _picked(subject: Subject, data: Json, sight: Sight) -> Json:
    if subject.is_custom:
        return resolved(subject.custom, sight)
    if subject.action is not None:
        data = sight.results.get(subject.action, {}).get("data")
    if subject.program is not None:
        return _jq(subject.program, data, sight)
    value = _pointed(data, subject.pointer) if subject.pointer is not None else pick(data, subject.path)
    return None if isinstance(value, Missing) else value


def _jq(program: str, data: Json, sight: Sight) -> Json:
    match sight.evaluate(Evaluate(Language.JQ, program, json.dumps(data))):
        case Evaluated(outputs):
            return outputs[0] if outputs else None
        case failed:
            raise Unresolved(failed.reason)


def _pointed(value: Json, pointer: str) -> Json:
    """Return what a JSON pointer names (RFC 6901), null for nothing."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list | tuple) and key.isascii() and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
