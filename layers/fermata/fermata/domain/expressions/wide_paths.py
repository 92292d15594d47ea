"""Paths that may lead to many values (`*`, `..`, filters, slices, unions), read by python-jsonpath within a budget."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fermata.domain.expressions.budget import Budget
from fermata.domain.json_value import Json

_FILTER_TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | =~\s*/(?:[^/\\]|\\.)*/ | (?P<open>\[) | (?P<close>\]) | [^\[\]'"=]+ | .""",
    re.DOTALL | re.VERBOSE,
)
_ROOT_IN_FILTER = re.compile(r"""\$\s*(?:\.\s*([^\s.\[\]()*=!<>&|,]+) | \[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\])""", re.VERBOSE)


MAX_BRACKETS = 10  # filters within filters; each level costs the library more than the one before


def filter_end(text: str, start: int) -> int | None:
    """Return the end of the bracket opened before `start`, minding strings and patterns; None if it never ends or nests too deep."""
    depth = 1
    for token in _FILTER_TOKEN.finditer(text, start):
        if token.lastgroup == "open":
            depth += 1
            if depth > MAX_BRACKETS:
                return None
        elif token.lastgroup == "close":
            depth -= 1
            if not depth:
                return token.end()
    return None


def roots_in_filter(text: str) -> tuple[str, ...]:
    """Return the root names a filter asks for with `$.name` or `$['name']`."""
    return tuple("".join(groups) for groups in _ROOT_IN_FILTER.findall(text))


@dataclass(frozen=True)
class WidePath:
    """A compiled path. Reading it always gives a list."""

    compiled: Any

    def read(self, documents: Mapping[str, Json], budget: Budget) -> list[Json] | None:
        """Return every value found, in document order; None when looking took more than the budget allows."""
        from fermata.domain.expressions import bounded_jsonpath

        return bounded_jsonpath.find_all(self.compiled, documents, budget)


def compile_wide(text: str) -> WidePath | None:
    """Compile a path in python-jsonpath's spelling; None when it isn't one, or holds a pattern we can't bound."""
    # Imported here because python-jsonpath costs about 100 ms, which a run without wildcards and filters must not pay.
    from fermata.domain.expressions import bounded_jsonpath

    compiled = bounded_jsonpath.compile_path(text)
    return None if compiled is None else WidePath(compiled)
