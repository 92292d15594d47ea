"""Replacing `${...}` in a template by what the run holds (Conductor engine reference, section 4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fermata.domain.expressions.budget import Budget
from fermata.domain.expressions.json_strings import map_strings
from fermata.domain.expressions.paths import Path, parse_path, read_path
from fermata.domain.expressions.scanning import Expression, split
from fermata.domain.expressions.secret_references import SECRETS, disarm, disarm_text, is_secret_reference
from fermata.domain.expressions.stored_text import read_stored
from fermata.domain.expressions.text import text_of
from fermata.domain.json_value import Json, JsonObject

ENVIRONMENT = "workflow.env."
OWN_TASK_ID = "CPEWF_TASK_ID"
MAX_RESULT_CHARACTERS = 32_000_000  # far above any payload: a few hundred bytes of template must not fill the memory


@dataclass(frozen=True)
class Scope:
    """What a template may see.

    `roots` returns the document of a root name ("workflow" or a task reference name), or None when there is none. It is asked only
    for roots that are mentioned and may raise: what it raises passes through. `environment` is the allow-list with its values.
    `own_task_id` None leaves `${CPEWF_TASK_ID}` as it is.
    """

    roots: Callable[[str], JsonObject | None]
    environment: Mapping[str, str] = field(default_factory=dict)
    own_task_id: str | None = None


def resolve(template: Json, scope: Scope) -> Json:
    """Return `template` with every `${...}` in its strings replaced; keys and other values are copied.

    A string that is one expression becomes the value itself, with its type. Embedded in text, a value is written as `text_of` does.
    `$${` is written for a literal `${`. What can't be read, doesn't exist, or would make the whole result larger than
    `MAX_RESULT_CHARACTERS` or cost more than the budget is null.
    `${workflow.secrets.NAME}` stays, for `reveal`; where a *value* holds such text it comes out disarmed (`$${workflow.secrets.NAME}`),
    so that nobody who only supplies data can have a secret filled in.
    """
    return map_strings(template, _Resolution(scope).of_string)


@dataclass(frozen=True)
class _AsIs:
    """Text that this engine leaves for later."""

    text: str


class _Resolution:
    """One call of `resolve`: its scope, how much the result may still grow, and how much work it may still cause."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._budget = Budget()
        self._room = MAX_RESULT_CHARACTERS

    def of_string(self, text: str) -> Json:
        if "${" not in text:
            return text
        pieces = split(text)
        if len(pieces) != 1 or not isinstance(pieces[0], Expression):
            return self._joined(pieces, 0)
        value = self._value(pieces[0], 1)
        if isinstance(value, _AsIs):
            return value.text
        value, size = disarm(value)
        return value if self._fits(size) else None

    def _fits(self, size: int) -> bool:
        self._room -= size
        return self._room >= 0

    def _joined(self, pieces: list[str | Expression], depth: int) -> str | None:
        """Return the text of `pieces`, or None when it doesn't fit."""
        finished: list[str] = []
        run: list[str] = []  # what lies between two pieces left as they are
        for piece in pieces:
            value = piece if isinstance(piece, str) else self._value(piece, depth + 1)
            if isinstance(value, _AsIs):
                finished += _finished(run), value.text
                run = []
                continue
            text = text_of(value)
            if not self._fits(len(text)):
                return None
            run.append(text)
        return "".join([*finished, _finished(run)])

    def _value(self, expression: Expression, depth: int) -> Json:
        if not expression.is_within_limits(depth):
            return None
        content = self._joined(split(expression.content), depth)
        if content is None:
            return None
        if not content.strip():
            return ""
        if content.startswith(SECRETS):
            return _AsIs("${" + content + "}") if is_secret_reference(content) else None
        if content.startswith(ENVIRONMENT):
            return read_stored(content.removeprefix(ENVIRONMENT), self._scope.environment.get, self._budget)
        if content == OWN_TASK_ID:
            return self._scope.own_task_id or _AsIs(expression.text)
        if content in self._scope.environment:
            return self._scope.environment[content]
        path: Path | None = parse_path(content)
        return None if path is None else read_path(path, self._scope.roots, self._budget)


def _finished(run: list[str]) -> str:
    return disarm_text("".join(run).replace("$${", "${"))
