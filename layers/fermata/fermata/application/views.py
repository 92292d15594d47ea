"""What the questions of `look` answer with."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fermata.domain.definitions import WorkflowDefinition, WorkflowTask
from fermata.domain.executions import Task, Workflow
from fermata.domain.polling import PollState
from fermata.domain.working import WorkItem


@dataclass(frozen=True)
class TaskView:
    """A task attempt with what is shown beside it. `poll` is set for an HTTP_POLL attempt, `work` for an open one of a worker."""

    task: Task
    workflow: Workflow
    workflow_task: WorkflowTask | None
    poll: PollState | None
    work: WorkItem | None = None


@dataclass(frozen=True)
class ExecutionView:
    """`left_out`: of a summary, by the id of the run or of a task, the payloads that were not fetched, and their sizes in bytes.

    `is_settled` False: what the last decision wants done is still being done, and shown as if it were.
    """

    workflow: Workflow
    definition: WorkflowDefinition
    tasks: tuple[TaskView, ...]
    left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    is_settled: bool = True
