"""Regular expressions written by others: only those whose worst case can be stated, at that price.

Python's `re` backtracks and can't be interrupted, so `(a+)+$` on thirty characters would hold a function until its timeout.
"""

import re
from dataclasses import dataclass
from math import comb

MAX_PATTERN_CHARACTERS = 200
MAX_CHOICES = 12

_TOKEN = re.compile(
    r"""(?P<back>\\[1-9])
      | (?P<plain>\\. | \[\^?\]?(?:\\.|[^\]\\])*\])
      | (?P<open>\((?:\?:)?)
      | (?P<close>\))
      | (?P<repeat>(?:[*+]|\{[0-9]*,?[0-9]*\})[?+]?)
      | (?P<choice>\?[?+]?|\|)
      | (?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)


class UnsafePattern(ValueError):
    """The pattern's worst case isn't bounded by what we count."""


@dataclass(frozen=True)
class SafePattern:
    """A compiled pattern and how many places in it let the matcher choose."""

    compiled: re.Pattern[str]
    choices: int

    def worst_case(self, subject: str) -> int:
        """Return an upper estimate of the matcher's steps on `subject`: the ways to place `choices` cuts in it."""
        return int(comb(len(subject) + self.choices, self.choices) + 2**self.choices)


def safe_pattern(pattern: str, flags: int = 0) -> SafePattern:
    """Compile `pattern`. Raises `UnsafePattern` when it is long, repeats a group that repeats or branches, refers back or looks around."""
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        raise UnsafePattern(pattern)
    choices = _count_choices(pattern)
    if choices > MAX_CHOICES:
        raise UnsafePattern(pattern)
    try:
        return SafePattern(re.compile(pattern, flags), choices)
    except (re.error, OverflowError, RecursionError) as error:
        raise UnsafePattern(pattern) from error


def _count_choices(pattern: str) -> int:
    total = 0
    opened: list[int] = []  # the total when each open group began
    inside_last_group = 0
    before = ""
    for token in _TOKEN.finditer(pattern):
        kind = token.lastgroup or ""
        special_group = before == "open" and kind in ("repeat", "choice")
        repeats_choices = before == "close" and kind == "repeat" and inside_last_group > 0
        if kind == "back" or special_group or repeats_choices:
            raise UnsafePattern(pattern)
        if kind in ("repeat", "choice"):
            total += 1
        elif kind == "open":
            opened.append(total)
        elif kind == "close" and opened:
            inside_last_group = total - opened.pop()
        before = kind
    return total
