"""Bring a run as far as it can go now: load, decide, commit, dispatch."""

from collections.abc import Mapping
from typing import assert_never

from fermata.application.dispatch import dispatch
from fermata.application.engine import Engine
from fermata.domain.commands import Command, Restart
from fermata.domain.decider import decide
from fermata.domain.deciding import Knowledge
from fermata.domain.effects import Decision
from fermata.domain.errors import EngineBug, NotFound, TransientError
from fermata.domain.executions import Execution, Task, Workflow
from fermata.domain.outcomes import Outcome
from fermata.domain.questions import Evaluate, EvaluationResult, LoadTasks
from fermata.ports import StoredWorkflow

CONFLICT_TRIES = 8  # each lost race means another decision went through; the message comes back if all are lost
MAX_QUESTIONS = 10_000  # far above what a definition can ask; a decision that asks more would ask for ever


def advance(engine: Engine, workflow_id: str, command: Command | None = None) -> Decision:
    """Decide the run on what is stored now and carry the decision out. Safe to call at any time, any number of times.

    Returns the decision; `changed` is false when there was nothing to do. Raises `NotFound` for an unknown run,
    `Conflict` or `NotFound` for a command that does not fit, `TransientError` when other decisions kept winning.
    """
    for _ in range(CONFLICT_TRIES):
        stored = load(engine, workflow_id)
        decision = _decide(engine, stored.workflow, command)
        if not decision.changed:
            return decision
        if engine.executions.commit(decision):
            dispatch(engine, decision)
            return decision
    raise TransientError(f"Workflow {workflow_id} is being changed by others; try again")


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
    return _settle_questions(engine, workflow, {}, {}, None)


def _decide(engine: Engine, workflow: Workflow, command: Command | None) -> Decision:
    open_ids = workflow.open_task_ids
    tasks: dict[str, Task | None] = dict(engine.executions.load_tasks(workflow.workflow_id, open_ids)) if open_ids else {}
    outcomes = engine.executions.outcomes(workflow.workflow_id, open_ids) if open_ids else {}
    return _settle_questions(engine, workflow, tasks, outcomes, command)


def _settle_questions(
    engine: Engine,
    workflow: Workflow,
    tasks: dict[str, Task | None],
    outcomes: Mapping[str, Outcome],
    command: Command | None,
) -> Decision:
    """Call the decider until it asks no more. Its questions are answered from the store and the evaluator."""
    key = command.definition_key if isinstance(command, Restart) and command.definition_key else workflow.definition_key
    definition = engine.definitions.pinned(key)
    answers: dict[Evaluate, EvaluationResult] = {}
    now = engine.clock.now()
    for _ in range(MAX_QUESTIONS):
        knowledge = Knowledge(answers, engine.environment)
        match decide(Execution(definition, workflow, tasks), outcomes, knowledge, now, command):
            case Decision() as decision:
                return decision
            case Evaluate() as question:
                answers = {**answers, question: engine.evaluator.evaluate(question)}
            case LoadTasks(task_ids):
                tasks = {**tasks, **dict.fromkeys(task_ids), **engine.executions.load_tasks(workflow.workflow_id, task_ids)}
            case _ as never:
                assert_never(never)
    raise EngineBug(f"The decision over workflow {workflow.workflow_id} keeps asking")
