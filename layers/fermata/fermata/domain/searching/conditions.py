"""A search's condition as a closed union, and the fields it may speak of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Kind(Enum):
    TEXT = "text"  # compared as a whole, `*` standing for anything
    NUMBER = "number"  # also moments, in epoch milliseconds
    CONTENT = "content"  # long text, compared by what it contains, in any case


class Unknown(Enum):
    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN  # what who tells facts does not know: an index holds some fields only


@dataclass(frozen=True)
class Several:
    """The values of a field that has any number of them. A comparison holds where it holds for one. `complete` False: there may be more."""

    values: tuple[str, ...]
    complete: bool = True


Value: TypeAlias = str | int
Fact: TypeAlias = str | int | Several | None
Facts: TypeAlias = Callable[[str], Fact | Unknown]  # by a field's name


@dataclass(frozen=True)
class Field:
    """`absent`: what a comparison takes a missing value for; None: nothing compares with it. `allowed`: the only values there are."""

    name: str
    kind: Kind
    absent: Value | None = None
    allowed: tuple[str, ...] = ()


Fields: TypeAlias = Mapping[str, Field]  # by the names a query may use


@dataclass(frozen=True)
class Everything:
    pass


@dataclass(frozen=True)
class OneOf:
    """The field is one of these. In a text, `*` stands for any characters."""

    field: Field
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Within:
    """The number is between two bounds, which belong to it. None: no bound."""

    field: Field
    low: int | None
    high: int | None


@dataclass(frozen=True)
class StartsWith:
    field: Field
    prefix: str


@dataclass(frozen=True)
class IsNull:
    field: Field


@dataclass(frozen=True)
class Not:
    condition: "Condition"


@dataclass(frozen=True)
class Both:
    left: "Condition"
    right: "Condition"


@dataclass(frozen=True)
class Either:
    left: "Condition"
    right: "Condition"


Condition: TypeAlias = Everything | OneOf | Within | StartsWith | IsNull | Not | Both | Either

EVERYTHING = Everything()
WILDCARD = "*"


@dataclass(frozen=True)
class Order:
    field: Field
    descending: bool = False
