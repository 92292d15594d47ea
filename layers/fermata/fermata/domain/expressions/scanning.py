"""Finding `${...}` in text. Linear in the length of the text, whatever it holds."""

import re
from dataclasses import dataclass
from typing import TypeAlias

MAX_NESTING = 10  # expressions within expressions; a real definition has one or two
MAX_CONTENT_CHARACTERS = 10_000  # of one expression with all that is nested in it; a real one has a hundred

_BRACE = re.compile(r"[{}]")


@dataclass(frozen=True)
class Expression:
    """One balanced `${content}`."""

    content: str

    @property
    def text(self) -> str:
        return "${" + self.content + "}"

    def is_within_limits(self, depth: int) -> bool:
        """Tell whether it is worth looking into. `depth` is 1 for an outermost expression."""
        return depth <= MAX_NESTING and len(self.content) <= MAX_CONTENT_CHARACTERS


Piece: TypeAlias = str | Expression


def split(text: str) -> list[Piece]:
    """Split `text` into plain text and its outermost expressions.

    An expression ends where its braces balance, over any newlines. `$${` begins none, and neither does a `${` that
    never balances: both stay plain text (Conductor engine reference 4.2).
    """
    if "${" not in text:
        return [text]
    ends = _matching_braces(text)
    pieces: list[Piece] = []
    done = 0
    start = text.find("${")
    while start >= 0:
        end = ends.get(start + 1)
        if end is None or text[start - 1 : start] == "$":
            start = text.find("${", start + 2)
            continue
        if done < start:
            pieces.append(text[done:start])
        pieces.append(Expression(text[start + 2 : end]))
        done = end + 1
        start = text.find("${", done)
    if done < len(text):
        pieces.append(text[done:])
    return pieces


def _matching_braces(text: str) -> dict[int, int]:
    """Return where each balanced `{` closes."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    for brace in _BRACE.finditer(text):
        if brace.group() == "{":
            opened.append(brace.start())
        elif opened:
            ends[opened.pop()] = brace.start()
    return ends
