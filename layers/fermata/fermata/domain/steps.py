"""One step of a workflow definition and the policy it follows. Field meanings: Conductor's, in snake_case.

Durations keep Conductor's unit in their name; `*_time` fields are epoch milliseconds, as in Conductor's metadata.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from fermata.domain.json_value import Json, JsonObject


class RetryLogic(StrEnum):
    FIXED = "FIXED"
    LINEAR_BACKOFF = "LINEAR_BACKOFF"
    EXPONENTIAL_BACKOFF = "EXPONENTIAL_BACKOFF"


class TaskTimeoutPolicy(StrEnum):
    RETRY = "RETRY"
    TIME_OUT_WF = "TIME_OUT_WF"
    ALERT_ONLY = "ALERT_ONLY"


@dataclass(frozen=True)
class TaskDefinition:
    """The policy of a kind of task: retries, timeouts, limits (reference 1.3)."""

    name: str
    description: str | None = None
    retry_count: int = 3
    retry_logic: RetryLogic = RetryLogic.FIXED
    retry_delay_seconds: int = 60
    max_retry_delay_seconds: int = 0
    backoff_jitter_ms: int = 0
    backoff_scale_factor: int = 1
    timeout_seconds: int = 0
    timeout_policy: TaskTimeoutPolicy = TaskTimeoutPolicy.TIME_OUT_WF
    response_timeout_seconds: int = 3600
    poll_timeout_seconds: int | None = None
    total_timeout_seconds: int = 0
    input_keys: tuple[str, ...] = ()
    output_keys: tuple[str, ...] = ()
    input_template: JsonObject = field(default_factory=dict)
    concurrent_exec_limit: int | None = None
    rate_limit_per_frequency: int = 0
    rate_limit_frequency_in_seconds: int = 1
    isolation_group_id: str | None = None
    execution_name_space: str | None = None
    owner_email: str | None = None
    base_type: str | None = None
    input_schema: Json = None
    output_schema: Json = None
    enforce_schema: bool = False
    runtime_metadata: tuple[str, ...] = ()
    task_status_listener_enabled: bool = True
    owner_app: str | None = None
    create_time: int = 0
    update_time: int = 0
    created_by: str | None = None
    updated_by: str | None = None


@dataclass(frozen=True)
class SubWorkflowParam:
    name: str | None = None
    version: int | None = None
    task_to_domain: Json = None
    workflow_definition: Json = None
    idempotency_key: str | None = None
    idempotency_strategy: str | None = None
    priority: Json = None


@dataclass(frozen=True)
class WorkflowTask:
    """One step of a definition (reference 1.2)."""

    name: str
    task_reference_name: str
    type: str = "SIMPLE"
    description: str | None = None
    input_parameters: JsonObject = field(default_factory=dict)
    decision_cases: Mapping[str, tuple["WorkflowTask", ...]] = field(default_factory=dict)
    default_case: tuple["WorkflowTask", ...] = ()
    fork_tasks: tuple[tuple["WorkflowTask", ...], ...] = ()
    join_on: tuple[str, ...] = ()
    default_exclusive_join_task: tuple[str, ...] = ()
    loop_over: tuple["WorkflowTask", ...] = ()
    loop_condition: str | None = None
    items: str | None = None
    start_delay: int = 0
    sub_workflow_param: SubWorkflowParam | None = None
    sink: str | None = None
    optional: bool = False
    permissive: bool = False
    task_definition: TaskDefinition | None = None
    rate_limited: bool | None = None
    async_complete: bool = False
    retry_count: int | None = None
    evaluator_type: str | None = None
    expression: str | None = None
    script_expression: str | None = None
    case_value_param: str | None = None
    case_expression: str | None = None
    dynamic_task_name_param: str | None = None
    dynamic_fork_tasks_param: str | None = None
    dynamic_fork_tasks_input_param_name: str | None = None
    dynamic_fork_join_tasks_param: str | None = None
    on_state_change: JsonObject = field(default_factory=dict)
    join_status: str | None = None
    join_mode: str | None = None
    cache_config: Json = None
    metadata: JsonObject = field(default_factory=dict)

    def child_lists(self) -> Iterator[tuple["WorkflowTask", ...]]:
        """Yield the task lists nested directly in this task, in Conductor's order."""
        yield from self.decision_cases.values()
        yield self.default_case
        yield from self.fork_tasks
        yield self.loop_over


def walk(tasks: tuple[WorkflowTask, ...]) -> Iterator[WorkflowTask]:
    """Yield `tasks` and everything nested in them, depth first, in order."""
    for task in tasks:
        yield task
        for children in task.child_lists():
            yield from walk(children)


def changed(task: WorkflowTask, change: Callable[[WorkflowTask], WorkflowTask]) -> WorkflowTask:
    """Return the step with itself and every step nested in it changed."""

    def each(tasks: tuple[WorkflowTask, ...]) -> tuple[WorkflowTask, ...]:
        return tuple(changed(nested, change) for nested in tasks)

    cases = {case: each(branch) for case, branch in task.decision_cases.items()}
    branches = tuple(each(branch) for branch in task.fork_tasks)
    nested = replace(task, decision_cases=cases, default_case=each(task.default_case), fork_tasks=branches, loop_over=each(task.loop_over))
    return change(nested)
