"""Which interface a request is for: method and path, `:name` segments becoming parameters (air pipe reference, 1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar
from urllib.parse import unquote

T = TypeVar("T")


@dataclass(frozen=True)
class Endpoint(Generic[T]):
    """What answers a method on a route."""

    method: str
    route: str
    target: T


@dataclass(frozen=True)
class Matched(Generic[T]):
    target: T
    params: Mapping[str, str]


@dataclass(frozen=True)
class NoRoute:
    """Nothing answers the path."""


@dataclass(frozen=True)
class WrongMethod:
    """Something answers the path, by these methods."""

    allowed: tuple[str, ...]


Routed: TypeAlias = Matched[T] | NoRoute | WrongMethod


def routed(endpoints: Iterable[Endpoint[T]], method: str, path: str) -> Routed[T]:
    """Return what answers the request. A route without parameters wins over one with some."""
    found = [(endpoint, params) for endpoint in endpoints if (params := _params(endpoint.route, path)) is not None]
    if not found:
        return NoRoute()
    fitting = [(endpoint, params) for endpoint, params in found if endpoint.method == method.upper()]
    if not fitting:
        return WrongMethod(tuple(sorted({endpoint.method for endpoint, _ in found})))
    endpoint, params = min(fitting, key=lambda each: len(each[1]))
    return Matched(endpoint.target, params)


def _params(route: str, path: str) -> dict[str, str] | None:
    parts, given = route.strip("/").split("/"), path.strip("/").split("/")
    if len(parts) != len(given):
        return None
    params: dict[str, str] = {}
    for part, text in zip(parts, given, strict=True):
        if part.startswith(":") and text:
            params[part[1:]] = unquote(text)
        elif part != unquote(text):
            return None
    return params
