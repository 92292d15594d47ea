"""What a template mentions, read without running it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fermata.domain.expressions.json_strings import strings
from fermata.domain.expressions.paths import parse_path
from fermata.domain.expressions.resolving import ENVIRONMENT, OWN_TASK_ID
from fermata.domain.expressions.scanning import Expression, split
from fermata.domain.expressions.secret_references import SECRETS
from fermata.domain.json_value import Json

_ROOT = re.compile(r"(?:\$\.)?([^\s.\[\]()*$]+)(?=[.\[])")


@dataclass(frozen=True)
class Mention:
    """One `${...}`: its text, the roots it reads, and whether it is readable at all.

    An expression with another inside is taken to be readable, and its root is known only if it stands before the inner one.
    """

    text: str
    roots: tuple[str, ...]
    readable: bool


def references(template: Json) -> frozenset[str]:
    """Return the root names ("workflow", task reference names) that `template` mentions anywhere, nested expressions included."""
    return frozenset(root for mention in mentions(template) for root in mention.roots)


def mentions(template: Json) -> Iterator[Mention]:
    """Yield every expression in the strings of `template`, outer before inner."""
    for text in strings(template):
        yield from _in_text(text, 1)


def _in_text(text: str, depth: int) -> Iterator[Mention]:
    for piece in split(text):
        if isinstance(piece, Expression):
            if not piece.is_within_limits(depth):
                yield Mention(piece.text, (), readable=False)
                continue
            inner = split(piece.content)
            yield _mention(piece, inner)
            if any(isinstance(part, Expression) for part in inner):
                yield from _in_text(piece.content, depth + 1)


def _mention(expression: Expression, inner: list[str | Expression]) -> Mention:
    content = expression.content
    if any(isinstance(part, Expression) for part in inner):
        start = _ROOT.match(inner[0]) if isinstance(inner[0], str) else None
        return Mention(expression.text, (start[1],) if start else (), readable=True)
    if not content.strip() or content == OWN_TASK_ID:
        return Mention(expression.text, (), readable=True)
    for prefix in (SECRETS, ENVIRONMENT):
        if content.startswith(prefix):
            return Mention(expression.text, (), readable=parse_path(content.removeprefix(prefix)) is not None)
    path = parse_path(content)
    return Mention(expression.text, path.roots if path else (), readable=path is not None)
