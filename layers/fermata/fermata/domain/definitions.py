"""What people register: workflow definitions, and what they are made of. Field meanings: Conductor's, in snake_case.

Durations keep Conductor's unit in their name; `*_time` fields are epoch milliseconds, as in Conductor's metadata.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from fermata.domain.flow import Flow
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.steps import RetryLogic, SubWorkflowParam, TaskDefinition, TaskTimeoutPolicy, WorkflowTask, walk

# A definition is its steps and their policies: who needs it needs them, from here.
__all__ = [
    "RetryLogic",
    "SubWorkflowParam",
    "TaskDefinition",
    "TaskTimeoutPolicy",
    "WorkflowDefinition",
    "WorkflowTask",
    "WorkflowTimeoutPolicy",
    "walk",
]


class WorkflowTimeoutPolicy(StrEnum):
    TIME_OUT_WF = "TIME_OUT_WF"
    ALERT_ONLY = "ALERT_ONLY"


@dataclass(frozen=True)
class WorkflowDefinition:
    """A named, versioned list of tasks (reference 1.1)."""

    name: str
    tasks: tuple[WorkflowTask, ...]
    version: int = 1
    description: str | None = None
    input_parameters: tuple[str, ...] = ()
    output_parameters: JsonObject = field(default_factory=dict)
    failure_workflow: str | None = None
    failure_workflow_version: int | None = None
    schema_version: int = 2
    restartable: bool = True
    workflow_status_listener_enabled: bool = False
    workflow_status_listener_sink: str | None = None
    owner_email: str | None = None
    timeout_policy: WorkflowTimeoutPolicy = WorkflowTimeoutPolicy.ALERT_ONLY
    timeout_seconds: int = 0
    variables: JsonObject = field(default_factory=dict)
    input_template: JsonObject = field(default_factory=dict)
    rate_limit_config: Json = None
    input_schema: Json = None
    output_schema: Json = None
    enforce_schema: bool = True
    metadata: JsonObject = field(default_factory=dict)
    cache_config: Json = None
    masked_fields: tuple[str, ...] = ()
    owner_app: str | None = None
    create_time: int = 0
    update_time: int = 0
    created_by: str | None = None
    updated_by: str | None = None

    def all_tasks(self) -> Iterator[WorkflowTask]:
        """Yield every task of the definition, parents before children, in order."""
        return walk(self.tasks)

    @cached_property
    def flow(self) -> Flow:
        """Return where each task stands and what follows it. Worked out once: runs share their definition."""
        return Flow(self.tasks)
