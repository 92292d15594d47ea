"""The official Python client as the stories use it."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Event
from typing import Any, TypeVar

from conductor.client.configuration.configuration import Configuration
from conductor.client.http.models.start_workflow_request import StartWorkflowRequest
from conductor.client.http.models.task_result import TaskResult
from conductor.client.http.models.workflow_def import WorkflowDef
from conductor.client.http.models.workflow_task import WorkflowTask
from conductor.client.http.rest import ApiException
from conductor.client.orkes.orkes_metadata_client import OrkesMetadataClient
from conductor.client.orkes.orkes_scheduler_client import OrkesSchedulerClient
from conductor.client.orkes.orkes_task_client import OrkesTaskClient
from conductor.client.orkes.orkes_workflow_client import OrkesWorkflowClient
from conductor.client.workflow.executor.workflow_executor import WorkflowExecutor

# The clients that open-source Conductor serves, by the name of their group.
CLIENTS = {
    "workflows": OrkesWorkflowClient,
    "tasks": OrkesTaskClient,
    "metadata": OrkesMetadataClient,
    "schedules": OrkesSchedulerClient,
    "executor": WorkflowExecutor,
}

# What open-source Conductor does not serve, or does not unless a feature is switched on, and we do not either.
NOT_SERVED = {
    "OrkesWorkflowClient.send_message": "the workflow message queue, off by default in open-source Conductor",
    "OrkesWorkflowClient.update_state": "Orkes only",
    "WorkflowExecutor.get_by_correlation_ids_and_names": "raises TypeError in the client before it asks",
    "WorkflowExecutor.send_message": "the workflow message queue, off by default in open-source Conductor",
    **{
        f"OrkesMetadataClient.{name}": "tags are Orkes only"
        for name in (
            "addTaskTag",
            "add_workflow_tag",
            "deleteTaskTag",
            "delete_workflow_tag",
            "getTaskTags",
            "get_workflow_tags",
            "setTaskTags",
            "set_workflow_tags",
            "getWorkflowRateLimit",
            "removeWorkflowRateLimit",
            "setWorkflowRateLimit",
        )
    },
    **{
        f"OrkesSchedulerClient.{name}": "tags are Orkes only"
        for name in ("delete_scheduler_tags", "get_scheduler_tags", "set_scheduler_tags")
    },
    **{f"OrkesSchedulerClient.{name}": "schedules of agents, a module of its own" for name in ("reconcile", "run_now")},
}

T = TypeVar("T")


@dataclass
class Sdk:
    """The clients over one server."""

    server: str

    def __post_init__(self) -> None:
        self.configuration = Configuration(server_api_url=self.server)
        for group, client in CLIENTS.items():
            setattr(self, group, client(self.configuration))

    workflows: Any = field(init=False)
    tasks: Any = field(init=False)
    metadata: Any = field(init=False)
    schedules: Any = field(init=False)
    executor: Any = field(init=False)

    def define(self, name: str, *tasks: WorkflowTask, **more: Any) -> WorkflowDef:
        definition = WorkflowDef(name=name, version=1, tasks=list(tasks), schema_version=2, timeout_seconds=0, **more)
        self.metadata.register_workflow_def(definition, overwrite=True)
        return definition

    def start(self, name: str, **more: Any) -> str:
        return str(self.workflows.start_workflow(StartWorkflowRequest(name=name, version=1, **more)))

    def status(self, workflow_id: str) -> str:
        return str(self.workflows.get_workflow_status(workflow_id).status)

    def work_off(self, task_type: str, status: str = "COMPLETED", **output: Any) -> Any:
        """Take one task of a type and report on it; returns the task."""
        task = self.tasks.poll_task(task_type, worker_id="w1")
        assert task.task_id is not None, f"nothing waits in {task_type}"
        self.tasks.update_task(TaskResult(task.workflow_instance_id, task.task_id, status=status, output_data=output))
        return task


def simple(name: str, **more: Any) -> WorkflowTask:
    """Return a worker's step whose reference is its name."""
    return WorkflowTask(name=name, task_reference_name=f"{name}_ref", type="SIMPLE", **more)


def eventually(look: Callable[[], T], good: Callable[[T], bool], looks: Iterable[float] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4)) -> T:
    """Return what `look` sees once it is good: a real server moves by itself. Fails with what it saw last."""
    nothing = Event()
    seen = look()
    for seconds in looks:
        if good(seen):
            return seen
        nothing.wait(seconds)
        seen = look()
    assert good(seen), seen
    return seen


def is_gone(look: Callable[[], Any]) -> bool:
    """Tell whether the server answers 404."""
    try:
        look()
    except ApiException as refused:
        return bool(refused.status == 404)
    return False


def public_methods() -> set[str]:
    """Return `Client.method` for every public method of the clients."""
    return {
        f"{client.__name__}.{name}"
        for client in CLIENTS.values()
        for name, _ in inspect.getmembers(client, inspect.isfunction)
        if not name.startswith("_")
    }
