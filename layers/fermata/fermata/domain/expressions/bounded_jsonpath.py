"""python-jsonpath with a budget and without what a stranger's path must not have. Imported only when such a path is first met.

The one third-party import of the domain: JSONPath filters are a language of their own, and the library is pure (no I/O, no clock).
Its hooks (`compare`, `getitem`) are given no context, so the budget of the reading in progress lies in a context variable.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar

from jsonpath import CompoundJSONPath, JSONPath, JSONPathEnvironment, JSONPathMatch
from jsonpath.exceptions import JSONPathSyntaxError
from jsonpath.filter import BaseExpression, FilterExpressionLiteral
from jsonpath.function_extensions import Count, Length, Value
from jsonpath.parse import Parser
from jsonpath.segments import JSONPathChildSegment, JSONPathRecursiveDescentSegment, JSONPathSegment
from jsonpath.selectors import IndexSelector, JSONPathSelector, NameSelector
from jsonpath.stream import TokenStream
from jsonpath.token import TOKEN_RE_FLAGS

from fermata.domain.expressions.budget import Budget
from fermata.domain.expressions.json_strings import scalars
from fermata.domain.expressions.safe_regex import SafePattern, UnsafePattern, safe_pattern
from fermata.domain.json_value import Json

VISIT = 250  # visiting a value costs the library some 5 us, in units of the budget

_budget: ContextVar[Budget] = ContextVar("jsonpath_budget")


def _spend_for(selectors: tuple[JSONPathSelector, ...], node: JSONPathMatch) -> None:
    size = len(node.obj) if isinstance(node.obj, Mapping | list | tuple) else 0
    wide = sum(not isinstance(selector, NameSelector | IndexSelector) for selector in selectors)
    _budget.get().spend(VISIT * (1 + len(selectors) + wide * size))


class _ChildSegment(JSONPathChildSegment):
    def resolve(self, nodes: Iterable[JSONPathMatch]) -> Iterable[JSONPathMatch]:
        return super().resolve(self._paid(nodes))

    def _paid(self, nodes: Iterable[JSONPathMatch]) -> Iterator[JSONPathMatch]:
        for node in nodes:
            _spend_for(self.selectors, node)
            yield node


class _DescentSegment(JSONPathRecursiveDescentSegment):
    def _visit(self, node: JSONPathMatch, depth: int = 1) -> Iterable[JSONPathMatch]:
        _spend_for(self.selectors, node)
        return super()._visit(node, depth)


class _Parser(Parser):
    def parse_query(self, stream: TokenStream) -> Iterable[JSONPathSegment]:
        for segment in super().parse_query(stream):
            kind = _ChildSegment if isinstance(segment, JSONPathChildSegment) else _DescentSegment
            yield kind(env=segment.env, token=segment.token, selectors=segment.selectors)

    def parse_regex(self, stream: TokenStream) -> BaseExpression:
        token = stream.current()
        flags = 0
        if stream.peek().kind == TOKEN_RE_FLAGS:
            stream.next()
            for letter in stream.next().value:
                flags |= int(self.RE_FLAG_MAP[letter])
        try:
            return _Pattern(value=safe_pattern(token.value, flags))
        except UnsafePattern as error:
            raise JSONPathSyntaxError("this pattern may take too long", token=token) from error


class _Pattern(FilterExpressionLiteral[SafePattern]):
    """A regular expression in a filter, with its price."""


class _Environment(JSONPathEnvironment):
    parser_class = _Parser

    def setup_function_extensions(self) -> None:
        # Without match() and search(): they take patterns from the document, which nobody has looked at.
        self.function_extensions.update(length=Length(), count=Count(), value=Value())

    def compare(self, left: object, operator: str, right: object) -> bool:
        _budget.get().spend(VISIT + _weight(left) + _weight(right))
        if operator != "=~":
            return super().compare(left, operator, right)
        if not isinstance(left, str) or not isinstance(right, SafePattern):
            return False
        _budget.get().spend(right.worst_case(left))
        return right.compiled.fullmatch(left) is not None  # Jayway matches the whole text


def _weight(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    return VISIT * sum(1 for _ in scalars(value)) if isinstance(value, Mapping | list | tuple) else 1


_ENVIRONMENT = _Environment()


def compile_path(text: str) -> JSONPath | CompoundJSONPath | None:
    """Return the compiled path, or None when the library can't read it."""
    try:
        return _ENVIRONMENT.compile(text)
    # Beyond its own errors the library lets through ValueError, OverflowError, AssertionError, re.error, RecursionError...
    # on hostile text. Whatever it is: the path isn't readable, which by Conductor's rule is no error.
    except Exception:  # noqa: BLE001
        return None


def find_all(path: JSONPath | CompoundJSONPath, documents: Mapping[str, Json], budget: Budget) -> list[Json] | None:
    """Return all values found, or None when the budget was spent or the path can't be applied (a filter comparing the uncomparable)."""
    token = _budget.set(budget)
    try:
        return path.findall(dict(documents))
    except Exception:  # noqa: BLE001 - as above; the documents are plain values by now, so nothing of a caller's passes through here
        return None
    finally:
        _budget.reset(token)
