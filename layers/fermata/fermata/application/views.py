"""What the questions of `look` answer with."""

from dataclasses import dataclass

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
    workflow: Workflow
    definition: WorkflowDefinition
    tasks: tuple[TaskView, ...]
