"""Register event handlers."""

from collections.abc import Sequence

from fermata.application.engine import Engine
from fermata.application.register import VALIDATION_FAILED
from fermata.domain.errors import Conflict, InvalidRequest, NotFound, Violation
from fermata.domain.event_handlers import EventHandler
from fermata.domain.event_validation import handler_violations
from fermata.domain.questions import Evaluate, Language


def add_handlers(engine: Engine, handlers: Sequence[EventHandler]) -> None:
    """Store handlers. Raises `InvalidRequest`, storing none, when one is wrong; `Conflict` at the first whose name is taken."""
    for handler in handlers:
        _validate(engine, handler)
    for handler in handlers:
        if not engine.event_handlers.add(handler):
            raise Conflict(f"EventHandler with name {handler.name} already exists!")


def replace_handler(engine: Engine, handler: EventHandler) -> None:
    """Replace a handler. Raises `InvalidRequest` when it is wrong, `NotFound` when there is none of the name."""
    _validate(engine, handler)
    if not engine.event_handlers.replace(handler):
        raise _unknown(handler.name)


def remove_handler(engine: Engine, name: str) -> None:
    """Raises `NotFound` when there is none."""
    if not engine.event_handlers.remove(name):
        raise _unknown(name)


def _validate(engine: Engine, handler: EventHandler) -> None:
    found = handler_violations(handler)
    wrong = engine.evaluator.syntax_error(Evaluate(Language.JAVASCRIPT, handler.condition, "null")) if handler.condition else None
    if wrong:
        message = f"condition of event handler {handler.name} is not valid javascript: {wrong}"
        found = (*found, Violation("condition", message, (handler.condition or "")[:200]))
    if found:
        raise InvalidRequest(VALIDATION_FAILED, found)


def _unknown(name: str) -> NotFound:
    return NotFound(f"EventHandler with name {name} not found!")
