"""Do by hand, for one run, what the sweeper does for all."""

from fermata.application.advance import advance
from fermata.application.engine import Engine
from fermata.domain.commands import LookAtAll


def repair(engine: Engine, workflow_id: str) -> bool:
    """Carry out what was decided and not yet done, look at every open task, and tell whether there was anything to do.

    Safe to repeat. Raises `NotFound`.
    """
    stored = engine.executions.load(workflow_id)
    left = stored is not None and stored.outbox is not None
    return advance(engine, workflow_id, command=LookAtAll()).changed or left
