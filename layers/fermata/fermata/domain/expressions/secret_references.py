"""`${workflow.secrets.NAME}`: what stays text until the moment of a call, and who may write it.

Only a definition can ask for a secret. Text of this form that comes in with data (a workflow's input, a vendor's answer) gets one more
`$` when it is substituted, and loses it again when secrets are revealed: the data arrives unchanged, and no secret with it.
"""

import re
from collections.abc import Callable, Iterator

from fermata.domain.expressions.budget import Budget
from fermata.domain.expressions.json_strings import map_strings, scalars, strings
from fermata.domain.expressions.stored_text import read_stored, stored_name
from fermata.domain.expressions.text import text_of
from fermata.domain.json_value import Json

SECRETS = "workflow.secrets."

_OPENING = "{" + SECRETS
_ARMED = re.compile(r"(\$+)(?=\{workflow\.secrets\.)")
_REFERENCE = re.compile(r"(?P<dollars>\$+)\{workflow\.secrets\.(?:(?P<reference>[^{}$]*)\})?")


def is_secret_reference(content: str) -> bool:
    """Tell whether `reveal` will see `${content}` as exactly one reference."""
    return _REFERENCE.fullmatch("${" + content + "}") is not None


def secret_names(value: Json) -> Iterator[str]:
    """Yield the name of each secret that a definition's JSON asks for, as often as it does."""
    for text in strings(value):
        for found in _REFERENCE.finditer(text) if _OPENING in text else ():
            name = stored_name(found["reference"] or "") if found["dollars"] == "$" else None
            if name is not None:
                yield name


def disarm_text(text: str) -> str:
    return _ARMED.sub(r"$\1", text) if _OPENING in text else text


def disarm(value: Json) -> tuple[Json, int]:
    """Return `value` with every secret reference in it disarmed, and about how many characters it takes. Shares what it needn't change."""
    if isinstance(value, str):
        return disarm_text(value), len(value)
    size = 0
    armed = False
    for scalar in scalars(value):
        size += len(scalar) if isinstance(scalar, str) else 4
        armed = armed or (isinstance(scalar, str) and _OPENING in scalar)
    return (map_strings(value, disarm_text) if armed else value), size


def reveal(value: Json, lookup: Callable[[str], str | None]) -> Json:
    """Return `value`, which `resolve` made, with its secrets filled in. Never store, log or show the result.

    A whole string becomes the secret, or what `.jsonpath` finds in it; embedded, its text. A secret that doesn't exist is null,
    embedded nothing. What `lookup` raises passes through.
    """
    budget = Budget()

    def fill(text: str) -> Json:
        if _OPENING not in text:
            return text
        whole = _REFERENCE.fullmatch(text)
        if whole and whole["reference"] is not None and whole["dollars"] == "$":
            return read_stored(whole["reference"], lookup, budget)
        return _REFERENCE.sub(embed, text)

    def embed(found: re.Match[str]) -> str:
        if found["dollars"] != "$":
            return found.group()[1:]
        if found["reference"] is None:
            return found.group()
        secret = read_stored(found["reference"], lookup, budget)
        return "" if secret is None else text_of(secret)

    return map_strings(value, fill)
