"""The working state of one decision: what is known, what has changed so far, and how it asks for what is not known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from fermata.domain.definitions import TaskDefinition, WorkflowTask
from fermata.domain.documents import task_document, workflow_document
from fermata.domain.effects import Decision, Effect, ForgetWork
from fermata.domain.executions import Execution, Task, Workflow
from fermata.domain.expressions import Scope, references, resolve
from fermata.domain.flow import Flow, suffixed, unsuffixed
from fermata.domain.ids import task_id
from fermata.domain.json_value import Json, JsonObject
from fermata.domain.knowledge import Knowledge
from fermata.domain.outcomes import Outcome
from fermata.domain.planning import Planned, PlannedEnd, Spot
from fermata.domain.questions import (
    Evaluate,
    EvaluationResult,
    LoadAllTasks,
    LoadLastPolls,
    LoadRun,
    LoadTaskDefinitions,
    LoadTasks,
    LoadWork,
    Question,
)
from fermata.domain.working import WorkItem


class Ask(Exception):
    """Not an error: it interrupts a decision to ask its question."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class Deciding:
    """Mutable while one decision is made; nothing of it outlives the decision."""

    def __init__(self, execution: Execution, outcomes: Mapping[str, Outcome], knowledge: Knowledge, now: datetime) -> None:
        self.definition = execution.definition
        self.before = execution.workflow
        self.workflow = execution.workflow
        self.outcomes = outcomes
        self.now = now
        self.flow = execution.definition.flow
        self.knowledge = knowledge
        # What is still to be looked at in this pass: what the decision is about, then what it finishes on the way.
        self.pending = list(execution.focus)
        # What is to be started before anything else is looked at, and loops whose iteration may be over when nothing is left.
        self.planned: list[Planned] = []
        self.planned_end: PlannedEnd | None = None
        # By record: the one that a JOIN of this pass awaits in its place (`choosing`).
        self.stand_ins: dict[str, str] = {}
        self.touched_loops: list[str] = []
        self._loaded = execution.tasks
        self._all_loaded = execution.all_loaded
        self._changed: dict[str, Task] = {}
        self._effects: list[Effect] = []
        self._removed: dict[str, None] = {}  # ids, in order

    # --- what is known ---

    def task(self, wanted: str) -> Task | None:
        """Return a task attempt by id, as this decision has left it. Asks when it is not loaded."""
        if wanted in self._changed:
            return self._changed[wanted]
        if wanted in self._removed:
            return None
        if wanted not in self._loaded and not self._all_loaded:
            raise Ask(LoadTasks(frozenset({wanted})))
        return self._loaded.get(wanted)

    def record(self, record_name: str) -> Task | None:
        """Return the newest attempt of a record (its name carries the iteration), or None when there is none."""
        for generation in self._generations():
            attempt, newest = 0, self.task(self._id_of(record_name, generation))
            while newest is not None and newest.retried:
                attempt += 1
                newest = self.task(self._id_of(record_name, generation, attempt))
            if newest is not None:
                return newest
        return None

    def records(self, record_names: Iterable[str]) -> list[Task | None]:
        """Return the newest attempt of each record, asking for all that are not loaded at once."""
        names = list(record_names)
        self._load_at_once(self._first_ids(names))
        return [self.record(name) for name in names]

    def record_name(self, reference_name: str) -> str:
        """Return the name of the newest record of a reference name: inside a loop, that of the newest iteration."""
        return suffixed(reference_name, self.workflow.newest_iterations.get(reference_name, 0))

    def newest(self, reference_name: str) -> Task | None:
        """Return the newest attempt of a reference name, or None when it never ran."""
        return self.record(self.record_name(reference_name))

    def step(self, task: Task) -> WorkflowTask:
        """Return the step that a task attempt is an attempt of."""
        return task.step or self.flow.step(unsuffixed(task.task_reference_name, task.iteration))

    def all_tasks(self) -> list[Task]:
        """Return every task attempt of this life of the run, by `seq`. Asks unless this decision made them all itself."""
        if not self._all_loaded and self.before.tasks_scheduled:
            raise Ask(LoadAllTasks())
        known = {**self._loaded, **self._changed}
        tasks = [task for task in known.values() if task and task.task_id not in self._removed and self.workflow.shows(task)]
        return sorted(tasks, key=lambda task: task.seq)

    def open_tasks(self) -> list[Task]:
        """Return the tasks that are not concluded. Asks only when there are some that this decision has not touched."""
        touched = [task for task in self._changed.values() if _is_open(task)]
        if self.workflow.open_tasks == len(touched):
            return touched
        return [task for task in self.all_tasks() if _is_open(task)]

    def finished_here(self) -> list[Task]:
        """Return the tasks that are over in this decision and from which nothing has followed yet."""
        return [task for task in self._changed.values() if task.status.terminal and not (task.executed or task.retried)]

    def has_changed(self, wanted: str) -> bool:
        """Tell whether this decision has already written that task."""
        return wanted in self._changed

    def begins_here(self, task: Task) -> bool:
        """Tell whether a task attempt is made by this decision: nothing outside knows it yet."""
        return task.seq > self.before.tasks_scheduled

    def evaluate(self, question: Evaluate) -> EvaluationResult:
        """Return the result of an evaluation. Asks when it is not known."""
        if question not in self.knowledge.answers:
            raise Ask(question)
        return self.knowledge.answers[question]

    def run(self, workflow_id: str) -> Workflow | None:
        """Return another run's row, or None when there is none. Asks when it is not known."""
        if workflow_id not in self.knowledge.runs:
            raise Ask(LoadRun(workflow_id))
        return self.knowledge.runs[workflow_id]

    def work_item(self, task_id: str) -> WorkItem | None:
        """Return the worker row of a SIMPLE attempt. Asks when it is not known."""
        if task_id not in self.knowledge.work:
            raise Ask(LoadWork(task_id))
        return self.knowledge.work[task_id]

    def last_polls(self, queues: frozenset[str]) -> Mapping[str, datetime | None]:
        """Return when workers last asked at each queue. Asks when that is not known."""
        if not queues <= self.knowledge.last_polls.keys():
            raise Ask(LoadLastPolls(queues))
        return self.knowledge.last_polls

    def task_definitions(self, names: frozenset[str]) -> Mapping[str, TaskDefinition | None]:
        """Return what is registered under these names. Asks when that is not known."""
        if not names <= self.knowledge.task_definitions.keys():
            raise Ask(LoadTaskDefinitions(names))
        return self.knowledge.task_definitions

    def output_of(self, reference_name: str) -> JsonObject | None:
        """Return the output of the newest attempt of a reference name, or None when it never ran."""
        task = self.newest(reference_name)
        return task.output if task else None

    def resolve(self, template: Json, own_task_id: str | None) -> Json:
        """Return `template` with every `${...}` resolved against the run as it stands now."""
        names = (name for name in references(template) if name in self.flow.places)
        self._load_at_once(self._first_ids(self.record_name(name) for name in names))
        return resolve(template, Scope(self._root, self.knowledge.environment, own_task_id))

    @property
    def effects(self) -> Sequence[Effect]:
        """What this decision wants done so far."""
        return self._effects

    # --- what changes ---

    def put(self, task: Task) -> None:
        self._changed[task.task_id] = replace(task, update_time=self.now)

    def plan(self, step: WorkflowTask, spot: Spot | None = None, given: JsonObject | None = None) -> None:
        """Have a step started in this pass, after those planned before it."""
        self.planned.append(Planned(step, spot, given or {}))

    def plan_next(self, step: WorkflowTask, spot: Spot) -> None:
        """Have a step started in this pass, before those that are planned already."""
        self.planned.insert(0, Planned(step, spot))

    def change(self, **fields: Any) -> None:
        """Replace fields of the workflow."""
        self.workflow = replace(self.workflow, **fields)

    def remove(self, *tasks: Task) -> None:
        """Let the run forget these tasks. One that began in this very decision was never stored: nothing has to be dropped for it."""
        for task in tasks:
            self._changed.pop(task.task_id, None)
            self._removed[task.task_id] = None
            if task.queue is not None:
                self.emit(ForgetWork(task.workflow_id, task.task_id))

    def emit(self, *effects: Effect) -> None:
        self._effects.extend(effects)

    def decision(self) -> Decision:
        """Return what came of it: the next revision, or the run unchanged."""
        if self.workflow == self.before and not self._changed and not self._effects:
            return Decision(self.before, changed=False)
        workflow = replace(self.workflow, revision=self.before.revision + 1, update_time=self.now)
        return Decision(workflow, tuple(self._changed.values()), tuple(self._effects), self._stored_removed())

    # --- inside ---

    def _stored_removed(self) -> tuple[str, ...]:
        return tuple(task_id for task_id in self._removed if self._loaded.get(task_id) is not None)

    def _generations(self) -> Iterable[int]:
        """Return the generations whose records this life of the run still has, newest first: more than one after a rerun."""
        return range(self.workflow.generation, self.workflow.first_generation - 1, -1)

    def _id_of(self, record_name: str, generation: int, attempt: int = 0) -> str:
        return task_id(self.workflow.workflow_id, generation, record_name, attempt)

    def _first_ids(self, record_names: Iterable[str]) -> set[str]:
        return {self._id_of(name, generation) for name in record_names for generation in self._generations()}

    def _load_at_once(self, ids: set[str]) -> None:
        """Ask for many tasks in one question instead of one by one."""
        missing = frozenset(ids - self._changed.keys() - self._loaded.keys() - self._removed.keys())
        if missing and not self._all_loaded:
            raise Ask(LoadTasks(missing))

    def _root(self, name: str) -> JsonObject | None:
        if name == "workflow":
            return workflow_document(self.workflow)
        task = self.newest(name) if _is_reference(name, self.flow) else None
        return task_document(task) if task else None


def _is_open(task: Task) -> bool:
    return not (task.executed or task.retried) and (not task.status.terminal or task.look_at is not None)


def _is_reference(name: str, flow: Flow) -> bool:
    """Tell whether a name may be a task's. An iteration is not named by its suffix (reference 4.1): `ref__2` is nothing."""
    base, separator, number = name.rpartition("__")
    return not (separator and number.isdigit() and base in flow.places)
