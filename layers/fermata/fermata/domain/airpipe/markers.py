"""Air Pipe's markers, `a|root::path->filter(x)|`: where one begins and ends in a text, and what it is made of (air pipe reference, 3)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from fermata.domain.airpipe.filters import FILTERS, TEXT_FILTERS, UNEXPLAINED

_OPENING = re.compile(r"(?<!\w)a\|")
# In a pattern `(a|b)` is a choice of two letters: there only a name and its path make a marker.
_OPENING_IN_PATTERN = re.compile(r"(?<!\w)a\|(?=\w[\w .\-]*::)")
_CHAIN = re.compile(r"((?:->[A-Za-z_]\w*(?:\([^()]*\))?)+)$")
_FILTER = re.compile(r"->([A-Za-z_]\w*)(?:\(([^()]*)\))?")
_WRAPPED = re.compile(r"([A-Za-z_]\w*)\((.+)\)")
_WRAPPER_AROUND = re.compile(r"([A-Za-z_]\w*)\($")
_JQ = "::jq::"
WRAPPERS = frozenset({"single_quote", "double_quote", "json_esc", "json_escape", "json_stringify"})  # filters that may stand around


class BadMarker(ValueError):
    """A marker cannot be read. The message quotes it and says what is wrong."""


@dataclass(frozen=True)
class Filter:
    """One step of a chain; `argument` None: written without parentheses or with empty ones."""

    name: str
    argument: str | None = None


@dataclass(frozen=True)
class Marker:
    """What stands between `a|` and the closing pipe. At most one of `path` and `program` is given; `source` is for messages."""

    root: str
    path: str | None = None
    program: str | None = None
    filters: tuple[Filter, ...] = ()
    source: str = ""

    @property
    def makes_text(self) -> bool:
        """Whether the author has said how the value becomes text: nothing is escaped then."""
        return any(each.name in TEXT_FILTERS for each in self.filters)


Segment: TypeAlias = str | Marker


@dataclass(frozen=True)
class Normal:
    """A text whose markers all end by the documented rule. `repaired`: those that only did after a stray pipe was taken out."""

    text: str
    repaired: tuple[str, ...] = ()


def segments(text: str, *, pattern: bool = False) -> tuple[Segment, ...]:
    """Return a normal text's literal parts and markers, in order. `pattern`: it is a regular expression or the like. Raises `BadMarker`."""
    parts: list[Segment] = []
    position = 0
    for found, end, wrapper in _markers(text, lambda start: _first_end(text, start), pattern=pattern):
        if wrapper:
            raise BadMarker(f"{wrapper}(...) around a marker is read when a file is: write a|...->{wrapper}|")
        if found > position:
            parts.append(text[position:found])
        parts.append(marker_of(_unescaped(text[found + 2 : end])))
        position = end + 1
    return (*parts, text[position:]) if position < len(text) else tuple(parts)


def whole(text: str) -> Marker | None:
    """Return the marker that a normal text is from its first to its last character, or None."""
    parts = segments(text)
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Marker) else None


def normal(text: str, compiles: Callable[[str], bool], *, pattern: bool = False) -> Normal:
    r"""Return the text with each marker ending at its first plain pipe: those inside jq programs are written `\|`.

    `compiles` tells whether a text is a jq program. Of the pipes that could end a program the first wins that leaves one. A pipe that
    a documentation generator put behind the first word of a program is taken out where only that makes it one. Raises `BadMarker`.
    """
    parts: list[str] = []
    repaired: list[str] = []
    position = 0
    contents: dict[int, str] = {}

    def end_of(start: int) -> int:
        end, content, mended = _tolerant_end(text, start, compiles)
        contents[start] = content
        if mended:
            repaired.append(f"a|{content}|")
        return end

    for found, end, wrapper in _markers(text, end_of, pattern=pattern):
        before = text[position:found].removesuffix(f"{wrapper}(") if wrapper else text[position:found]
        chained = f"->{wrapper}" if wrapper else ""
        parts += [before, "a|", contents[found + 2].replace("|", "\\|"), chained, "|"]
        position = end + (2 if wrapper else 1)
    return Normal("".join([*parts, text[position:]]), tuple(repaired))


def marker_of(content: str) -> Marker:
    """Return the marker of what stands between the pipes. Raises `BadMarker`."""
    source = f"a|{content}|"
    body, filters = _filters(content, source)
    root, jq, program = body.partition(_JQ)
    if jq:
        return Marker(_root(root, source), None, program.strip(), filters, source)
    wrapped = _WRAPPED.fullmatch(body.strip())
    if wrapped and wrapped[1] in FILTERS and "::" not in wrapped[1]:
        inner = marker_of(wrapped[2])
        return Marker(inner.root, inner.path, inner.program, (*inner.filters, Filter(wrapped[1]), *filters), source)
    root, separator, path = body.partition("::")
    return Marker(_root(root, source), path.strip() if separator else None, None, filters, source)


def _markers(text: str, end_of: Callable[[int], int], *, pattern: bool) -> Iterator[tuple[int, int, str | None]]:
    """Yield where each marker begins, where its closing pipe stands, and the filter that is written around it."""
    position = 0
    while found := (_OPENING_IN_PATTERN if pattern else _OPENING).search(text, position):
        around = _WRAPPER_AROUND.search(text, position, found.start())
        end = end_of(found.end())
        wrapper = around[1] if around and around[1] in WRAPPERS and text[end + 1 : end + 2] == ")" else None
        yield found.start(), end, wrapper
        position = end + 1


def _first_end(text: str, start: int) -> int:
    ends = _plain_pipes(text, start)
    if not ends:
        raise _unclosed(text, start)
    return ends[0]


def _tolerant_end(text: str, start: int, compiles: Callable[[str], bool]) -> tuple[int, str, bool]:
    """Return where the marker ends, its content, and whether a stray pipe was taken out of it."""
    ends = _plain_pipes(text, start)
    if not ends:
        raise _unclosed(text, start)
    first = _unescaped(text[start : ends[0]])
    if _JQ not in first:
        return ends[0], first, False
    for end in ends:
        content = _unescaped(text[start:end])
        if compiles(_program(content)):
            return end, content, False
        mended = _unescaped(text[start : ends[0]] + text[ends[0] + 1 : end])
        if end != ends[0] and compiles(_program(mended)):
            return end, mended, True
    raise BadMarker(f"a|{first}| holds no jq program that can be read")


def _plain_pipes(text: str, start: int) -> list[int]:
    """Return the pipes up to the end of the line that are neither escaped nor inside brackets. Quotes do not count."""
    found, depth, position = [], 0, start
    while position < len(text) and text[position] != "\n":
        letter = text[position]
        if letter == "\\" and text[position + 1 : position + 2] == "|":
            position += 1
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth = max(0, depth - 1)
        elif letter == "|" and depth == 0:
            found.append(position)
        position += 1
    return found


def _program(content: str) -> str:
    program = _CHAIN.sub("", content).partition(_JQ)[2]
    return program if program.strip() else "("  # an empty program compiles, and means nothing


def _filters(content: str, source: str) -> tuple[str, tuple[Filter, ...]]:
    chain = _CHAIN.search(content)
    if chain is None:
        return content, ()
    filters = tuple(Filter(name, argument or None) for name, argument in _FILTER.findall(chain[1]))
    for each in filters:
        if each.name in UNEXPLAINED:
            raise BadMarker(f"{source}: the filter {each.name} is not supported: Air Pipe names it and says nowhere what it does")
        if each.name not in FILTERS:
            raise BadMarker(f"{source}: the filter {each.name} is not supported; use one of {', '.join(sorted(FILTERS))}")
    return content[: chain.start()], filters


def _root(text: str, source: str) -> str:
    root = text.strip()
    if not root or not re.fullmatch(r"[\w][\w .\-]*", root):
        raise BadMarker(f"{source}: '{root}' is no name of a value")
    return root


def _unescaped(text: str) -> str:
    return text.replace("\\|", "|")


def _unclosed(text: str, start: int) -> BadMarker:
    return BadMarker(f"the marker a|{text[start : start + 40]} is not closed; end it with a | on the same line")
