"""An operator's orders to one run. Each raises `NotFound` for an unknown run, `Conflict` when the order does not fit its status.

What an `order` changes is written down in the run, with who gave it; without one, as when an event acts, nothing is.
"""

from fermata.application import families
from fermata.application.advance import advance, load
from fermata.application.engine import Engine
from fermata.application.start import pinnable
from fermata.domain.commands import LookAtAll, Pause, Rerun, ResetCallbacks, Restart, Resume, Retry, Skip, Terminate, UpdateVariables
from fermata.domain.errors import InvalidRequest, NotFound
from fermata.domain.json_value import JsonObject
from fermata.domain.operations import Operation, Order, Verb, operation


def terminate(engine: Engine, workflow_id: str, reason: str | None, order: Order | None = None) -> None:
    """End the run as TERMINATED. A TERMINATED one stays as it is."""
    advance(engine, workflow_id, command=Terminate(reason), operation=_noted(engine, order, workflow_id, Verb.TERMINATE))


def pause(engine: Engine, workflow_id: str, order: Order | None = None) -> None:
    """Schedule nothing new until resumed. What runs goes on."""
    advance(engine, workflow_id, command=Pause(), operation=_noted(engine, order, workflow_id, Verb.PAUSE))


def resume(engine: Engine, workflow_id: str, order: Order | None = None) -> None:
    """Go on. The clock of the run's own timeout starts anew."""
    advance(engine, workflow_id, command=Resume(), operation=_noted(engine, order, workflow_id, Verb.RESUME))


def restart(engine: Engine, workflow_id: str, *, use_latest_definitions: bool, order: Order | None = None) -> None:
    """Run a finished run again from its start, with the same id and input."""
    command = _with_latest_definition(engine, workflow_id) if use_latest_definitions else Restart()
    advance(engine, workflow_id, command=command, operation=_noted(engine, order, workflow_id, Verb.RESTART))
    families.revive_ancestors(engine, workflow_id)


def _with_latest_definition(engine: Engine, workflow_id: str) -> Restart:
    name = load(engine, workflow_id).workflow.workflow_name
    latest = engine.definitions.get_workflow(name)
    if latest is None:
        raise NotFound(f"No such workflow found by name: {name}")
    key = engine.definitions.pin(pinnable(engine, latest))
    return Restart(key, latest.version)


def retry(engine: Engine, workflow_id: str, *, resume_subworkflows: bool = False, order: Order | None = None) -> None:
    """Try again what was unsuccessful in a finished run, inside its children where asked, and let the runs above it wait for it again."""
    noted = _noted(engine, order, workflow_id, Verb.RETRY)
    if resume_subworkflows:
        families.retry_with_children(engine, workflow_id, noted)
    else:
        advance(engine, workflow_id, command=Retry(), operation=noted)
    families.revive_ancestors(engine, workflow_id)


def rerun(engine: Engine, workflow_id: str, command: Rerun, order: Order | None = None) -> None:
    """Run a finished run again, from its start or from one of its tasks. Also raises `InvalidRequest`: it has no such task.

    A task of a run that stands in it, at any depth, is run again there, and the runs above it go on.
    """
    inside = families.descendant_with(engine, workflow_id, command.from_task) if command.from_task else None
    if inside is not None and (command.workflow_input is not None or command.correlation_id is not None):
        raise InvalidRequest(f"Task {command.from_task} belongs to workflow {inside}; rerun that one to give it another input")
    moved = inside or workflow_id
    reference = _reference_of(engine, moved, command.from_task) if order and command.from_task else None
    advance(engine, moved, command=command, operation=_noted(engine, order, moved, Verb.RERUN, reference))
    families.revive_ancestors(engine, moved)


def skip(engine: Engine, workflow_id: str, command: Skip, order: Order | None = None) -> None:
    """Let a running run jump over a task that was not scheduled yet. Also raises `NotFound` for an unknown task."""
    noted = _noted(engine, order, workflow_id, Verb.SKIP, command.reference_name)
    advance(engine, workflow_id, command=command, operation=noted)


def update_variables(engine: Engine, workflow_id: str, values: JsonObject) -> None:
    """Set some of the variables of a run that is not over."""
    advance(engine, workflow_id, command=UpdateVariables(values))


def reset_callbacks(engine: Engine, workflow_id: str) -> None:
    """Start delayed attempts now."""
    advance(engine, workflow_id, command=ResetCallbacks())


def look_at_all(engine: Engine, workflow_id: str) -> None:
    """Bring the run as far as it can go, looking at each of its open tasks. Its cost grows with their number."""
    advance(engine, workflow_id, command=LookAtAll())


def _noted(engine: Engine, order: Order | None, workflow_id: str, verb: Verb, reference: str | None = None) -> Operation | None:
    return operation(order, workflow_id, verb, engine.clock.now(), reference) if order else None


def _reference_of(engine: Engine, workflow_id: str, task_id: str) -> str | None:
    task = engine.executions.load_tasks(workflow_id, (task_id,)).get(task_id)
    return task.task_reference_name if task else None
