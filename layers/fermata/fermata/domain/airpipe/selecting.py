"""How a path picks from JSON: `body.items[0].id`, a leading dot allowed, `count()` for a length (air pipe reference, 3.2)."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from fermata.domain.json_value import Json

_STEP = re.compile(r"count\(\)|\[(\d{1,9})\]|([^.\[\]]+)")


class Missing:
    """There is nothing at that place. Not `null`, which is something."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
Found: TypeAlias = Json | Missing


def pick(value: Found, path: str | None) -> Found:
    """Return what stands at the path, `MISSING` where nothing does. No path: the value itself."""
    for step in _STEP.finditer(path or ""):
        if isinstance(value, Missing):
            return MISSING
        value = _one(value, step)
    return value


def readable(path: str) -> bool:
    """Tell whether a path is nothing but steps."""
    return not _STEP.sub("", path).replace(".", "")


def _one(value: Json, step: re.Match[str]) -> Found:
    if step[0] == "count()":
        return len(value) if isinstance(value, str | Sequence | Mapping) else MISSING
    if step[1] is not None:
        index = int(step[1])
        return value[index] if isinstance(value, list | tuple) and index < len(value) else MISSING
    if isinstance(value, Mapping):
        return value.get(step[2], MISSING)
    if isinstance(value, list | tuple) and step[2].isascii() and step[2].isdigit() and int(step[2]) < len(value):
        return value[int(step[2])]
    return MISSING
