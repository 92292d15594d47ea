"""Operators that look at a value as a whole: its structure, how it differs from another, and expressions over anything."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from fermata.domain.airpipe.filters import as_text
from fermata.domain.airpipe.json_text import is_json, parsed
from fermata.domain.airpipe.operators.asking import Asked, Operator, Verdict, a_text, same
from fermata.domain.json_value import Json
from fermata.domain.nesting import MAX_LEVELS, deeper_than
from fermata.domain.questions import Evaluate, Evaluated, Language

_TOKENS = re.compile(r'"(?:\\.|[^"\\\n])*"|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[-+*%<>=!&|?:()\[\]{},.\s]')
TYPES = frozenset({"string", "number", "boolean", "array", "object", "null", "any"})
_FIELD = frozenset({"data_type", "type", "validate"})


def _verify_schema(asked: Asked) -> Verdict:
    strict = asked.expected.get("disallow_unknown_keys") is True
    found = list(_differences(replace(asked, expected=asked.expected["structure"]), "", strict=strict))
    return "; ".join(found[:10]) or None


def _differences(asked: Asked, place: str, *, strict: bool) -> Iterator[str]:
    """Yield how a value differs from a structure. Every field of one must be there."""
    structure, actual = asked.expected, asked.actual
    if _is_field(structure):
        yield from _of_field(asked, place)
    elif isinstance(structure, list):
        yield from _of_list(asked, place, strict=strict)
    elif not isinstance(actual, Mapping):
        yield f"{place or 'the value'}: expected an object"
    else:
        for key, each in structure.items():
            yield from _differences(replace(asked, actual=actual.get(key), expected=each), f"{place}.{key}".lstrip("."), strict=strict)
        if strict:
            yield from (f"{place}.{key}: is not known".lstrip(".") for key in actual if key not in structure)


def _of_list(asked: Asked, place: str, *, strict: bool) -> Iterator[str]:
    if not isinstance(asked.actual, list | tuple):
        yield f"{place or 'the value'}: expected a list"
        return
    for index, each in enumerate(asked.expected):
        there = asked.actual[index] if index < len(asked.actual) else None
        yield from _differences(replace(asked, actual=there, expected=each), f"{place}[{index}]", strict=strict)
    if strict and len(asked.actual) > len(asked.expected):
        yield f"{place}[{len(asked.expected)}]: is not known"


def _of_field(asked: Asked, place: str) -> Iterator[str]:
    wanted = str(asked.expected.get("data_type") or asked.expected.get("type")).lower()
    if wanted not in ("any", _type_of(asked.actual)):
        yield f"{place or 'the value'}: expected {wanted}, got {_type_of(asked.actual)}"
        return
    for name, expected in (asked.expected.get("validate") or {}).items():
        if name in asked.operators:
            within = replace(asked, expected=expected, data_type=wanted if wanted in ("number", "string") else None)
            verdict = asked.operators[name].holds(within)
            if verdict is not None:
                yield f"{place or 'the value'}: {verdict}"


def _type_of(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case Mapping():
            return "object"
        case _:
            return "array"


def _is_field(structure: Json) -> bool:
    named = structure.get("data_type", structure.get("type")) if isinstance(structure, Mapping) else None
    return isinstance(named, str) and structure.keys() <= _FIELD


def _a_schema(expected: Json, operators: Mapping[str, Operator]) -> str | None:
    if not isinstance(expected, Mapping) or not {"structure"} <= expected.keys() <= {"structure", "disallow_unknown_keys"}:
        return "takes structure and disallow_unknown_keys"
    if not isinstance(expected.get("disallow_unknown_keys", False), bool):
        return "disallow_unknown_keys must be true or false"
    return next(_wrong_structure(expected["structure"], operators, "structure"), None)


def _wrong_structure(structure: Json, operators: Mapping[str, Operator], place: str) -> Iterator[str]:
    if _is_field(structure):
        yield from _wrong_field(structure, operators, place)
    elif isinstance(structure, Mapping):
        for key, each in structure.items():
            yield from _wrong_structure(each, operators, f"{place}.{key}")
    elif isinstance(structure, list):
        for index, each in enumerate(structure):
            yield from _wrong_structure(each, operators, f"{place}[{index}]")
    else:
        yield f"{place} must be a field with a data_type, a map or a list of such"


def _wrong_field(field: Mapping[str, Json], operators: Mapping[str, Operator], place: str) -> Iterator[str]:
    named = str(field.get("data_type", field.get("type")))
    if named.lower() not in TYPES:
        yield f"{place}: '{named[:20]}' is no type; write one of {', '.join(sorted(each.title() for each in TYPES))}"
    checks = field.get("validate") or {}
    if not isinstance(checks, Mapping):
        yield f"{place}.validate must be a map of operators"
        return
    for name, expected in checks.items():
        wrong = operators[name].wrong(expected, operators) if name in operators else "is no operator that can stand here"
        if wrong:
            yield f"{place}.validate.{name} {wrong}"


def _compare_value(asked: Asked) -> Verdict:
    given = asked.expected
    target, kind = as_text(given["target"]), given.get("data_type")
    if kind == "string" or (kind is None and not is_json(target)):
        return None if as_text(asked.actual) == target else f"expected {target}, got {as_text(asked.actual)}"
    try:
        wanted, actual = parsed(target), _read(asked.actual, as_json=kind == "json")
    except ValueError:
        return "expected JSON on both sides"
    left_out = frozenset(given.get("ignore_fields") or ())
    return None if same(_without(actual, left_out), _without(wanted, left_out)) else f"expected {target}, got {as_text(asked.actual)}"


def _read(value: Json, *, as_json: bool) -> Json:
    """Return a text that is meant to be JSON as what it says."""
    return parsed(value) if isinstance(value, str) and (as_json or is_json(value)) else value


def _without(value: Json, names: frozenset[str]) -> Json:
    if isinstance(value, Mapping):
        return {key: _without(each, names) for key, each in value.items() if key not in names}
    return [_without(each, names) for each in value] if isinstance(value, list | tuple) else value


def _a_comparison(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    if isinstance(expected, Mapping) and "file_path" in expected:
        return "file_path is not supported: nothing of the machine is read; give the target"
    if not isinstance(expected, Mapping) or not {"target"} <= expected.keys() <= {"target", "data_type", "ignore_fields"}:
        return "takes target, data_type and ignore_fields"
    if expected.get("data_type") not in (None, "json", "string"):
        return "data_type must be json or string: what counts as a difference between two XML texts is written nowhere"
    names = expected.get("ignore_fields") or []
    return None if isinstance(names, list) and all(isinstance(each, str) for each in names) else "ignore_fields must be a list of names"


def wrong_expression(text: str) -> str | None:
    """Return what is wrong with an expression: it is made of JSON values, signs and brackets, and names nothing."""
    rest = _TOKENS.sub("", text)
    return (
        None
        if not rest and text.strip()
        else f"cannot hold {rest.strip()[:20]!r}: it is made of JSON values, + - * % < > = ! & | ? : and brackets"
    )


def _an_expression(expected: Json, operators: Mapping[str, Operator]) -> str | None:
    return a_text(expected, operators) or wrong_expression(expected)


def _expression(asked: Asked) -> Verdict:
    """Evaluate in the evaluator's process, as the document that its markers made of it: no value can add to what the author wrote."""
    match asked.evaluate(Evaluate(Language.JAVASCRIPT, as_text(asked.expected), "null")):
        case Evaluated(True):
            return None
        case Evaluated(value):
            shown = "no value that can be shown" if deeper_than(value, MAX_LEVELS) else as_text(value)
            return f"expected {as_text(asked.expected)} to be true, got {shown}"
        case failed:
            return f"the expression {as_text(asked.expected)} cannot be evaluated: {failed.reason}"


SHAPES: Mapping[str, Operator] = {
    "verify_schema": Operator(
        _verify_schema, _a_schema, "every field of the structure must be there; one that may be missing is of type Any"
    ),
    "compare_value": Operator(_compare_value, _a_comparison, "ignore_fields leaves out these names at any depth"),
    "expression": Operator(_expression, _an_expression, "is JavaScript, and must be true; a text outside of quotes must be a JSON value"),
}
