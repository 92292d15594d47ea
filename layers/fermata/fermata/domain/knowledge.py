"""What a decision knows besides the run itself. It grows by the answers to the decision's questions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from fermata.domain.executions import Workflow
from fermata.domain.json_value import Json
from fermata.domain.limits import Limits
from fermata.domain.questions import Evaluate, EvaluationResult
from fermata.domain.steps import TaskDefinition, WorkflowTask
from fermata.domain.working import WorkItem


def _cannot_read(value: Json) -> WorkflowTask:
    raise ValueError(f"nothing here reads steps, so {str(value)[:60]} is none")


@dataclass(frozen=True)
class Knowledge:
    """What a decision knows besides the run: results of evaluations, and the environment names expressions may read."""

    answers: Mapping[Evaluate, EvaluationResult] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    # Other runs by id, as asked for (None: there is no such run).
    runs: Mapping[str, Workflow | None] = field(default_factory=dict)
    # How a step that stands in data (a dynamic fork's input) is read. Raises `ValueError` when it is none.
    read_step: Callable[[Json], WorkflowTask] = _cannot_read
    # Worker rows by task id (None: there is none), and when workers last asked at a queue (None: never).
    work: Mapping[str, WorkItem | None] = field(default_factory=dict)
    last_polls: Mapping[str, datetime | None] = field(default_factory=dict)
    # Registered task definitions by name, as asked for (None: there is none).
    task_definitions: Mapping[str, TaskDefinition | None] = field(default_factory=dict)
    # What the operator lets one run use.
    limits: Limits = field(default_factory=Limits)
