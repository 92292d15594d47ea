"""What the texts of an action may name, and what they do name (air pipe reference, 3)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fermata.domain.airpipe.interpolation import CALLER_ROOTS, OTHER_ROOTS, SECRET_ROOTS, UNSUPPORTED_ROOTS
from fermata.domain.airpipe.known_keys import ACTION_TEXTS
from fermata.domain.airpipe.markers import BadMarker, Marker, normal, segments
from fermata.domain.airpipe.noting import Notes
from fermata.domain.json_value import Json, JsonObject

# How an assert's texts are read: programs and paths as they stand, patterns with fewer markers than elsewhere.
PATTERNS = frozenset({"regex", "not_regex", "like", "not_like", "ilike", "not_ilike"})
STRUCTURES = frozenset({"verify_schema"})
EXPRESSION = "expression"
_TEST = r"\.(?:assert|run_on_assertion)\.tests\[\d+\]"
_VERBATIM = re.compile(
    rf"{_TEST}\.(?:jq|pointer|value|data_type|name|description)|\.post_transforms\[\d+\]\.(?:extract_with_jq|extract_value)"
)
_PATTERN = re.compile(rf"{_TEST}\.(?:verify_schema\..*\.validate\.)?(?:{'|'.join(sorted(PATTERNS))})")

VARIABLE = ".variable"  # the place of what stands in no action

# What proves who a caller is stays out of what is stored with a run.
CREDENTIAL_HEADERS = frozenset({"authorization", "proxy-authorization", "x-authorization", "x-amz-security-token", "cookie", "x-api-key"})


@dataclass(frozen=True)
class Surroundings:
    """What the texts of one action may name: the other actions, itself, and the configuration's variables."""

    own: str
    others: frozenset[str]
    variables: JsonObject


def normalized(notes: Notes, value: Json, path: str, place: str = "") -> Json:
    """Return the value with every marker ending by the documented rule; what cannot be read is noted and left.

    `place` is where in an action the value stands; what stands in one is read as it is meant there.
    """
    if isinstance(value, Mapping):
        texts = ACTION_TEXTS if not place else ()
        return {key: each if key in texts else normalized(notes, each, f"{path}.{key}", f"{place}.{key}") for key, each in value.items()}
    if isinstance(value, list):
        return [normalized(notes, each, f"{path}[{index}]", f"{place}[{index}]") for index, each in enumerate(value)]
    if not isinstance(value, str) or "a|" not in value or _VERBATIM.fullmatch(place):
        return value
    pattern = _PATTERN.fullmatch(place) is not None
    try:
        made = normal(_closed(notes, value, path), lambda program: notes.wrong_program(program) is None, pattern=pattern)
        segments(made.text, pattern=pattern)
    except BadMarker as error:
        notes.refuse(path, str(error))
        return value
    for each in made.repaired:
        notes.warnings.append(f"{path}: a stray pipe was taken out of a jq program; it is read as {each}")
    return made.text


def _closed(notes: Notes, text: str, path: str) -> str:
    """Return an `input` marker of the old open form with its pipe."""
    if path.endswith(".input") and text.startswith("a|") and text.count("|") == 1 and "\n" not in text:
        notes.warnings.append(f"{path}: a marker without a closing pipe is an old form; it is read as {text}|")
        return f"{text}|"
    return text


def markers_in(value: Json, path: str = "") -> Iterator[tuple[str, Marker]]:
    """Yield every marker of normal texts, with its place."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if path or key not in ACTION_TEXTS:
                yield from markers_in(each, f"{path}.{key}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, each in enumerate(value):
            yield from markers_in(each, f"{path}[{index}]")
    elif isinstance(value, str) and "a|" in value and not _VERBATIM.fullmatch(path):
        pattern = _PATTERN.fullmatch(path) is not None
        yield from ((path, each) for each in segments(value, pattern=pattern) if isinstance(each, Marker))


def check(notes: Notes, written: JsonObject, path: str, around: Surroundings) -> None:
    """Note every marker that names nothing, or what it may not name there."""
    for place, marker in _readable(written):
        wrong = _wrong(marker, place, around)
        if wrong:
            notes.refuse(f"{path}{place}", f"{marker.source}: {wrong}")


def named_actions(written: JsonObject, around: Surroundings) -> frozenset[str]:
    """Return the other actions whose results the texts of this one need."""
    return frozenset(marker.root for _, marker in _readable(written) if marker.root in around.others)


def _readable(written: JsonObject) -> Iterator[tuple[str, Marker]]:
    try:
        yield from markers_in(written)
    except BadMarker:
        return  # noted when it was normalized


def _wrong(marker: Marker, place: str, around: Surroundings) -> str | None:
    root = marker.root
    if root in around.others:
        return None
    if root == around.own:
        own_places = (".assert", ".response_on_", ".post_transforms")
        return None if place.startswith(own_places) else "an action cannot use its own result before it has one"
    if root in UNSUPPORTED_ROOTS:
        return f"'{root}' is not supported here"
    if root in SECRET_ROOTS or root in OTHER_ROOTS:
        return _wrong_source(marker, place, around.variables)
    if root not in CALLER_ROOTS:
        return f"no action, variable or value is called '{root}'"
    if root in ("headers", "header") and (marker.path or "").lower() in CREDENTIAL_HEADERS:
        return "a caller's credentials are not kept with a run"
    return None


def _wrong_source(marker: Marker, place: str, variables: JsonObject) -> str | None:
    if marker.root == "uuid":
        return None
    if not marker.path:
        return f"'{marker.root}' needs a name, such as a|{marker.root}::name|"
    if marker.root == "var" and variable_name(marker.path, variables) is None:
        return f"no variable is called '{marker.path}'"
    if not place.startswith(".http") and _is_secret(marker, variables):
        return "an organisation variable may only be used in an http request: everything else is stored"
    return None


def variable_name(path: str, variables: JsonObject) -> str | None:
    """Return the variable that a path begins with, or None."""
    name = path if path in variables else path.partition(".")[0]
    return name if name in variables else None


def _is_secret(marker: Marker, variables: JsonObject, seen: frozenset[str] = frozenset()) -> bool:
    if marker.root in SECRET_ROOTS:
        return True
    name = variable_name(marker.path or "", variables) if marker.root == "var" else None
    if name is None or name in seen:
        return False
    return any(_is_secret(inner, variables, seen | {name}) for _, inner in markers_in(variables[name], VARIABLE))


def variables_used(written: Json, variables: JsonObject, place: str = "") -> dict[str, Json]:
    """Return the variables that texts name, and those that these name. `place`: `VARIABLE` for texts that are none of an action."""
    found: dict[str, Json] = {}
    waiting = [(written, place)]
    while waiting:
        for _, marker in markers_in(*waiting.pop()):
            name = variable_name(marker.path or "", variables) if marker.root == "var" else None
            if name is not None and name not in found:
                found[name] = variables[name]
                waiting.append((variables[name], VARIABLE))
    return found
