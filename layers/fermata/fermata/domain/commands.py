"""What an operator may order. A command is one more input of a decision, so orders move state where everything does."""

from dataclasses import dataclass
from typing import TypeAlias


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


Command: TypeAlias = Terminate | Pause | Resume | Restart | Retry
