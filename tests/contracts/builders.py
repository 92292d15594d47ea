"""Small rows for the contract suites: a value with everything defaulted but what a test is about."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from fermata.domain.definitions import WorkflowDefinition, WorkflowTask
from fermata.domain.effects import ClosePoll, Decision, OpenPoll, Send
from fermata.domain.executions import Task, Workflow
from fermata.domain.messages import PollDue, RunTask, WakeWorkflow
from fermata.domain.outcomes import Outcome
from fermata.domain.polling import LedgerEntry, PollDecision, PollSpec, PollState
from fermata.domain.status import TaskStatus, WorkflowStatus

T0 = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)
GRACE = timedelta(seconds=60)
RUN = "11111111-1111-4111-8111-111111111111"
BIG = {"text": "x" * 60_000, "exact": 12345678901234567890, "ratio": 0.1, "umlaut": "Größe", "nothing": None}


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


def run_id(number: int) -> str:
    return f"11111111-1111-4111-8111-{number:012d}"


def task_id(number: int) -> str:
    return f"22222222-2222-5222-8222-{number:012d}"


def workflow(revision: int = 1, **fields) -> Workflow:
    defaults = {
        "workflow_id": RUN,
        "definition_key": "abc",
        "workflow_name": "export",
        "workflow_version": 1,
        "status": WorkflowStatus.RUNNING,
        "create_time": T0,
        "update_time": T0 + seconds(revision - 1),
        "revision": revision,
    }
    return Workflow(**(defaults | fields))


def task(number: int = 1, **fields) -> Task:
    defaults = {
        "task_id": task_id(number),
        "workflow_id": RUN,
        "task_reference_name": f"step_{number}",
        "task_type": "HTTP",
        "task_def_name": "step",
        "status": TaskStatus.SCHEDULED,
        "seq": number,
        "scheduled_time": T0,
    }
    return Task(**(defaults | fields))


def decision(revision: int = 1, tasks: tuple[Task, ...] = (), **fields) -> Decision:
    run = workflow(revision, **fields)
    return Decision(run, tasks, (Send(WakeWorkflow(run.workflow_id), T0),))


def every_effect(spec: PollSpec) -> tuple:
    return (
        Send(RunTask(RUN, task_id(1)), T0),
        Send(PollDue(RUN, task_id(2), 1), T0 + seconds(60)),
        Send(WakeWorkflow(RUN), T0 + seconds(5)),
        OpenPoll(spec, T0),
        ClosePoll(task_id(3)),
    )


def outcome(number: int = 1, **fields) -> Outcome:
    defaults = {"task_id": task_id(number), "workflow_id": RUN, "status": TaskStatus.COMPLETED, "at": T0, "output": {"n": number}}
    return Outcome(**(defaults | fields))


def spec(number: int = 1, **fields) -> PollSpec:
    defaults = {
        "task_id": task_id(number),
        "workflow_id": RUN,
        "task_reference_name": "poll",
        "input": {"http_request": {"uri": "https://jobs.example/1", "terminationCondition": "$.output.body.done"}},
        "opened_at": T0,
        "context": {"submit": {"output": {"id": 7}}},
    }
    return PollSpec(**(defaults | fields))


def next_poll(state: PollState, **fields) -> PollState:
    """The state after one more "not yet": due a minute on, its entry added to the recent ones."""
    fired = state.due + timedelta(milliseconds=830)
    due = fired + seconds(60)
    entry = LedgerEntry(state.polls_made + 1, state.due, fired, timedelta(milliseconds=95), 200, PollDecision.AGAIN, due)
    after = replace(state, due=due, polls_made=state.polls_made + 1, started_at=state.started_at or fired, recent=(*state.recent, entry))
    return replace(after, **fields)


def definition(name: str = "export", version: int = 1, **fields) -> WorkflowDefinition:
    defaults = {"tasks": (WorkflowTask("step", "step_1", "HTTP", input_parameters={"b": 1, "a": [1, 2.5, None]}),)}
    return WorkflowDefinition(name=name, version=version, **(defaults | fields))
