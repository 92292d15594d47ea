"""Reading the inside of `${...}` as a JSONPath: names, quoted names, indexes and functions here, the rest through a library.

Rules and cases: Conductor engine reference 4.2 and 4.3 (its JSONPath is Jayway's).
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from fermata.domain.expressions.budget import Budget
from fermata.domain.expressions.functions import FUNCTIONS
from fermata.domain.expressions.wide_paths import WidePath, compile_wide, filter_end, roots_in_filter
from fermata.domain.json_value import Json, JsonObject

MAX_PATH_CHARACTERS = 2_000
COMPILED_PATHS_KEPT = 2_048

Lookup: TypeAlias = Callable[[str], JsonObject | None]


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Index:
    index: int


@dataclass(frozen=True)
class Pick:
    """`['a','b']` at the end of a path: an object with those of its members that exist."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Function:
    """`.length()` and its like."""

    name: str


@dataclass(frozen=True)
class Wide:
    """A step that can lead to many values, in the library's spelling. `roots`: the documents its filter names."""

    text: str
    roots: tuple[str, ...] = ()


Step: TypeAlias = Name | Index | Pick | Function | Wide


@dataclass(frozen=True)
class Path:
    """A readable path. With `wide`, the result is always a list, which `steps` (functions only) then work on."""

    roots: tuple[str, ...]
    steps: tuple[Step, ...]
    wide: WidePath | None = None


@lru_cache(maxsize=COMPILED_PATHS_KEPT)
def parse_path(text: str) -> Path | None:
    """Return `text` as a path from a root name (`workflow.input.x`, `$.ref['a.b'][0]`), or None when it isn't readable as one."""
    if len(text) > MAX_PATH_CHARACTERS:
        return None
    text = text.rstrip(" ")  # as Jayway; a space in front makes the first name unreadable
    steps = _steps(text.removeprefix("$") if text.startswith(("$", "[")) else "." + text)
    if not steps or not isinstance(steps[0], Name):
        return None
    root, rest = steps[0].name, steps[1:]
    wide_until = max((n + 1 for n, step in enumerate(rest) if _is_wide(step, last=n + 1 == len(rest))), default=0)
    if not wide_until:
        return Path((root,), rest)
    wide, functions = rest[:wide_until], rest[wide_until:]
    # Behind a list of results Jayway reads names of each result: the library's business, so only a function may follow here.
    while functions and not isinstance(functions[0], Function):
        wide, functions = (*wide, functions[0]), functions[1:]
    compiled = _compile(steps[0], wide) if all(isinstance(step, Function) for step in functions) else None
    if compiled is None:
        return None
    named = (name for step in wide if isinstance(step, Wide) for name in step.roots)
    return Path(tuple(dict.fromkeys((root, *named))), functions, compiled)


def read_path(path: Path, lookup: Lookup, budget: Budget) -> Json:
    """Return what `path` leads to, or None; None too once `budget` is spent.

    Asks `lookup` only for the roots that the path names, and lets through what it raises.
    """
    documents = {root: document for root in path.roots if (document := lookup(root)) is not None}
    if path.wide is not None:
        return follow(path.wide.read(documents, budget), path.steps)
    return follow(documents.get(path.roots[0]), path.steps)


def follow(value: Json, steps: Iterable[Step]) -> Json:
    """Walk `steps` from `value`; None as soon as one leads nowhere."""
    for step in steps:
        if value is None:
            return None
        match step:
            case Name(name):
                value = value.get(name) if isinstance(value, Mapping) else None
            case Index(index):
                value = value[index] if isinstance(value, list | tuple) and -len(value) <= index < len(value) else None
            case Pick(names):
                value = {name: value[name] for name in names if name in value} if isinstance(value, Mapping) else None
            case Function(name):
                value = FUNCTIONS[name](value)
            case Wide():
                return None
    return value


_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_SLICE = r"-?[0-9]{0,9}(?:\s*:\s*(?:-?[0-9]{1,9})?){0,2}"
_STEP = re.compile(
    rf"""\.(?P<function>{"|".join(FUNCTIONS)})\(\)
       | \.(?P<name>[^\s.\[\]()*]+)
       | \.?\[\s*(?P<quoted>(?:{_QUOTED})(?:\s*,\s*(?:{_QUOTED}))*)\s*\]
       | \.?\[\s*(?P<index>-?[0-9]{{1,9}})\s*\]
       | \.\.(?P<deep_name>[^\s.\[\]()*]+)
       | (?P<deep>\.\.(?=\[))
       | (?P<every>\.?\.\*)
       | (?P<list>\[\s*(?:\*|{_SLICE}(?:\s*,\s*{_SLICE})*)\s*\])
       | (?P<filter>\[\s*\?)""",
    re.DOTALL | re.VERBOSE,
)
_ONE_QUOTED = re.compile(_QUOTED, re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def _steps(text: str) -> tuple[Step, ...]:
    """Return the steps of `text`, or nothing when a part of it can't be read."""
    steps: list[Step] = []
    position = 0
    while position < len(text):
        found = _STEP.match(text, position)
        if found is None:
            return ()
        position = found.end()
        kind, part = str(found.lastgroup), found.group(str(found.lastgroup))
        if kind == "filter":
            end = filter_end(text, position)
            if end is None:
                return ()
            inside = text[found.start() : end]
            steps.append(Wide(inside, roots_in_filter(inside)))
            position = end
        else:
            steps.append(_step(kind, part))
    return tuple(steps)


def _step(kind: str, part: str) -> Step:
    match kind:
        case "function":
            return Function(part)
        case "name":
            return Name(part)
        case "quoted":
            names = tuple(_ESCAPED.sub(r"\1", quoted[1:-1]) for quoted in _ONE_QUOTED.findall(part))
            return Name(names[0]) if len(names) == 1 else Pick(names)
        case "index":
            return Index(int(part))
        case "deep_name":
            return Wide(f"..[{json.dumps(part)}]")
        case "every":
            return Wide("..[*]" if part == "..*" else "[*]")
        case _:
            return Wide(part)


def _is_wide(step: Step, *, last: bool) -> bool:
    return isinstance(step, Wide) or (isinstance(step, Pick) and not last)


def _compile(root: Name, steps: tuple[Step, ...]) -> WidePath | None:
    if any(isinstance(step, Function) for step in steps):
        return None
    return compile_wide("$" + "".join(_spelling(step) for step in (root, *steps)))


def _spelling(step: Step) -> str:
    match step:
        case Name(name):
            return f"[{json.dumps(name)}]"
        case Index(index):
            return f"[{index}]"
        case Pick(names):
            return f"[{','.join(map(json.dumps, names))}]"
        case Wide(text):
            return text
        case Function(name):
            return f".{name}()"
