"""Operators that say what a value is: null, empty, of a type, a UUID, an address, so many bytes."""

import ipaddress
import re
import uuid
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from fermata.domain.airpipe.filters import as_text
from fermata.domain.airpipe.operators.asking import Asked, Operator, Verdict, a_truth, only_true
from fermata.domain.json_value import Json

_SIZE = re.compile(r"(\d{1,15})(?:\.(\d{1,6}))?\s*([kmgt]?i?b?)", re.IGNORECASE)
_UNITS = {"": 1, "b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def _is_null(asked: Asked) -> Verdict:
    if (asked.actual is None) is asked.expected:
        return None
    return f"expected to be null, got {as_text(asked.actual)}" if asked.expected else "expected to not be null"


def _is_not_null(asked: Asked) -> Verdict:
    """`false` says "optional" and checks nothing."""
    return "expected to not be null" if asked.expected and asked.actual is None else None


def _empty(value: Json) -> bool:
    return value in (None, "", [], {})


def _is_not_empty(asked: Asked) -> Verdict:
    return "expected to not be empty" if _empty(asked.actual) else None


def _is_empty(asked: Asked) -> Verdict:
    return None if _empty(asked.actual) else f"expected to be empty, got {as_text(asked.actual)}"


def _is(words: str, holds: Callable[[Json], bool]) -> Operator:
    def operator(asked: Asked) -> Verdict:
        return None if holds(asked.actual) else f"expected {words}, got {as_text(asked.actual)}"

    return Operator(operator, only_true)


def _uuid(value: Json) -> bool:
    try:
        uuid.UUID(value if re.fullmatch(r"[0-9a-fA-F-]{36}", str(value)) else "")
    except ValueError:
        return False
    return True


def _ip(value: Json) -> bool:
    try:
        ipaddress.ip_address(value if isinstance(value, str) else "")
    except ValueError:
        return False
    return True


def _url(value: Json) -> bool:
    try:
        parts = urlsplit(value if isinstance(value, str) else "")
        return bool(parts.scheme and parts.hostname) and not re.search(r"\s", value)
    except ValueError:
        return False


def _size_limit(asked: Asked) -> Verdict:
    limit, size = bytes_of(asked.expected), len(as_text(asked.actual).encode(errors="backslashreplace"))
    return None if limit is not None and size <= limit else f"expected at most {as_text(asked.expected)} bytes, got {size}"


def bytes_of(limit: Json) -> int | None:
    """Return how many bytes a limit is: a number, or a text like `500 KB` (1000 each) or `1 MiB` (1024 each); None: neither."""
    if isinstance(limit, int) and not isinstance(limit, bool):
        return limit
    found = _SIZE.fullmatch(limit.strip()) if isinstance(limit, str) else None
    unit = _UNITS.get(found[3].lower().removesuffix("b")) if found else None
    return None if found is None or unit is None else int(float(f"{found[1]}.{found[2] or 0}") * unit)


def _a_size(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    return "must be a number of bytes, or a text like '500 KB'" if bytes_of(expected) is None else None


KINDS: Mapping[str, Operator] = {
    "is_null": Operator(_is_null, a_truth),
    "is_not_null": Operator(_is_not_null, a_truth),
    "is_not_empty": Operator(_is_not_empty, only_true),
    "is_empty": Operator(_is_empty, only_true),
    "is_uuid": _is("a UUID", _uuid),
    "is_array": _is("a list", lambda value: isinstance(value, list | tuple)),
    "is_object": _is("an object", lambda value: isinstance(value, Mapping)),
    "is_string": _is("a text", lambda value: isinstance(value, str)),
    "is_number": _is("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "is_boolean": _is("true or false", lambda value: isinstance(value, bool)),
    "is_ip": _is("an IP address", _ip),
    "is_url": _is("an address with a scheme and a host", _url),
    "size_limit": Operator(_size_limit, _a_size, "KB is 1000 bytes, KiB 1024; a value's size is that of its compact JSON"),
}
