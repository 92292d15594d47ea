"""What a route is given and what it gives back, free of any gateway's or framework's words."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fermata.application.engine import Engine
from fermata.domain.access import Admitted, Authorization, Role
from fermata.domain.errors import Forbidden, InvalidRequest
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.operations import Order
from fermata.wire.bodies import parse, text

JSON = "application/json"
TEXT = "text/plain;charset=UTF-8"

# As Spring reads booleans; Python's SDK sends `True`.
_FLAGS = dict.fromkeys(("true", "on", "yes", "1"), True) | dict.fromkeys(("false", "off", "no", "0"), False)
_LONGEST_NUMBER = 18  # digits that fit in 64 bits


@dataclass(frozen=True)
class Request:
    """`path` holds the decoded variables of the route, `query` every value of each parameter. An empty value means the default."""

    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    caller: Admitted = field(default_factory=lambda: Admitted(Authorization.NONE, Role.READER))  # the route's own need is met

    def require(self, role: Role, what: str) -> None:
        """Raises `Forbidden` when `what` takes more than the route itself does and more than the caller has."""
        if not self.caller.role.includes(role):
            raise Forbidden(f"{what} takes the role {role}; this key is of the role {self.caller.role}.")

    def order(self, reason: str | None = None) -> Order:
        """Return who wants this done, and why: `reason`, else the query parameter of that name."""
        return Order(self.caller.by or "local", reason or self.word("reason"))

    def word(self, name: str) -> str | None:
        """Return the first value of a query parameter, None when it is absent or empty."""
        values = self.query.get(name, ())
        return values[0] or None if values else None

    def words(self, name: str) -> list[str]:
        """Return every value of a repeatable parameter; commas separate values too."""
        return [word for value in self.query.get(name, ()) for word in value.split(",") if word]

    def flag(self, name: str, *, default: bool) -> bool:
        """Raises `InvalidRequest` for anything but true or false."""
        word = self.word(name)
        if word is None:
            return default
        if word.lower() not in _FLAGS:
            raise InvalidRequest(f"The query parameter {name} must be true or false.")
        return _FLAGS[word.lower()]

    def number(self, name: str, default: int) -> int:
        """Raises `InvalidRequest` for anything but a whole number."""
        word = self.word(name)
        return default if word is None else whole_number(f"The query parameter {name}", word)

    def optional_number(self, name: str) -> int | None:
        word = self.word(name)
        return None if word is None else whole_number(f"The query parameter {name}", word)

    def json(self) -> Json:
        """Return the body. Raises `InvalidRequest` when it is empty or not JSON."""
        if not self.body:
            raise InvalidRequest("The body is empty; send JSON.")
        return parse(self.body)

    def json_object(self) -> JsonObject:
        """Return the body, `{}` when there is none. Raises `InvalidRequest` when it is anything but an object."""
        value = parse(self.body) if self.body else {}
        if not isinstance(value, dict):
            raise InvalidRequest("The body must be a JSON object.")
        return value


@dataclass(frozen=True)
class Reply:
    """`content_type` None: there is no body."""

    status: int
    body: str = ""
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[Engine, Request], Reply]


class Route(NamedTuple):
    """`rule` names its variables as `<name>`; a variable never spans a slash. Fixed rules win over rules with variables."""

    method: str
    rule: str
    handler: Handler

    def matches(self, path: str) -> bool:
        return re.fullmatch(re.sub(r"<\w+>", "[^/]+", self.rule), path) is not None


def whole_number(what: str, digits: str) -> int:
    """Raises `InvalidRequest`, saying `what` must be a whole number."""
    if not re.fullmatch(rf"\s*[+-]?[0-9]{{1,{_LONGEST_NUMBER}}}\s*", digits):
        raise InvalidRequest(f"{what} must be a whole number, not {digits[:40]!r}.")
    return int(digits)


def answer(value: Json) -> Reply:
    """Return a JSON answer."""
    return Reply(200, text(value), JSON)


def words(content: str) -> Reply:
    """Return bare text, as Conductor returns ids."""
    return Reply(200, content, TEXT)


def done() -> Reply:
    """Return what Conductor's void operations return."""
    return Reply(200)


def nothing() -> Reply:
    """Return 204, as a few operations do."""
    return Reply(204)
