"""At most one run for an idempotency key (Conductor engine reference, 8.3; the open-source server ignores the key).

The key is given to an id first, in one conditional write, and then the run is made under that id. Who finds a key whose run is not
there makes the run under that id: its owner died in between, or is about to make it and then finds it made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from fermata.application.advance import load
from fermata.application.engine import Engine
from fermata.domain.errors import Conflict, NotFound, TransientError
from fermata.domain.executions import Workflow
from fermata.domain.idempotency import IdempotencyStrategy
from fermata.ports import KeyHolder

TRIES = 8  # each lost race means that another start went through
# After that a key without a run is one whose run was dropped, not one that is just being made. No request lives nearly as long.
MAKING = timedelta(minutes=30)


@dataclass(frozen=True)
class Once:
    """What is to be begun at most once: under which name and key, and as which id. `own`: no other id will do, it is somebody's child."""

    name: str
    key: str
    strategy: IdempotencyStrategy
    workflow_id: str
    own: bool = False


def once(engine: Engine, wanted: Once, begin: Callable[[str], bool]) -> str:
    """Return the id of the run that has the key, begun here or found. `begin` makes a run of an id, and says whether it was it.

    Raises `Conflict` as the strategy says, `TransientError` when other starts with the key kept winning.
    """
    name, key, strategy = wanted.name, wanted.key, wanted.strategy
    mine = KeyHolder(wanted.workflow_id, engine.clock.now())
    holder = engine.executions.hold_key(name, key, mine)
    for _ in range(TRIES):
        if holder.workflow_id == mine.workflow_id:
            begin(mine.workflow_id)
            return mine.workflow_id
        run = _run(engine, holder.workflow_id)
        if run is None and engine.clock.now() - holder.since < MAKING:
            if wanted.own:
                raise TransientError(f"Workflow {holder.workflow_id} of {name} is being started with the same idempotency key; try again")
            if begin(holder.workflow_id):
                return holder.workflow_id
        elif run is None or (strategy is IdempotencyStrategy.FAIL_ON_RUNNING and run.status.terminal):
            holder = engine.executions.hold_key(name, key, mine, instead_of=holder)
        elif strategy is IdempotencyStrategy.RETURN_EXISTING:
            return run.workflow_id
        else:
            raise Conflict(f"Workflow {run.workflow_id} of {name} has the idempotency key {key[:100]!r} and is {run.status}")
    raise TransientError(f"Other starts of {name} with the same idempotency key are under way; try again")


def _run(engine: Engine, workflow_id: str) -> Workflow | None:
    try:
        return load(engine, workflow_id).workflow
    except NotFound:
        return None
