"""What people register to be done when an event comes, what comes, and what came of it (Conductor engine reference, 8.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from fermata.domain.json_value import Json, JsonObject


class ActionType(StrEnum):
    """The actions that run here. Conductor names `start_agent`, too."""

    START_WORKFLOW = "start_workflow"
    COMPLETE_TASK = "complete_task"
    FAIL_TASK = "fail_task"
    TERMINATE_WORKFLOW = "terminate_workflow"
    UPDATE_WORKFLOW_VARIABLES = "update_workflow_variables"


@dataclass(frozen=True)
class StartWorkflowAction:
    name: str | None = None
    version: int | None = None
    correlation_id: str | None = None
    input: JsonObject = field(default_factory=dict)
    task_to_domain: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TaskAction:
    """Which task to end: by its id, or by its run and its reference name (in a loop: of the highest iteration)."""

    workflow_id: str | None = None
    task_ref_name: str | None = None
    task_id: str | None = None
    output: JsonObject = field(default_factory=dict)
    reason_for_incompletion: str | None = None


@dataclass(frozen=True)
class TerminateWorkflowAction:
    workflow_id: str | None = None
    termination_reason: str | None = None


@dataclass(frozen=True)
class UpdateVariablesAction:
    workflow_id: str | None = None
    variables: JsonObject = field(default_factory=dict)
    append_array: bool = False


@dataclass(frozen=True)
class EventAction:
    """`action` names the one of the other fields that counts. Texts in it may hold `${...}` over the payload."""

    action: str
    start_workflow: StartWorkflowAction | None = None
    complete_task: TaskAction | None = None
    fail_task: TaskAction | None = None
    terminate_workflow: TerminateWorkflowAction | None = None
    update_workflow_variables: UpdateVariablesAction | None = None
    expand_inline_json: bool = False


@dataclass(frozen=True)
class EventHandler:
    """`event` is `<provider>:<queue>`. Without a `condition` every message of it is handled."""

    name: str
    event: str
    actions: tuple[EventAction, ...]
    condition: str | None = None
    active: bool = False
    evaluator_type: str | None = None


@dataclass(frozen=True)
class EventMessage:
    """One message of a queue. `message_id` is the same however often it is delivered. `chain`: that of a run which it starts."""

    event: str
    message_id: str
    payload: Json
    chain: int = 0


class EventStatus(StrEnum):
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"


@dataclass(frozen=True)
class EventExecution:
    """What came of one action for one message. With the handler's name, `message_id` and `index` say which it is."""

    name: str
    event: str
    message_id: str
    index: int
    status: EventStatus
    created: datetime
    action: str | None = None
    output: JsonObject = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return self.status is not EventStatus.IN_PROGRESS
