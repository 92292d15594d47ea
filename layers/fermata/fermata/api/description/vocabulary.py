"""The words in which a route is described for people and for machines. Nothing of OpenAPI's layout: `document` knows that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]  # JSON Schema, 2020-12

OURS = "x-fermata-extension"

JSON, TEXT, HTML = "application/json", "text/plain", "text/html"

WORD: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}
MOMENT: Schema = {"type": "integer", "description": "Epoch milliseconds."}
DATE: Schema = {"type": "string", "format": "date-time"}


def ref(name: str) -> Schema:
    """Return the schema that stands under this name in `shapes`."""
    return {"$ref": f"#/components/schemas/{name}"}


def listed(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def by_name(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def one_of(words: Any) -> Schema:
    """Return a text that is one of these: an enumeration's values, in its order."""
    return {"type": "string", "enum": [str(word) for word in words]}


def each(names: str, schema: Schema) -> dict[str, Schema]:
    """Return the same schema for several names, which blanks separate."""
    return dict.fromkeys(names.split(), schema)


def shape(about: str, properties: Mapping[str, Schema], optional: str = "") -> Schema:
    """Return the schema of an object. `optional` names, with blanks between, the fields that are left out when they have no value."""
    absent = optional.split()
    required = [name for name in properties if name not in absent]
    described = {"description": about} if about else {}
    return {"type": "object", **described, "properties": properties, **({"required": required} if required else {})}


def ours(schema: Schema, about: str = "") -> Schema:
    """Mark what Conductor does not have; its clients ignore it."""
    return {**schema, **({"description": about} if about else {}), OURS: True}


def only(schema: Schema) -> Schema:
    """Mark a body of ours in which fields that are not named here are refused. Conductor's ignore them."""
    return {**ours(schema), "additionalProperties": False}


@dataclass(frozen=True)
class Parameter:
    """A query parameter or a header. `schema` carries default and bounds."""

    name: str
    about: str
    schema: Schema = field(default_factory=lambda: WORD)
    required: bool = False
    place: str = "query"


@dataclass(frozen=True)
class Body:
    about: str
    schema: Schema
    required: bool = True
    content_type: str = JSON


@dataclass(frozen=True)
class Answer:
    """`content_type` None: the body is empty and there is no Content-Type."""

    about: str
    schema: Schema | None = None
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    """One route. `refuses`: what it answers beside what every route may. `ours`: Conductor has no such route.

    `path` tells what a variable of the rule is, where that is not plain from its room.
    """

    id: str
    summary: str
    answers: Mapping[int, Answer]
    about: str = ""
    query: tuple[Parameter, ...] = ()
    body: Body | None = None
    path: Mapping[str, Parameter] = field(default_factory=dict)
    refuses: tuple[int, ...] = ()
    ours: bool = False


@dataclass(frozen=True)
class Room:
    """Routes that belong together: a tag. `operations` by `VERB rule`, as in `roles`; `path`: what the rules' variables are."""

    name: str
    about: str
    operations: Mapping[str, Operation]
    path: Mapping[str, Parameter] = field(default_factory=dict)


def variable(name: str, about: str, schema: Schema = WORD) -> Parameter:
    return Parameter(name, about, schema, required=True, place="path")


def word(name: str, about: str, *, required: bool = False) -> Parameter:
    return Parameter(name, about, WORD, required=required)


def words(name: str, about: str) -> Parameter:
    """Return a parameter that may be repeated; commas separate values too."""
    return Parameter(name, about, listed(WORD))


def flag(name: str, about: str, *, default: bool) -> Parameter:
    return Parameter(name, about, {**FLAG, "default": default})


def number(name: str, about: str, default: int | None = None, least: int | None = None, most: int | None = None) -> Parameter:
    bounds = {"default": default, "minimum": least, "maximum": most}
    return Parameter(name, about, {**WHOLE, **{key: value for key, value in bounds.items() if value is not None}})


def header(name: str, about: str, schema: Schema = WORD) -> Parameter:
    return Parameter(name, about, schema, place="header")


_TAG = "Send it as `If-None-Match` and the answer comes only when it is another. Absent while a decision is being carried out."


def json_once(about: str, schema: Schema) -> Mapping[int, Answer]:
    """Return the answers of what is not sent again while it stands."""
    return {**json(about, schema, ETag=_TAG), 304: Answer("Nothing has moved since that answer.", headers={"ETag": _TAG})}


def json(about: str, schema: Schema, **headers: str) -> Mapping[int, Answer]:
    return {200: Answer(about, schema, JSON, headers)}


def text(about: str) -> Mapping[int, Answer]:
    """Bare text, without quotes: Conductor returns ids so."""
    return {200: Answer(about, WORD, TEXT)}


def empty(about: str = "Done.", **headers: str) -> Mapping[int, Answer]:
    """What Conductor's void operations answer."""
    return {200: Answer(about, headers=headers)}


def nothing(about: str = "Done.") -> Mapping[int, Answer]:
    return {204: Answer(about)}
