"""The interfaces that are served: registered as workflow definitions, found by method and path."""

from collections.abc import Iterator

from fermata.application.engine import Engine
from fermata.application.register import register_workflow, validate_workflow
from fermata.domain.airpipe.actions import Config
from fermata.domain.airpipe.compiling import ABOUT, compiled, definition_name
from fermata.domain.airpipe.routing import Endpoint, Matched, Routed, routed
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import Conflict


def publish(engine: Engine, config: Config) -> tuple[WorkflowDefinition, ...]:
    """Serve a configuration's interfaces, and no longer those it had before and has no more. Runs keep what they began with.

    Safe to repeat. Raises `Conflict` for a route that another configuration serves.
    """
    definitions = tuple(compiled(interface) for interface in config.interfaces)
    served = {each.name: each for each in registered(engine)}
    for each in definitions:
        other = served.get(each.name)
        if other is not None and other.metadata[ABOUT]["config"] != config.name:
            theirs = other.metadata[ABOUT]
            raise Conflict(f"{theirs['config']} answers {theirs['method']} {theirs['route']} already")
        validate_workflow(engine, each)
    for each in definitions:
        register_workflow(engine, each, overwrite=True)
    for name, each in served.items():
        if each.metadata[ABOUT]["config"] == config.name and name not in {new.name for new in definitions}:
            engine.definitions.delete_workflow(name, each.version)
    return definitions


def registered(engine: Engine) -> Iterator[WorkflowDefinition]:
    """Yield what is served, by name."""
    return (each for each in engine.definitions.list_workflows() if ABOUT in each.metadata)


def find(engine: Engine, method: str, path: str) -> Routed[WorkflowDefinition]:
    """Return what answers a request. One read for a route without parameters."""
    exact = engine.definitions.get_workflow(definition_name(method.upper(), path)) if len(path) < 1000 and ":" not in path else None  # noqa: PLR2004 - a key's length
    if exact is not None and ABOUT in exact.metadata:
        return Matched(exact, {})
    about = [(each.metadata[ABOUT], each) for each in registered(engine)]
    return routed([Endpoint(told["method"], told["route"], each) for told, each in about], method, path)
