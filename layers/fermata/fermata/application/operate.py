"""An operator's orders to one run. Each raises `NotFound` for an unknown run, `Conflict` when the order does not fit its status."""

from fermata.application.advance import advance, load
from fermata.application.engine import Engine
from fermata.application.start import pinnable
from fermata.domain.commands import Pause, Restart, Resume, Retry, Terminate
from fermata.domain.errors import NotFound


def terminate(engine: Engine, workflow_id: str, reason: str | None) -> None:
    """End the run as TERMINATED. A TERMINATED one stays as it is."""
    advance(engine, workflow_id, command=Terminate(reason))


def pause(engine: Engine, workflow_id: str) -> None:
    """Schedule nothing new until resumed. What runs goes on."""
    advance(engine, workflow_id, command=Pause())


def resume(engine: Engine, workflow_id: str) -> None:
    """Go on. The clock of the run's own timeout starts anew."""
    advance(engine, workflow_id, command=Resume())


def restart(engine: Engine, workflow_id: str, *, use_latest_definitions: bool) -> None:
    """Run a finished run again from its start, with the same id and input."""
    if not use_latest_definitions:
        advance(engine, workflow_id, command=Restart())
        return
    name = load(engine, workflow_id).workflow.workflow_name
    latest = engine.definitions.get_workflow(name)
    if latest is None:
        raise NotFound(f"No such workflow found by name: {name}")
    key = engine.definitions.pin(pinnable(engine, latest))
    advance(engine, workflow_id, command=Restart(key, latest.version))


def retry(engine: Engine, workflow_id: str) -> None:
    """Try again what failed in a finished run."""
    advance(engine, workflow_id, command=Retry())
