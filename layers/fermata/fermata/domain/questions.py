"""What a decision must know before it can be made. `decide` asks, the application answers and decides again."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from fermata.domain.json_value import Json


class Language(StrEnum):
    JAVASCRIPT = "javascript"
    JQ = "jq"
    PYTHON = "python"  # the syntax; what runs it is not CPython


@dataclass(frozen=True)
class Evaluate:
    """Evaluate `program` (script text). `subject` is JSON text, so that a question can be a dict key.

    The subject is `$` in JavaScript and `.` in jq; in Python each of its keys is a global variable. `function_body`: JavaScript only; the
    program is the body of a function and must `return` (Conductor's LAMBDA). Python's always is.
    """

    language: Language
    program: str
    subject: str
    function_body: bool = False


@dataclass(frozen=True)
class Evaluated:
    """JavaScript: the completion value. jq: the list of all outputs. Python: what the script returned."""

    value: Json


@dataclass(frozen=True)
class EvaluationFailed:
    """The script is wrong, or was stopped. `timed_out` tells a limit (time, memory) from an error of the script."""

    reason: str
    timed_out: bool = False


EvaluationResult: TypeAlias = Evaluated | EvaluationFailed


@dataclass(frozen=True)
class LoadTasks:
    """Load these task attempts by id."""

    task_ids: frozenset[str]


@dataclass(frozen=True)
class LoadAllTasks:
    """Load every task attempt of the run. Asked when a run ends with tasks open, and by commands that concern them all."""


@dataclass(frozen=True)
class LoadRun:
    """Load another run's row: the child that a SUB_WORKFLOW task waits for."""

    workflow_id: str


@dataclass(frozen=True)
class LoadWork:
    """Load the worker row of this SIMPLE attempt: its deadline may have moved."""

    task_id: str


@dataclass(frozen=True)
class LoadLastPolls:
    """Tell when workers last asked for work of each of these queues."""

    queues: frozenset[str]


@dataclass(frozen=True)
class LoadTaskDefinitions:
    """Tell what is registered under these names: a step that stands in data brings no task definition along."""

    names: frozenset[str]


Question: TypeAlias = Evaluate | LoadTasks | LoadAllTasks | LoadRun | LoadWork | LoadLastPolls | LoadTaskDefinitions
