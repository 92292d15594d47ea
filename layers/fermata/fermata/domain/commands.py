"""What an operator may order. A command is one more input of a decision, so orders move state where everything does."""

from dataclasses import dataclass, field
from datetime import datetime
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
    """`resume_subworkflows`: wait for the children that there are, which go on themselves, instead of starting new ones."""

    resume_subworkflows: bool = False


@dataclass(frozen=True)
class Note:
    """Keep what the party that a task waits for says meanwhile. A task that is over keeps what it has."""

    task_id: str
    output: JsonObject
    worker_id: str | None = None


@dataclass(frozen=True)
class Accept:
    """A door has carried out a task that an outside party ends (`asyncComplete`): keep what came back and wait. Safe to repeat."""

    task_id: str
    output: JsonObject
    started_at: datetime


@dataclass(frozen=True)
class Rerun:
    """Run again from a task attempt, or from the start. What is None stays as it is; `task_input` replaces that task's input."""

    from_task: str | None = None
    workflow_input: JsonObject | None = None
    task_input: JsonObject | None = None
    correlation_id: str | None = None


@dataclass(frozen=True)
class Skip:
    """Let the flow jump over a task that was not scheduled yet. `input` and `output` are shown, and `output` may be referred to."""

    reference_name: str
    input: JsonObject = field(default_factory=dict)
    output: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class UpdateVariables:
    """Set these variables and keep the others."""

    values: JsonObject


@dataclass(frozen=True)
class AddOutput:
    """Merge into the output of an open task, which stays open."""

    task_id: str
    output: JsonObject


@dataclass(frozen=True)
class ResetCallbacks:
    """Let what waits for a delayed attempt not wait any longer."""


@dataclass(frozen=True)
class LookAtAll:
    """Look at every task that is not over: whatever happened to them was perhaps lost."""


Command: TypeAlias = (
    Terminate | Pause | Resume | Restart | Retry | Note | Accept | Rerun | Skip | UpdateVariables | AddOutput | ResetCallbacks | LookAtAll
)
