"""`NAME` or `NAME.jsonpath` over named texts, for environment values and secrets (Conductor engine reference 4.5)."""

import json
from collections.abc import Callable

from fermata.domain.expressions.budget import Budget
from fermata.domain.expressions.paths import parse_path, read_path
from fermata.domain.json_value import Json


def read_stored(reference: str, lookup: Callable[[str], str | None], budget: Budget) -> Json:
    """Return the text called NAME, or what the path finds when that text is read as JSON; None when anything is missing."""
    path = parse_path(reference)
    if path is None:
        return None
    name = path.roots[0]
    stored = lookup(name)
    if stored is None or (not path.steps and path.wide is None):
        return stored
    try:
        document = json.loads(stored)
    except (ValueError, RecursionError):
        return None
    return read_path(path, lambda root: document if root == name else None, budget)


def stored_name(reference: str) -> str | None:
    """Return the name of the text that a reference reads from, None when it is no reference."""
    path = parse_path(reference)
    return path.roots[0] if path else None
