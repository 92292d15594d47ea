"""How `assert` and `run_on_assertion` are read (air pipe reference, 4)."""

from collections.abc import Mapping

from fermata.domain.airpipe import known_keys
from fermata.domain.airpipe.asserting import Assert, Subject, Test
from fermata.domain.airpipe.markers import BadMarker
from fermata.domain.airpipe.noting import Notes
from fermata.domain.airpipe.operators import DATA_TYPES, OPERATORS, UNSUPPORTED_OPERATORS, wrong_expectation
from fermata.domain.airpipe.selecting import readable
from fermata.domain.json_value import Json, JsonObject


def read_assert(notes: Notes, value: Json, path: str) -> Assert:
    """Return the block; what is wrong with it is noted."""
    given = notes.keys(value, path, known_keys.ASSERT)
    tests = given.get("tests")
    if not isinstance(tests, list) or not tests:
        notes.refuse(f"{path}.tests", "must be a list of one test or more")
        tests = []
    return Assert(
        tests=tuple(_test(notes, test, f"{path}.tests[{index}]") for index, test in enumerate(tests)),
        code_on_error=notes.code(given, "http_code_on_error", path),
        code_on_success=notes.code(given, "http_code_on_success", path),
        error_message=notes.text(given, "error_message", path),
        success_message=notes.text(given, "success_message", path),
    )


def _test(notes: Notes, value: Json, path: str) -> Test:
    given = notes.keys(value, path, known_keys.TEST | OPERATORS.keys(), known_keys.TEST_NOT_RUN | UNSUPPORTED_OPERATORS)
    operators = {key: expected for key, expected in given.items() if key in OPERATORS}
    if not operators:
        notes.refuse(path, "must name an operator, such as is_equal_to")
    for operator, expected in operators.items():
        wrong = _wrong(operator, expected)
        if wrong:
            notes.refuse(f"{path}.{operator}", wrong)
    data_type = notes.text(given, "data_type", path)
    if data_type is not None and data_type.lower() not in DATA_TYPES:
        notes.refuse(f"{path}.data_type", f"must be one of {', '.join(sorted(each.title() for each in DATA_TYPES))}")
    return Test(
        subject=Subject()
        if operators.keys() == {"expression"} and not known_keys.SUBJECTS & given.keys()
        else _subject(notes, given, path),
        operators=operators,
        error_message=notes.text(given, "error_message", path),
        http_code=notes.code(given, "http_code_on_error", path),
        case_insensitive=notes.truth(given, "case_insensitive", path, default=False),
        hide_errors=notes.truth(given, "hide_errors", path, default=False),
        data_type=data_type,
    )


def _wrong(operator: str, expected: Json) -> str | None:
    try:
        return wrong_expectation(operator, expected)
    except BadMarker:
        return None  # noted when it was normalized


def _subject(notes: Notes, given: JsonObject, path: str) -> Subject:
    named = [key for key in ("value", "jq", "pointer", "custom_value") if key in given]
    if len(named) > 1 or (not named and "action" not in given):
        notes.refuse(path, "must pick one value: by value, jq, pointer, action or custom_value")
    if "custom_value" in given:
        return Subject(custom=given["custom_value"], is_custom=True)
    if isinstance(given.get("value"), Mapping | list):
        notes.refuse(f"{path}.value", "must be a path")
        return Subject()
    path_in, program, pointer, action = (notes.text(given, key, path) for key in ("value", "jq", "pointer", "action"))
    subject = Subject(path_in, program, pointer, action)
    if subject.path is not None and not readable(subject.path):
        notes.refuse(f"{path}.value", "must be a path like body.items[0].id")
    if subject.program is not None:
        notes.program(subject.program, f"{path}.jq")
    if subject.pointer is not None and subject.pointer[:1] not in ("", "/"):
        notes.refuse(f"{path}.pointer", "must be a JSON pointer, which begins with /")
    return subject
