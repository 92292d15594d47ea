"""What an operator may order. A command is one more input of a decision, so orders move state where everything does."""

from dataclasses import dataclass
from typing import TypeAlias

from fermata.domain.json_value import JsonObject


@dataclass(frozen=True)
class Terminate:
    reason: str | None = None


@dataclass(frozen=True)
class Pause:
    pass


@dataclass(frozen=True)
class Resume:
    pass


@dataclass(frozen=True)
class Restart:
    """`definition_key`: pin this definition from now on; None keeps the one the run began with."""

    definition_key: str | None = None
    definition_version: int | None = None


@dataclass(frozen=True)
class Retry:
    pass


@dataclass(frozen=True)
class Note:
    """Keep what the party that a task waits for says meanwhile. A task that is over keeps what it has."""

    task_id: str
    output: JsonObject
    worker_id: str | None = None


Command: TypeAlias = Terminate | Pause | Resume | Restart | Retry | Note
