"""What a task type is to the decider: how a step is checked, what starting it leads to, how it goes on and what ends with it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from fermata.domain.deciding import Deciding
from fermata.domain.definitions import WorkflowTask
from fermata.domain.effects import Effect
from fermata.domain.errors import Violation
from fermata.domain.executions import Task, Workflow
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.limits import Limits
from fermata.domain.questions import Evaluate, EvaluationResult
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.tasks import hooks
from fermata.domain.timeouts import Deadline


@dataclass(frozen=True)
class Starting:
    """What a type may look at when one of its tasks starts.

    `evaluate` and `output_of` may interrupt the decision to ask for what is not known yet: let their exceptions pass.
    `output_of` returns the output of the newest attempt of a reference name, or None when it has not run.
    """

    workflow_task: WorkflowTask
    task: Task
    workflow: Workflow
    now: datetime
    evaluate: Callable[[Evaluate], EvaluationResult]
    output_of: Callable[[str], JsonObject | None]
    resolve: Callable[[Json], Json]
    read_step: Callable[[Json], WorkflowTask]
    forked_before: bool = False
    known_references: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Finished:
    """The task is over at once."""

    status: TaskStatus
    output: JsonObject = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True)
class Branch:
    """The task is over and the flow goes on with `chosen`; when that is empty, with the task's own successor."""

    chosen: tuple[WorkflowTask, ...]
    input_additions: JsonObject
    output: JsonObject


@dataclass(frozen=True)
class Fork:
    """The task is over and the first step of each branch starts, together with the JOIN that follows it."""

    branches: tuple[tuple[WorkflowTask, ...], ...]


@dataclass(frozen=True)
class ForkSteps:
    """The task is over; these steps, which stand in no definition, start together with the JOIN that awaits them all."""

    steps: tuple[WorkflowTask, ...]
    input_additions: JsonObject


@dataclass(frozen=True)
class Join:
    """The task waits until all of these have ended."""

    awaited: tuple[str, ...]


@dataclass(frozen=True)
class JoinFirst:
    """The task waits for the first of these that was scheduled; if none was, for the first of `otherwise`."""

    awaited: tuple[str, ...]
    otherwise: tuple[str, ...]


@dataclass(frozen=True)
class Loop:
    """The task runs its body again and again. `items`: once for each; None: while its condition holds."""

    items: tuple[Json, ...] | None = None


@dataclass(frozen=True)
class StartChild:
    """The task starts another run and waits for its end. `given` is the task's input."""

    given: JsonObject


@dataclass(frozen=True)
class Become:
    """The task is of the type of this name, which was not known before."""

    type_name: str


@dataclass(frozen=True)
class RunElsewhere:
    """A door carries the task out and records its outcome. `input_additions` become part of the task's input."""

    input_additions: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class Poll:
    """The task polls until its condition holds. `context`: outputs of earlier tasks that the condition names."""

    context: JsonObject


@dataclass(frozen=True)
class Queue:
    """The task waits in a queue until a worker takes it and reports what came of it."""


@dataclass(frozen=True)
class Wait:
    """The task is over at `until`; None: when an outside party says so."""

    until: datetime | None


@dataclass(frozen=True)
class SetVariables:
    """The task is over and these workflow variables are set."""

    values: JsonObject


@dataclass(frozen=True)
class EndWorkflow:
    """The task is over and so is the run."""

    status: WorkflowStatus
    output: JsonObject | None
    reason: str
    task_status: TaskStatus = TaskStatus.COMPLETED


# The task is over in the decision that starts it; it stays open; or its type turns out to be another one.
Over: TypeAlias = Finished | Branch | Fork | ForkSteps | SetVariables | EndWorkflow
Open: TypeAlias = Join | JoinFirst | Loop | StartChild | RunElsewhere | Poll | Queue | Wait
Start: TypeAlias = Over | Open | Become


@dataclass(frozen=True)
class TaskType:
    """One entry of the registry.

    What a definition says. `validate(task, path)` yields what registration refuses; `expressions(task)` yields the scripts whose
    syntax it checks, by their path below the task.

    How a task starts. `start` tells what that leads to. `merges_template`: the task definition's `inputTemplate` applies
    (reference 4.6). `knows_own_id`: `${CPEWF_TASK_ID}` is known when inputs are resolved (4.4). `takes_input` is false where
    Conductor resolves no input parameters (6.19, 6.25). `delays_start`: `startDelay` and the delay before a retry count
    (3.8); `delays_retry`: only the latter.

    What a record shows. `names_itself`: its taskDefName is the type's name (3.3). `record_name`: its taskType, when that is not
    the type's own name. `record_is_step_name`: its taskType is the step's name, as the workers' queue is called (6.21).

    How a task goes on. `given(shown)` returns what a step was given, of the input that its record shows: a new attempt gets it.
    `moved(deciding, task)` returns an open task after what its type alone knows may have happened to it; an
    outcome, a deadline and a lost message are seen to for every type. `deadline(deciding, task)`: when it times out.
    `let_go(deciding, task)`: what else ends with a task, while it is open (it is being canceled) or just over. `stuck(deciding, task)`:
    what becomes of an open task where nothing is left in the run that could move it; None: nothing. `may_retry` is false where
    Conductor never retries (5.2). `waits_for_others`: it ends by other tasks of its run and by nobody's report. `has_runner`: a
    door carries it out (`application/run_task.py`). `keeps_polls`: it has a row of its own and a ledger for its polls.
    `may_end_outside`: `asyncComplete` leaves its end to an outside party (3.8). `asks_a_vendor`: it sends requests to where its input
    says.
    """

    name: str
    start: Callable[[Starting], Start]
    validate: Callable[[WorkflowTask, str], Iterable[Violation]] = hooks.no_violations
    expressions: Callable[[WorkflowTask], Mapping[str, Evaluate]] = hooks.no_expressions
    given: Callable[[JsonObject], JsonObject] = hooks.as_shown
    moved: Callable[[Deciding, Task], Task] = hooks.stays
    deadline: Callable[[Deciding, Task], Deadline | None] = hooks.until_it_responds
    let_go: Callable[[Deciding, Task], Iterable[Effect]] = hooks.nothing_else
    stuck: Callable[[Deciding, Task], Task | None] = hooks.never_stuck
    merges_template: bool = False
    knows_own_id: bool = True
    names_itself: bool = False
    may_retry: bool = True
    delays_start: bool = False
    delays_retry: bool = False
    record_name: str | None = None
    record_is_step_name: bool = False
    takes_input: bool = True
    waits_for_others: bool = False
    has_runner: bool = False
    keeps_polls: bool = False
    may_end_outside: bool = False
    asks_a_vendor: bool = False


def text_expression(value: Json) -> str | None:
    """Return a script as it stands in a definition, or None when it is missing or only known at run time."""
    return value if isinstance(value, str) and "${" not in value else None
