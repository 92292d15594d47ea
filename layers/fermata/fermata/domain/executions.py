"""What a run is: the workflow and its task attempts, as values. All moments are aware UTC datetimes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from fermata.domain.definitions import WorkflowDefinition, WorkflowTask
from fermata.domain.json_value import JsonObject
from fermata.domain.status import TaskStatus, WorkflowStatus


@dataclass(frozen=True)
class Task:
    """One attempt of one task. `retry_count` is the attempt so far, from 0."""

    task_id: str
    workflow_id: str
    task_reference_name: str
    task_type: str
    task_def_name: str
    status: TaskStatus
    seq: int
    scheduled_time: datetime
    input: JsonObject = field(default_factory=dict)
    output: JsonObject = field(default_factory=dict)
    # True when `output` is exactly the recorded outcome's: a store need not keep it twice.
    output_recorded: bool = False
    reason_for_incompletion: str | None = None
    retry_count: int = 0
    # When in the run's lives this attempt was made: a restart or a rerun begins a new generation, so that its ids are new.
    generation: int = 0
    retried: bool = False
    executed: bool = False
    retried_task_id: str | None = None
    first_scheduled_time: datetime | None = None
    start_time: datetime | None = None
    end_time: datetime | None = None
    update_time: datetime | None = None
    start_delay_in_seconds: int = 0
    callback_after_seconds: int = 0
    poll_count: int = 0
    iteration: int = 0
    # The loop this record belongs to, by the loop's reference name; None outside loops.
    loop: str | None = None
    # For a task that a dynamic fork added: its own step, which stands in no definition, and the JOIN record that waits for it.
    step: WorkflowTask | None = None
    joined_by: str | None = None
    sub_workflow_id: str | None = None
    worker_id: str | None = None
    # The workers' queue, `[domain:]type`, of a SIMPLE attempt; None for every other type.
    queue: str | None = None
    # When the task itself is due (a WAIT's end, a delayed attempt's start); None: now, or by an outside party.
    due: datetime | None = None
    # When the sweeper looks whether this task's message got lost; None for a task that nothing needs to move.
    look_at: datetime | None = None


@dataclass(frozen=True)
class Workflow:
    """One run, without its tasks. `revision` grows by one with each decision; a commit names the one it replaces."""

    workflow_id: str
    definition_key: str
    workflow_name: str
    workflow_version: int
    status: WorkflowStatus
    create_time: datetime
    revision: int = 0
    generation: int = 0
    # Tasks of earlier generations are no longer part of the run. A rerun from a task keeps what was before it.
    first_generation: int = 0
    # Whether the flow may come to steps that have a record already: after a retry, a rerun or a skip.
    revisited: bool = False
    input: JsonObject = field(default_factory=dict)
    output: JsonObject = field(default_factory=dict)
    variables: JsonObject = field(default_factory=dict)
    update_time: datetime | None = None
    end_time: datetime | None = None
    last_retried_time: datetime | None = None
    correlation_id: str | None = None
    idempotency_key: str | None = None
    priority: int = 0
    parent_workflow_id: str | None = None
    parent_workflow_task_id: str | None = None
    depth: int = 0  # how many runs it stands in; a run that starts itself is stopped by it
    # How many runs have started each other before this one, each within a minute of its own beginning.
    chain: int = 0
    created_by: str | None = None
    event: str | None = None  # the event that started it
    reason_for_incompletion: str | None = None
    failed_task_id: str | None = None
    failed_reference_task_names: tuple[str, ...] = ()
    failed_task_names: tuple[str, ...] = ()
    # Permissive tasks an attempt of which was unsuccessful in whatever way: they fail the run at its end, if they stayed so.
    permissive_failures: tuple[str, ...] = ()
    task_to_domain: Mapping[str, str] = field(default_factory=dict)
    # How many tasks are not over. Which ones is not kept here: the row must not grow with them.
    open_tasks: int = 0
    # How many of those only wait for others: JOIN, EXCLUSIVE_JOIN, DO_WHILE.
    open_containers: int = 0
    # Up to `MAX_WAITS` of the others, for who lists runs: what a run waits for is found without looking at all its tasks.
    waits: tuple[str, ...] = ()
    # The hosts that its tasks ask, in the order in which they became known, each with the id of the task that asked it first.
    vendor_hosts: Mapping[str, str] = field(default_factory=dict)
    # Open JOIN records, and how many of the tasks that each awaits are not over. EXCLUSIVE_JOIN records stand here with 0.
    joins: Mapping[str, int] = field(default_factory=dict)
    # By loop: its current iteration, and how many tasks of it are not over.
    iterations: Mapping[str, int] = field(default_factory=dict)
    loop_tasks: Mapping[str, int] = field(default_factory=dict)
    # The newest iteration in which each task of a loop's body was scheduled.
    newest_iterations: Mapping[str, int] = field(default_factory=dict)
    # Whether a dynamic fork has run: the names of the next one's tasks depend on it (reference 6.6).
    forked: bool = False
    last_task_id: str | None = None
    tasks_scheduled: int = 0
    # When the sweeper looks at the run itself (its timeout was missed); None: its tasks have due times of their own.
    look_at: datetime | None = None

    def shows(self, task: Task) -> bool:
        """Tell whether a stored task is part of this life of the run."""
        return self.first_generation <= task.generation <= self.generation


@dataclass(frozen=True)
class Execution:
    """What one decision knows: the definition, the run, and the tasks loaded so far by id (absent: not loaded, None: no such task).

    `focus`: the tasks something may have happened to; only these are looked at, so that a decision's work does not grow with the
    run. `all_loaded`: `tasks` holds every task of the run.
    """

    definition: WorkflowDefinition
    workflow: Workflow
    tasks: Mapping[str, Task | None]
    focus: tuple[str, ...] = ()
    all_loaded: bool = False
