"""The commands of `fermata task` on the tasks of runs: what a worker, a signaller or an onlooker does."""

from typing import Any

import click

from fermata_local.cli import arguments
from fermata_local.cli.conductor import Conductor, part
from fermata_local.cli.connection import connected
from fermata_local.cli.nouns import Verb
from fermata_local.cli.output import querying, reading

_STATUSES = click.Choice(["IN_PROGRESS", "COMPLETED", "FAILED", "FAILED_WITH_TERMINAL_ERROR"], case_sensitive=False)
_STRATEGIES = click.Choice(["TARGET_WORKFLOW", "BLOCKING_WORKFLOW", "BLOCKING_TASK", "BLOCKING_TASK_INPUT"], case_sensitive=False)
_WORKFLOW_ID = click.option("--workflow-id", required=True, metavar="ID", help="The run.")
_STATUS = click.option("--status", type=_STATUSES, required=True, help="What became of the task.")
_REASON = click.option("--reason", help="Why; kept in the run's operations log.")
_OUTPUT = click.option("--output", metavar="JSON|@FILE", help="The task's output.")


@click.command("get-execution", cls=Verb, examples=("fermata task get-execution TASKID --query outputData",))
@click.argument("task_id", metavar="TASKID")
@reading
@connected
def get_execution(server: Conductor, task_id: str) -> Any:
    """One task of a run."""
    return server.get(f"/tasks/{part(task_id)}")


@click.command(cls=Verb, examples=("fermata task polls TASKID -o table", "fermata task polls TASKID --query '[-1].decision'"))
@click.argument("task_id", metavar="TASKID")
@reading
@connected
def polls(server: Conductor, task_id: str) -> Any:
    """Every poll that an HTTP_POLL task has made: when it was due, what came back, what was decided."""
    return server.records(f"/tasks/{part(task_id)}/polls")


@click.command("poll-now", cls=Verb, examples=("fermata task poll-now TASKID --reason 'the vendor says it is done'",))
@click.argument("task_id", metavar="TASKID")
@_REASON
@connected
def poll_now(server: Conductor, task_id: str, reason: str | None) -> None:
    """Let an HTTP_POLL task look at once instead of at its next moment. It counts as any poll does."""
    asked = server.post(f"/tasks/{part(task_id)}/poll-now", reason=reason)
    click.echo(f"Poll {asked['poll']} of {asked['taskReferenceName']} comes now: fermata task polls {task_id}")


@click.command(cls=Verb, examples=("fermata task logs TASKID -o table",))
@click.argument("task_id", metavar="TASKID")
@reading
@connected
def logs(server: Conductor, task_id: str) -> Any:
    """What a worker has logged for a task, oldest first."""
    return server.records(f"/tasks/{part(task_id)}/log")


@click.command(cls=Verb, examples=("fermata task poll resize", "fermata task poll resize --count 5 --worker-id laptop --timeout 5000"))
@click.argument("task_type", metavar="TYPE")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="At most so many.")
@click.option("--timeout", type=click.IntRange(0), default=100, show_default=True, metavar="MS", help="How long the server may wait.")
@click.option("--worker-id", help="Who polls; shown with the tasks.")
@click.option("--domain", help="The domain to poll for.")
@reading
@connected
def poll(server: Conductor, task_type: str, *, count: int, timeout: int, worker_id: str | None, domain: str | None) -> Any:
    """Take tasks as a worker does. They are yours then: report on them with update-execution."""
    return server.records(f"/tasks/poll/batch/{part(task_type)}", count=count, timeout=timeout, workerid=worker_id, domain=domain)


@click.command(
    "update-execution",
    cls=Verb,
    examples=("fermata task update-execution --workflow-id ID --task-ref-name resize --status COMPLETED --output '{\"width\": 640}'",),
)
@_WORKFLOW_ID
@click.option("--task-ref-name", required=True, metavar="REF", help="The task's reference name.")
@_STATUS
@_OUTPUT
@click.option("--worker-id", help="Who says so.")
@_REASON
@connected
def update_execution(  # noqa: PLR0913 - one argument for each option
    server: Conductor,
    *,
    workflow_id: str,
    task_ref_name: str,
    status: str,
    output: str | None,
    worker_id: str | None,
    reason: str | None,
) -> None:
    """Report on a task by its reference name, and print the task's id."""
    path = f"/tasks/{part(workflow_id)}/{part(task_ref_name)}/{status}"
    click.echo(server.post(path, _object(output), workerid=worker_id, reason=reason))


@click.command(cls=Verb, examples=("fermata task signal --workflow-id ID --status COMPLETED --output '{\"approved\": true}'",))
@_WORKFLOW_ID
@_STATUS
@_OUTPUT
@_REASON
@connected
def signal(server: Conductor, *, workflow_id: str, status: str, output: str | None, reason: str | None) -> None:
    """End the WAIT task that blocks a run."""
    server.post(f"/tasks/{part(workflow_id)}/{status}/signal", _object(output), reason=reason)
    click.echo(f"{workflow_id} signalled {status}.")


@click.command(
    "signal-sync", cls=Verb, examples=("fermata task signal-sync --workflow-id ID --status COMPLETED --return-strategy BLOCKING_TASK",)
)
@_WORKFLOW_ID
@_STATUS
@_OUTPUT
@click.option("--return-strategy", type=_STRATEGIES, help="What is answered with; TARGET_WORKFLOW unless you say otherwise.")
@querying
@connected
def signal_sync(server: Conductor, *, workflow_id: str, status: str, output: str | None, return_strategy: str | None) -> Any:
    """End the WAIT task that blocks a run, wait until the run stands still again, and print what it shows then."""
    return server.post(f"/tasks/{part(workflow_id)}/{status}/signal/sync", _object(output), returnStrategy=return_strategy)


def _object(output: str | None) -> dict[str, Any]:
    return {} if output is None else arguments.json_object("--output", output)


COMMANDS = (get_execution, polls, poll_now, logs, poll, update_execution, signal, signal_sync)
