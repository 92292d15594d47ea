"""What markers stand for: templates become values and texts (air pipe reference, 3.2 to 3.5). Nothing is fetched: a `Sight` shows all."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from fermata.domain.airpipe.filters import BadFilter, applied, as_text, compact, escaped, literal
from fermata.domain.airpipe.json_text import is_json
from fermata.domain.airpipe.markers import Marker, segments, whole
from fermata.domain.airpipe.selecting import MISSING, Found, Missing, pick
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.questions import Evaluate, Evaluated, EvaluationResult, Language

CALLER_ROOTS = frozenset({"body", "params", "headers", "header", "raw_body", "request", "ip"})
SECRET_ROOTS = frozenset({"ap_var", "secret"})
OTHER_ROOTS = frozenset({"var", "uuid"})
UNSUPPORTED_ROOTS = frozenset({"env", "template", "state", "include", "timestamp"})
MAX_DEPTH = 20  # variables within variables


class Unresolved(ValueError):
    """A marker stands for nothing usable. `by_caller`: what it names should have come from the caller."""

    def __init__(self, message: str, *, by_caller: bool = False) -> None:
        super().__init__(message)
        self.by_caller = by_caller


def _nothing(_name: str) -> str | None:
    return None


@dataclass(frozen=True)
class Sight:
    """What markers may see.

    `request`: the caller's, by root. `results`: by action, its entry (`data` and how it went). `secret` looks up `ap_var` and
    `secret` names. `fresh_id` returns another id at each call. `evaluate` may interrupt a decision: let its exceptions pass.
    `now` is when tokens are looked at.
    """

    request: JsonObject
    results: Mapping[str, JsonObject]
    variables: JsonObject
    evaluate: Callable[[Evaluate], EvaluationResult]
    fresh_id: Callable[[], str]
    secret: Callable[[str], str | None] = _nothing
    depth: int = 0
    now: datetime | None = None

    def also(self, action: str, entry: JsonObject) -> "Sight":
        """Return a sight that sees one more action's entry."""
        return replace(self, results={**self.results, action: entry})


def resolved(template: Json, sight: Sight) -> Json:
    """Return a template with every marker filled in. A marker that is a whole text keeps its value's type. Raises `Unresolved`."""
    if isinstance(template, Mapping):
        return {key: resolved(value, sight) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [resolved(value, sight) for value in template]
    if not isinstance(template, str):
        return template
    marker = whole(template)
    return _text(template, sight, in_json=False) if marker is None else _there(marker, value_of(marker, sight))


def resolved_or_null(template: Json, sight: Sight) -> Json:
    """Return the same, with null for a whole text that stands for nothing: what `input` and a request's `body` do."""
    marker = whole(template) if isinstance(template, str) else None
    if marker is None:
        return resolved(template, sight)
    value = value_of(marker, sight)
    return None if isinstance(value, Missing) else value


def resolved_text(template: Json, sight: Sight) -> str:
    """Return a field that must be text. Raises `Unresolved`."""
    return as_text(resolved(template, sight))


def resolved_document(template: str, sight: Sight) -> str:
    """Return a text that is a document. In one that looks like JSON no value can add to what the author wrote.

    A string inside the quotes of a JSON string is escaped, and outside of them it must be JSON itself, unless a filter of the
    author's says how it becomes text. Raises `Unresolved`.
    """
    return _text(template, sight, in_json=template.lstrip()[:1] in ("{", "["))


def resolved_pattern(template: str, sight: Sight) -> str:
    """Return a regular expression or the like: in it only a name and its path make a marker. Raises `Unresolved`."""
    return _text(template, sight, in_json=False, pattern=True)


def resolved_expression(template: str, sight: Sight) -> str:
    """Return an expression whose markers have become JSON: no value can add to what the author wrote. Raises `Unresolved`."""
    return _text(template, sight, in_json=True)


def value_of(marker: Marker, sight: Sight) -> Found:
    """Return what a marker stands for, `MISSING` for nothing. Raises `Unresolved` for what is there and cannot be used."""
    value = _rooted(marker, sight)
    for each in marker.filters:
        if each.name == "default":
            value = literal(each.argument) if isinstance(value, Missing) or value is None else value
        elif not isinstance(value, Missing):
            try:
                value = applied(each.name, value, each.argument)
            except BadFilter as error:
                raise Unresolved(f"cannot resolve {marker.source}: {error}", by_caller=marker.root in CALLER_ROOTS) from error
    return value


def _rooted(marker: Marker, sight: Sight) -> Found:
    value, path = _root(marker, sight)
    if marker.program is not None:
        return MISSING if isinstance(value, Missing) else _jq(marker, value, sight)
    return pick(value, path)


def _root(marker: Marker, sight: Sight) -> tuple[Found, str | None]:
    """Return the value of a marker's root and the path that is left."""
    root, path = marker.root, marker.path
    if root in ("headers", "header"):
        return {name.lower(): value for name, value in sight.request.get("headers", {}).items()}, path and path.lower()
    if root == "request":
        return sight.request, path
    if root in CALLER_ROOTS:
        return sight.request.get(root, MISSING), path
    if root == "uuid":
        return sight.fresh_id(), path
    if root in SECRET_ROOTS:
        return _secret(marker, sight), None
    if root == "var":
        return _variable(path or "", sight)
    entry = sight.results.get(root)
    return (MISSING, path) if entry is None else (entry.get("data", MISSING), path)


def _secret(marker: Marker, sight: Sight) -> Found:
    value = sight.secret(marker.path or "")
    if value is None:
        raise Unresolved(f"cannot resolve {marker.source}: nothing is stored under that name")
    return value


def _variable(path: str, sight: Sight) -> tuple[Found, str | None]:
    name = path if path in sight.variables else path.partition(".")[0]
    if name not in sight.variables:
        return MISSING, None
    if sight.depth >= MAX_DEPTH:
        raise Unresolved(f"cannot resolve a|var::{name}|: variables within variables, more than {MAX_DEPTH} deep")
    deeper = replace(sight, depth=sight.depth + 1)
    return resolved(sight.variables[name], deeper), path[len(name) :] or None


def _jq(marker: Marker, value: Json, sight: Sight) -> Found:
    match sight.evaluate(Evaluate(Language.JQ, marker.program or "", json.dumps(value))):
        case Evaluated(outputs):
            return outputs[0] if outputs else MISSING
        case failed:
            raise Unresolved(f"cannot resolve {marker.source}: {failed.reason}", by_caller=marker.root in CALLER_ROOTS)


def _there(marker: Marker, value: Found) -> Json:
    if isinstance(value, Missing):
        raise Unresolved(f"cannot resolve {marker.source}", by_caller=marker.root in CALLER_ROOTS)
    return value


def _text(template: str, sight: Sight, *, in_json: bool, pattern: bool = False) -> str:
    parts: list[str] = []
    quoted = False
    for segment in segments(template, pattern=pattern):
        if isinstance(segment, str):
            parts.append(segment)
            quoted = _quoted_after(segment, quoted=quoted)
            continue
        value = _there(segment, value_of(segment, sight))
        plain = not in_json or segment.makes_text
        if value is None and (plain or quoted):
            raise Unresolved(f"cannot resolve {segment.source}: it is null", by_caller=segment.root in CALLER_ROOTS)
        parts.append(as_text(value) if plain else escaped(value) if quoted else _one_value(segment, value))
    return "".join(parts)


def _quoted_after(literal_part: str, *, quoted: bool) -> bool:
    """Tell whether a JSON text stands inside a string after this part of it."""
    skip = False
    for letter in literal_part:
        if skip:
            skip = False
        elif letter == "\\" and quoted:
            skip = True
        elif letter == '"':
            quoted = not quoted
    return quoted


def _one_value(marker: Marker, value: Json) -> str:
    """Return a value where JSON expects one. A string must be the text of exactly one."""
    if not isinstance(value, str):
        return compact(value)
    if is_json(value):
        return value
    message = f"cannot resolve {marker.source}: its text is no JSON value; put it in quotes or add ->json_stringify"
    raise Unresolved(message, by_caller=marker.root in CALLER_ROOTS)
