"""The search language: text <-> condition. The union of what Conductor's two kinds of servers read (reference 4).

    expression := term [(AND | OR) expression]          no precedence: `a AND b OR c` is `a AND (b OR c)`
    term       := "(" expression ")" | clause
    clause     := field = value | field != value | field IN (value, ...) | field > number | field < number
                | field BETWEEN number AND number | field IS [NOT] NULL | field STARTS_WITH value
    value      := 'text' | "text" | word                `*` stands for any characters

Words of the language are read in any case. What is read in part is refused as a whole: a search must not show runs nobody asked for.
"""

import re
from functools import reduce

from fermata.domain.errors import InvalidRequest
from fermata.domain.searching.conditions import (
    EVERYTHING,
    WILDCARD,
    Both,
    Condition,
    Either,
    Field,
    Fields,
    IsNull,
    Kind,
    Not,
    OneOf,
    Order,
    StartsWith,
    Value,
    Within,
)

MAX_CHARACTERS = 8000
MAX_CLAUSES = 100
MAX_NESTING = 20
MAX_DIGITS = 18  # fit in 64 bits

_NAME = re.compile(r"[A-Za-z]\w*")
_OPERATOR = re.compile(r"!=|=|[<>](?!=)|(?:IN|BETWEEN|IS|STARTS_WITH)\b", re.IGNORECASE)
_JOIN = re.compile(r"(?:AND|OR)\b", re.IGNORECASE)
_AND = re.compile(r"AND\b", re.IGNORECASE)
_NULL = re.compile(r"(?P<no>NOT\s+)?NULL\b", re.IGNORECASE)
_VALUE = re.compile(r"""'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<word>[^\s()'"=<>!,]+)""")
_LISTED = re.compile(r"""'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<word>[^()'",]*[^()'",\s])""")
_NUMBER = re.compile(rf"[+-]?[0-9]{{1,{MAX_DIGITS}}}")
_OPEN, _CLOSE, _COMMA = re.compile(r"\("), re.compile(r"\)"), re.compile(r",")
_SPACE = re.compile(r"\s*")


def condition_from_text(text: str, fields: Fields) -> Condition:
    """Return what a query asks for; nothing but space asks for everything. Raises `InvalidRequest`, naming the place and what is wrong."""
    if len(text) > MAX_CHARACTERS:
        raise InvalidRequest(f"The query is {len(text)} characters long; at most {MAX_CHARACTERS} are read.")
    reader = _Reader(text, fields)
    if reader.at_end:
        return EVERYTHING
    found = reader.expression(0)
    if not reader.at_end:
        raise reader.refused("AND, OR or the end; a value with spaces needs quotes")
    return found


def order_from_text(text: str, fields: Fields) -> tuple[Order, ...]:
    """Read `field:ASC|field:DESC`; ascending where nothing is said. Raises `InvalidRequest`, naming the entry that is wrong."""
    return tuple(_order(entry.strip(), fields) for entry in text.split("|") if entry.strip())


def _order(entry: str, fields: Fields) -> Order:
    name, _, direction = (part.strip() for part in entry.partition(":"))
    if name not in fields or direction.upper() not in ("", "ASC", "DESC"):
        raise InvalidRequest(f"sort cannot be read at {entry[:40]!r}: write field:ASC or field:DESC with one of {_names(fields)}.")
    return Order(fields[name], direction.upper() == "DESC")


def _names(fields: Fields) -> str:
    return ", ".join(dict.fromkeys(field.name for field in fields.values()))


class _Reader:
    """A place in a query. Each method reads what it is named after and moves on, or raises `InvalidRequest`."""

    def __init__(self, text: str, fields: Fields) -> None:
        self._text = text
        self._fields = fields
        self._at = 0
        self._clauses = 0

    @property
    def at_end(self) -> bool:
        return self._skip_space() == len(self._text)

    def expression(self, nesting: int) -> Condition:
        terms, joins = [self._term(nesting)], []
        while join := self._take(_JOIN):
            joins.append(Both if join[0].upper() == "AND" else Either)
            terms.append(self._term(nesting))
        *before, last = terms
        return reduce(lambda right, pair: pair[1](pair[0], right), zip(reversed(before), reversed(joins), strict=True), last)

    def refused(self, wanted: str) -> InvalidRequest:
        at = self._skip_space()
        found = f"{self._text[at : at + 40]!r}" if at < len(self._text) else "the end"
        return InvalidRequest(f"The query cannot be read at character {at + 1}, at {found}: there should be {wanted}.")

    def _term(self, nesting: int) -> Condition:
        if not self._take(_OPEN):
            return self._clause()
        if nesting == MAX_NESTING:
            raise self.refused(f"no more than {MAX_NESTING} brackets in each other")
        inner = self.expression(nesting + 1)
        self._need(_CLOSE, "AND, OR or a closing bracket; a value with spaces needs quotes")
        return inner

    def _clause(self) -> Condition:
        self._clauses += 1
        if self._clauses > MAX_CLAUSES:
            raise self.refused(f"no more than {MAX_CLAUSES} clauses")
        field = self._field()
        operator = self._need(_OPERATOR, "=, !=, IN, >, <, BETWEEN, IS or STARTS_WITH")[0].upper()
        match operator:
            case "=":
                return OneOf(field, (self._value(field, _VALUE),))
            case "!=":
                return Not(OneOf(field, (self._value(field, _VALUE),)))
            case "IN":
                return OneOf(field, self._listed(field))
            case "IS":
                no = self._need(_NULL, "NULL or NOT NULL")["no"]
                return Not(IsNull(field)) if no else IsNull(field)
            case "STARTS_WITH":
                return StartsWith(field, self._text_of(field))
            case _:
                return self._bounds(field, operator)

    def _field(self) -> Field:
        at = self._skip_space()
        name = self._need(_NAME, f"a clause, such as status = 'FAILED'; fields are {_names(self._fields)}")[0]
        if name not in self._fields:
            self._at = at
            raise self.refused(f"one of the fields {_names(self._fields)}")
        return self._fields[name]

    def _bounds(self, field: Field, operator: str) -> Condition:
        if field.kind is not Kind.NUMBER:
            raise self.refused(f"no {operator} for {field.name}, which is a text; use =, !=, IN or STARTS_WITH")
        first = self._number(_VALUE)
        if operator != "BETWEEN":
            return Within(field, first + 1, None) if operator == ">" else Within(field, None, first - 1)
        self._need(_AND, "AND and the upper bound")
        return Within(field, first, self._number(_VALUE))

    def _listed(self, field: Field) -> tuple[Value, ...]:
        self._need(_OPEN, "a list in brackets, such as (a, b)")
        values = [self._value(field, _LISTED)]
        while self._take(_COMMA):
            values.append(self._value(field, _LISTED))
        self._need(_CLOSE, "a comma or a closing bracket")
        return tuple(dict.fromkeys(values))

    def _value(self, field: Field, pattern: re.Pattern[str]) -> Value:
        if field.kind is Kind.NUMBER:
            return self._number(pattern)
        at = self._skip_space()
        text = self._text_by(pattern)
        if field.allowed and WILDCARD not in text and text.upper() not in field.allowed:
            self._at = at
            raise self.refused(f"one of {', '.join(field.allowed)}")
        return text.upper() if field.allowed else text

    def _text_of(self, field: Field) -> str:
        if field.kind is not Kind.TEXT:
            raise self.refused(f"no STARTS_WITH for {field.name}")
        return self._text_by(_VALUE)

    def _number(self, pattern: re.Pattern[str]) -> int:
        at = self._skip_space()
        text = self._text_by(pattern)
        if not _NUMBER.fullmatch(text):
            self._at = at
            raise self.refused(f"a whole number of at most {MAX_DIGITS} digits; moments are epoch milliseconds")
        return int(text)

    def _text_by(self, pattern: re.Pattern[str]) -> str:
        found = self._need(pattern, "a value, such as 'FAILED'")
        return next(part for part in found.groups() if part is not None)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._text, self._skip_space())
        if found:
            self._at = found.end()
        return found

    def _need(self, pattern: re.Pattern[str], wanted: str) -> re.Match[str]:
        found = self._take(pattern)
        if found is None:
            raise self.refused(wanted)
        return found

    def _skip_space(self) -> int:
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        return self._at
