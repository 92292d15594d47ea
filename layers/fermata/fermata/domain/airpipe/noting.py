"""What a reader of a configuration notes on its way: what is wrong, by path, and what can be read in more than one way."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from fermata.domain.errors import Violation
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.near_misses import near_misses

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2: what a header's name and a method are made of
_LENGTH = re.compile(r"(\d{1,9})\s*(ms|s|m|h|d)")
_UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
MAX_CODE, MIN_CODE = 599, 100


def is_token(text: str) -> bool:
    """Tell whether a text may be a method or a header's name."""
    return _TOKEN.fullmatch(text) is not None


def _anything(_program: str) -> str | None:
    return None


@dataclass
class Notes:
    """`wrong_program` returns what is wrong with a jq program's syntax, None for a good one."""

    wrong_program: Callable[[str], str | None] = _anything
    violations: list[Violation] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def refuse(self, path: str, message: str) -> None:
        self.violations.append(Violation(path, f"{path}: {message}"))

    def keys(self, value: Json, path: str, known: Collection[str], not_run: Collection[str] = ()) -> JsonObject:
        """Return the map, or an empty one; note each key that is not known, and each that is and that we do not carry out."""
        if not isinstance(value, Mapping):
            self.refuse(path, "must be a map")
            return {}
        for key in value:
            if key in not_run:
                self.refuse(f"{path}.{key}", "is not supported here, and would change what happens if it were left out")
            elif key not in known:
                close = near_misses([str(key)], known)
                self.refuse(f"{path}.{key}", "is no key of Air Pipe" + (f"; did you mean '{close[0][1]}'?" if close else ""))
        return value

    def text(self, given: JsonObject, key: str, path: str) -> str | None:
        """Return a text, None where there is none. Numbers and truths are taken as their text, as YAML's writers mean them."""
        value = given.get(key)
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, Mapping | list):
            self.refuse(f"{path}.{key}", "must be a text")
            return None
        return str(value).lower() if isinstance(value, bool) else str(value)

    def whole(self, given: JsonObject, key: str, path: str, least: int = 0) -> int | None:
        value = given.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 10**12:
            self.refuse(f"{path}.{key}", f"must be a whole number, {least} or more")
            return None
        return value

    def code(self, given: JsonObject, key: str, path: str) -> int | None:
        value = self.whole(given, key, path)
        if value is not None and not MIN_CODE <= value <= MAX_CODE:
            self.refuse(f"{path}.{key}", f"must be an HTTP status, {MIN_CODE} to {MAX_CODE}")
            return None
        return value

    def truth(self, given: JsonObject, key: str, path: str, *, default: bool) -> bool:
        value = given.get(key, default)
        if not isinstance(value, bool):
            self.refuse(f"{path}.{key}", "must be true or false")
            return default
        return value

    def length(self, given: JsonObject, key: str, path: str) -> timedelta | None:
        """Return a span of time: a number of milliseconds, or a text like `3s`, `1h`, `7d`."""
        value = given.get(key)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12:
            return timedelta(milliseconds=value)
        found = _LENGTH.fullmatch(value.strip()) if isinstance(value, str) else None
        if found is None:
            self.refuse(f"{path}.{key}", "must be a span of time like 500ms, 3s, 30m, 1h or 7d")
            return None
        try:
            return timedelta(**{_UNITS[found[2]]: int(found[1])})
        except OverflowError:
            self.refuse(f"{path}.{key}", "is too long a span of time")
            return None

    def texts(self, given: JsonObject, key: str, path: str) -> dict[str, str]:
        """Return a map of texts, such as headers."""
        value = given.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.refuse(f"{path}.{key}", "must be a map of texts")
            return {}
        return {str(name): self.text(value, name, f"{path}.{key}") or "" for name in value}

    def headers(self, given: JsonObject, key: str, path: str) -> dict[str, str]:
        """Return a map of headers. A name that is none is noted, and so is a line break that the author wrote into a value."""
        found = self.texts(given, key, path)
        for name, value in found.items():
            if not is_token(name):
                self.refuse(f"{path}.{key}", f"{name[:40]!r} is no name of a header")
            if "\r" in value.strip() or "\n" in value.strip():
                self.refuse(f"{path}.{key}.{name}", "may not hold a line break")
        return {name: value.strip() for name, value in found.items()}

    def program(self, program: str, path: str) -> None:
        """Note a jq program that cannot be read."""
        wrong = self.wrong_program(program)
        if wrong:
            self.refuse(path, f"is no jq program: {wrong}")
