"""Paths that may lead to many values (`*`, `..`, filters, slices, unions), read by python-jsonpath within a budget."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fermata.domain.json_value import Json

_FILTER_TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | =~\s*/(?:[^/\\]|\\.)*/ | (?P<open>\[) | (?P<close>\]) | [^\[\]'"=]+ | .""",
    re.DOTALL | re.VERBOSE,
)
_ROOT_IN_FILTER = re.compile(r"""\$\s*(?:\.\s*([^\s.\[\]()*=!<>&|,]+) | \[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\])""", re.VERBOSE)


def filter_end(text: str, start: int) -> int | None:
    """Return where the bracket that was opened before `start` ends (behind its `]`), minding strings and patterns; None if it doesn't."""
    depth = 1
    for token in _FILTER_TOKEN.finditer(text, start):
        if token.lastgroup == "open":
            depth += 1
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

    def read(self, documents: Mapping[str, Json]) -> list[Json] | None:
        """Return every value found, in document order; None when looking took more than the budget allows."""
        from fermata.domain.expressions import bounded_jsonpath  # noqa: PLC0415 - see compile_wide

        return bounded_jsonpath.find_all(self.compiled, documents)


def compile_wide(text: str) -> WidePath | None:
    """Compile a path in python-jsonpath's spelling; None when it isn't one, or holds a pattern we can't bound."""
    # Imported here because python-jsonpath costs about 100 ms, which a run without wildcards and filters must not pay.
    from fermata.domain.expressions import bounded_jsonpath  # noqa: PLC0415

    compiled = bounded_jsonpath.compile_path(text)
    return None if compiled is None else WidePath(compiled)
