"""Bring a run as far as it can go now: load, decide, commit, dispatch."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import assert_never

from fermata.application.dispatch import dispatch
from fermata.application.engine import Engine
from fermata.domain.commands import Command, Restart
from fermata.domain.decider import decide
from fermata.domain.effects import Decision, WriteDown
from fermata.domain.errors import EngineBug, NotFound, TransientError
from fermata.domain.executions import Execution, Task, Workflow
from fermata.domain.knowledge import Knowledge
from fermata.domain.operations import Operation, of_decision
from fermata.domain.outcomes import Outcome
from fermata.domain.questions import (
    Evaluate,
    EvaluationFailed,
    EvaluationResult,
    LoadAllTasks,
    LoadLastPolls,
    LoadRun,
    LoadTaskDefinitions,
    LoadTasks,
    LoadWork,
)
from fermata.domain.working import WorkKey
from fermata.ports import StoredWorkflow
from fermata.wire.definitions import workflow_task_from_json

CONFLICT_TRIES = 8  # each lost race means another decision went through; the message comes back if all are lost
MAX_SCRIPT_TIME = timedelta(seconds=15)  # half of what the shortest-lived door has, so that it can still store and answer
MAX_STOPPED_SCRIPTS = 3  # each was stopped after seconds; under a clock that skips this alone ends a row of endless scripts
MAX_QUESTIONS = 10_000  # far above what a definition can ask; a decision that asks more would ask for ever


def advance(engine: Engine, workflow_id: str, *focus: str, command: Command | None = None, operation: Operation | None = None) -> Decision:
    """Decide the run on what is stored now and carry the decision out. Safe to call at any time, any number of times.

    `focus`: the ids of the tasks that something may have happened to. `operation`: what is written down with the decision, if it
    changes anything: stored in the same write, so that nothing is done of which nobody knows.

    Returns the decision; `changed` is false when there was nothing to do. Raises `NotFound` for an unknown run,
    `Conflict` or `NotFound` for a command that does not fit, `TransientError` when other decisions kept winning.
    """
    for _ in range(CONFLICT_TRIES):
        stored = load(engine, workflow_id)
        decision = _written_down(_settle_questions(engine, stored.workflow, focus, command), operation)
        if not decision.changed:
            return decision
        if engine.executions.commit(decision):
            dispatch(engine, decision)
            return decision
    raise TransientError(f"Workflow {workflow_id} is being changed by others; try again")


def _written_down(decision: Decision, operation: Operation | None) -> Decision:
    if operation is None or not decision.changed:
        return decision
    named = replace(operation, key=of_decision(decision.workflow.revision))
    return replace(decision, effects=(*decision.effects, WriteDown(named)))


def advance_if_there(engine: Engine, workflow_id: str, *focus: str) -> None:
    """Advance the run unless it was removed meanwhile: then the message that asks for it is stale."""
    with suppress(NotFound):
        advance(engine, workflow_id, *focus)


def load(engine: Engine, workflow_id: str) -> StoredWorkflow:
    """Return a run whose last decision is carried out, carrying it out if a crash left it. Raises `NotFound`."""
    stored = engine.executions.load(workflow_id)
    if stored is None:
        raise NotFound(f"No such workflow found by id: {workflow_id}")
    if stored.outbox is not None:
        dispatch(engine, stored.outbox)
    return stored


def decide_new(engine: Engine, workflow: Workflow) -> Decision:
    """Return the first decision of a run that is not stored yet."""
    return _settle_questions(engine, workflow, (), None)


def _settle_questions(engine: Engine, workflow: Workflow, focus: tuple[str, ...], command: Command | None) -> Decision:
    """Call the decider until it asks no more. Its questions are answered from the store and the evaluator."""
    key = command.definition_key if isinstance(command, Restart) and command.definition_key else workflow.definition_key
    execution = Execution(engine.definitions.pinned(key), workflow, {}, focus)
    knowledge = Knowledge({}, engine.environment, {}, workflow_task_from_json, limits=engine.limits)
    outcomes: Mapping[str, Outcome] = {}
    now = engine.clock.now()
    for _ in range(MAX_QUESTIONS):
        match decide(execution, outcomes, knowledge, now, command):
            case Decision() as decision:
                return decision
            case Evaluate() as question:
                answers = {**knowledge.answers, question: _evaluated(engine, question, knowledge.answers, now)}
                knowledge = replace(knowledge, answers=answers)
            case LoadRun(other_id):
                other = engine.executions.load(other_id)
                knowledge = replace(knowledge, runs={**knowledge.runs, other_id: other.workflow if other else None})
            case LoadTasks(task_ids):
                loaded = {**dict.fromkeys(task_ids), **engine.executions.load_tasks(workflow.workflow_id, task_ids)}
                execution = replace(execution, tasks={**execution.tasks, **loaded})
                outcomes = {**outcomes, **_outcomes(engine, workflow, loaded.values())}
            case LoadAllTasks():
                every = engine.executions.all_tasks(workflow.workflow_id)
                execution = replace(execution, tasks={task.task_id: task for task in every}, all_loaded=True)
                outcomes = {**outcomes, **_outcomes(engine, workflow, every)}
            case LoadTaskDefinitions(names):
                found = {name: engine.definitions.get_task(name) for name in sorted(names)}
                knowledge = replace(knowledge, task_definitions={**knowledge.task_definitions, **found})
            case LoadWork() | LoadLastPolls() as question:
                knowledge = _about_work(engine, workflow, knowledge, question)
            case _ as never:
                assert_never(never)
    raise EngineBug(f"The decision over workflow {workflow.workflow_id} keeps asking")


def _evaluated(engine: Engine, question: Evaluate, answers: Mapping[Evaluate, EvaluationResult], began: datetime) -> EvaluationResult:
    """Evaluate, unless the scripts of this decision have together taken what a door can spare."""
    stopped = sum(isinstance(answer, EvaluationFailed) and answer.timed_out for answer in answers.values())
    if stopped >= MAX_STOPPED_SCRIPTS or engine.clock.now() - began > MAX_SCRIPT_TIME:
        return EvaluationFailed("Not evaluated: the scripts before it took too long together", timed_out=True)
    return engine.evaluator.evaluate(question)


def _about_work(engine: Engine, workflow: Workflow, knowledge: Knowledge, question: LoadWork | LoadLastPolls) -> Knowledge:
    if isinstance(question, LoadLastPolls):
        return replace(knowledge, last_polls={**knowledge.last_polls, **engine.work.last_polls(question.queues)})
    found = engine.work.load([WorkKey(workflow.workflow_id, question.task_id)])
    return replace(knowledge, work={**knowledge.work, question.task_id: found.get(question.task_id)})


def _outcomes(engine: Engine, workflow: Workflow, tasks: Iterable[Task | None]) -> Mapping[str, Outcome]:
    """Return the recorded outcomes of those of `tasks` that are open: a closed task's is its own already."""
    open_ids = [task.task_id for task in tasks if task and not task.status.terminal]
    return engine.executions.outcomes(workflow.workflow_id, open_ids) if open_ids else {}
