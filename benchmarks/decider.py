"""How long the decider takes for one completed task, early and late in a long sequence."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from fermata.application.deliver import deliver
from fermata.application.engine import Engine
from fermata.domain.decider import decide
from fermata.domain.effects import Decision
from fermata.domain.executions import Execution
from fermata.domain.knowledge import Knowledge
from fermata.domain.messages import RunTask
from fermata.domain.outcomes import Outcome
from fermata.domain.questions import Evaluate, LoadAllTasks, LoadLastPolls, LoadRun, LoadTaskDefinitions, LoadTasks, LoadWork
from fermata.domain.status import TaskStatus

from benchmarks.figures import Figure
from benchmarks.sequences import ANSWER, LENGTH, fork, sequence
from benchmarks.timing import median_seconds
from tests.support.world import World

EARLY, LATE, SHORT = 10, 290, 30
WIDE = 1000
MOST_MS = 5  # for one decision over a run of `WIDE` tasks
DECISIONS = 200
MOST_GROWTH = 2


def measure() -> Sequence[Figure]:
    early, late = (decision_seconds(number) * 1e6 for number in (EARLY, LATE))
    short = decision_seconds(EARLY, SHORT) * 1e6
    last = decision_seconds(WIDE - 1, WIDE) * 1e3
    branch, joining = (branch_decision_seconds(WIDE, number) * 1e3 for number in (WIDE // 2, WIDE))
    return (
        Figure("decider", f"task {WIDE - 1} of {WIDE} completes", last, "ms", MOST_MS),
        Figure("decider", f"a branch of a fork of {WIDE} completes", branch, "ms", MOST_MS),
        Figure("decider", f"the last of {WIDE} branches and the JOIN complete", joining, "ms", note="once a fork: it gathers all outputs"),
        Figure("decider", f"task {EARLY} of {SHORT} completes", short, "us"),
        Figure("decider", f"task {EARLY} of {LENGTH} completes", early, "us", note=f"median of {DECISIONS} decisions"),
        Figure("decider", f"task {LATE} of {LENGTH} completes", late, "us"),
        Figure("decider", "growth with the run", late / early, "times", MOST_GROWTH),
        Figure("decider", "growth with the definition", early / short, "times", note="10 times as many steps"),
    )


def decision_seconds(number: int, length: int = LENGTH) -> float:
    """Return how long the decision takes that concludes task `number` of a sequence and schedules the one after it."""
    world = World(lambda _: ANSWER)
    workflow_id = world.start(sequence(length), {"first": "a"})
    for _ in range(number - 1):
        deliver(world.engine, _next(world))
    return _concluding_seconds(world, workflow_id, _next(world))


def branch_decision_seconds(width: int, number: int) -> float:
    """Return how long the decision takes that concludes this branch (from 1) of a fork; the last one concludes the JOIN, too."""
    world = World(lambda _: ANSWER)
    workflow_id = world.start(fork(width), {"first": "a"})
    messages = world.alarms.take_due(world.clock.now())
    for message in messages[: number - 1]:
        deliver(world.engine, message)
    message = messages[number - 1]
    assert isinstance(message, RunTask)
    return _concluding_seconds(world, workflow_id, message)


def _concluding_seconds(world: World, workflow_id: str, message: RunTask) -> float:
    response = {"statusCode": 200, "body": {"id": "8d1f2c"}, "headers": {}, "reasonPhrase": "OK"}
    now = world.clock.now()
    world.engine.executions.record(Outcome(message.task_id, workflow_id, TaskStatus.COMPLETED, now, {"response": response}, started_at=now))
    return median_seconds(lambda: _decided(world.engine, workflow_id, message.task_id), DECISIONS)


def _next(world: World) -> RunTask:
    [message] = world.alarms.take_due(world.clock.now())
    assert isinstance(message, RunTask)
    return message


def _decided(engine: Engine, workflow_id: str, task_id: str) -> Decision:
    """Decide as the application does, over the store in memory, without committing."""
    stored = engine.executions.load(workflow_id)
    assert stored is not None
    definition = engine.definitions.pinned(stored.workflow.definition_key)
    execution = Execution(definition, stored.workflow, engine.executions.load_tasks(workflow_id, [task_id]), (task_id,))
    outcomes = engine.executions.outcomes(workflow_id, [task_id])
    while True:
        match decide(execution, outcomes, Knowledge(), engine.clock.now()):
            case Decision() as decision:
                assert decision.changed
                return decision
            case LoadTasks(task_ids):
                execution = replace(execution, tasks={**execution.tasks, **engine.executions.load_tasks(workflow_id, task_ids)})
            case Evaluate() | LoadAllTasks() | LoadRun() | LoadWork() | LoadLastPolls() | LoadTaskDefinitions():
                raise AssertionError("a sequence of HTTP steps evaluates nothing, ends nothing early, starts nothing and waits for nobody")
            case _ as never:
                assert_never(never)
