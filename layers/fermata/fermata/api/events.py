"""Event handlers, and what came of events (reference 2.6)."""

from fermata.api.http import Reply, Request, Route, answer, done
from fermata.application import event_registry
from fermata.application.engine import Engine
from fermata.domain.errors import InvalidRequest
from fermata.wire import event_handlers as wire

MOST_EXECUTIONS = 100


def add_handlers(engine: Engine, request: Request) -> Reply:
    event_registry.add_handlers(engine, wire.event_handlers_from_json(request.json()))
    return done()


def replace_handler(engine: Engine, request: Request) -> Reply:
    event_registry.replace_handler(engine, wire.event_handler_from_json(request.json()))
    return done()


def remove_handler(engine: Engine, request: Request) -> Reply:
    event_registry.remove_handler(engine, request.path["name"])
    return done()


def list_handlers(engine: Engine, _request: Request) -> Reply:
    return answer([wire.event_handler_to_json(handler) for handler in engine.event_handlers.all()])


def handlers_of_event(engine: Engine, request: Request) -> Reply:
    active_only = request.flag("activeOnly", default=True)
    found = engine.event_handlers.of_event(request.path["event"])
    return answer([wire.event_handler_to_json(handler) for handler in found if handler.active or not active_only])


def executions(engine: Engine, request: Request) -> Reply:
    """What came of an event's messages, newest first. Not in Conductor, where an index has to be asked."""
    size = request.number("size", MOST_EXECUTIONS)
    if not 1 <= size <= MOST_EXECUTIONS:
        raise InvalidRequest(f"size must be between 1 and {MOST_EXECUTIONS}, not {size}.")
    found = engine.event_executions.of_event(request.path["event"], size)
    return answer([wire.event_execution_to_json(execution) for execution in found])


_EVENT = "/api/event"

ROUTES = (
    Route("POST", _EVENT, add_handlers),
    Route("PUT", _EVENT, replace_handler),
    Route("GET", _EVENT, list_handlers),
    Route("DELETE", f"{_EVENT}/<name>", remove_handler),
    Route("GET", f"{_EVENT}/<event>", handlers_of_event),
    Route("GET", f"{_EVENT}/executions/<event>", executions),
)
