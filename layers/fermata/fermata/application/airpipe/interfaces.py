"""The interfaces that are served: registered as workflow definitions, found by method and path."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fermata.application.engine import Engine
from fermata.application.register import register_workflow, validate_workflow
from fermata.domain.airpipe.actions import Config
from fermata.domain.airpipe.compiling import ABOUT, PREFIX, compiled, definition_name
from fermata.domain.airpipe.reading import read_config
from fermata.domain.airpipe.routing import Endpoint, Matched, Routed, routed
from fermata.domain.definitions import WorkflowDefinition
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.json_value import Json
from fermata.domain.questions import Evaluate, Language
from fermata.wire import records


@dataclass(frozen=True)
class Published:
    """`served`: a configuration's interfaces as they are stored. `changed`, `withdrawn`: names of those that are not as before, or gone."""

    served: tuple[WorkflowDefinition, ...]
    changed: tuple[str, ...]
    withdrawn: tuple[str, ...]


def read(engine: Engine, value: Json) -> Config:
    """Return the configuration that a file's values tell. Raises `InvalidRequest` with everything that is wrong."""

    def wrong_program(program: str) -> str | None:
        return engine.evaluator.syntax_error(Evaluate(Language.JQ, program, "null")) if program else "it is empty"

    return read_config(value, wrong_program)


def publish(engine: Engine, config: Config) -> Published:
    """Serve a configuration's interfaces, and no longer those it had before and has no more. Runs keep what they began with.

    An interface that changed is the next version of its definition; one that did not stays as it is. Safe to repeat. Raises `Conflict` for
    a route that another configuration serves.
    """
    before = {each.name: each for each in registered(engine)}
    wanted = tuple(_next_version(compiled(interface), before) for interface in config.interfaces)
    for each in wanted:
        other = before.get(each.name)
        if other is not None and _config(other) != config.name:
            theirs = other.metadata[ABOUT]
            raise Conflict(f"{theirs['config']} answers {theirs['method']} {theirs['route']} already")
        validate_workflow(engine, each)
    changed = tuple(each for each in wanted if each is not before.get(each.name))
    for each in changed:
        register_workflow(engine, each, overwrite=True)
    withdrawn = _forget(engine, config.name, wanted)
    served = tuple(each for each in registered(engine) if _config(each) == config.name)
    return Published(served, tuple(each.name for each in changed), withdrawn)


def withdraw(engine: Engine, config: str) -> tuple[str, ...]:
    """Serve a configuration's interfaces no longer, and return their names. Runs go on. Raises `NotFound` when nothing of it is served."""
    names = _forget(engine, config, ())
    if not names:
        raise NotFound(f"No interface of the configuration {config} is served.")
    return names


def registered(engine: Engine) -> Iterator[WorkflowDefinition]:
    """Yield what is served, by name: the newest version of each."""
    newest = {each.name: each for each in _every_version(engine)}
    yield from newest.values()


def find(engine: Engine, method: str, path: str) -> Routed[WorkflowDefinition]:
    """Return what answers a request. One read for a route without parameters."""
    exact = engine.definitions.get_workflow(definition_name(method.upper(), path)) if len(path) < 1000 and ":" not in path else None  # noqa: PLR2004 - a key's length
    if exact is not None and ABOUT in exact.metadata:
        return Matched(exact, {})
    about = [(each.metadata[ABOUT], each) for each in registered(engine)]
    return routed([Endpoint(told["method"], told["route"], each) for told, each in about], method, path)


def _every_version(engine: Engine) -> Iterable[WorkflowDefinition]:
    return (each for each in engine.definitions.list_workflows(PREFIX) if ABOUT in each.metadata)


def _next_version(definition: WorkflowDefinition, before: dict[str, WorkflowDefinition]) -> WorkflowDefinition:
    """Return the definition as the version after the one that is served; that one itself when it says the same."""
    there = before.get(definition.name)
    if there is None:
        return definition
    return there if _content(there) == _content(definition) else replace(definition, version=there.version + 1)


def _content(definition: WorkflowDefinition) -> bytes:
    return records.dump(replace(definition, version=1, create_time=0, update_time=0))


def _forget(engine: Engine, config: str, served: Sequence[WorkflowDefinition]) -> tuple[str, ...]:
    """Drop what a configuration serves no more, and of what it serves every version before the last but one.

    A request that found the last but one may still be on its way to start it. Return the names that are gone.
    """
    kept = {each.name: each.version - 1 for each in served}
    stale = [each for each in _every_version(engine) if _config(each) == config and each.version < kept.get(each.name, each.version + 1)]
    for each in stale:
        engine.definitions.delete_workflow(each.name, each.version)
    return tuple(sorted({each.name for each in stale} - set(kept)))


def _config(definition: WorkflowDefinition) -> str:
    return str(definition.metadata[ABOUT]["config"])
