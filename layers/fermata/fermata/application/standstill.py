"""Wait until a run stands still: it is over, or somebody outside must act (Conductor engine reference, 7.7).

A look reads the revisions of the run and its children, in one request. Only when one has changed are their tasks read again.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from fermata.application import look
from fermata.application.engine import Engine
from fermata.application.views import ExecutionView, TaskView
from fermata.application.waiting import wait_for
from fermata.domain.errors import EngineBug, NotFound
from fermata.domain.flow import unsuffixed
from fermata.domain.tasks.registry import type_of
from fermata.domain.tasks.sub_workflow import SUB_WORKFLOW
from fermata.domain.tasks.wait import WAIT

MAX_RUNS = 50  # looked at for one caller: the run and, depth first, the runs within it


@dataclass(frozen=True)
class Standstill:
    """A run as a caller that waited for it sees it. `blocking` is the task that it stands still at, in the run `within`.

    None: the run is over, or the time is (`timed_out`); `within` is the run itself then.
    """

    target: ExecutionView
    within: ExecutionView
    blocking: TaskView | None = None
    timed_out: bool = False

    @property
    def is_one(self) -> bool:
        return self.blocking is not None or self.target.workflow.status.terminal


def wait_until_still(engine: Engine, workflow_id: str, at_most: timedelta, references: Collection[str] = ()) -> Standstill:
    """Return how the run stands when it is over, an open WAIT without an end blocks it, or one of the tasks `references` is over.

    Tasks of sub-workflows count too. After `at_most` it returns how the run stands then. Changes nothing. Raises `NotFound`.
    """
    watch = _Watch(engine, workflow_id, frozenset(references))
    return wait_for(engine, watch.look, at_most) or watch.as_seen_last()


class _Watch:
    """Looks at a run and the runs within it, as far as they have changed."""

    def __init__(self, engine: Engine, workflow_id: str, references: frozenset[str]) -> None:
        self._engine = engine
        self._workflow_id = workflow_id
        self._references = references
        self._watched: set[str] = {workflow_id}
        self._revisions: dict[str, int] = {}
        self._seen: Standstill | None = None

    def look(self) -> Standstill | None:
        if self._seen is not None and self._engine.executions.revisions(self._watched) == self._revisions:
            return None
        self._seen = self._read()
        return self._seen if self._seen.is_one else None

    def as_seen_last(self) -> Standstill:
        if self._seen is None:
            raise EngineBug("a caller was told of a run before the first look at it")
        return replace(self._seen, timed_out=True)

    def _read(self) -> Standstill:
        self._watched, self._revisions = {self._workflow_id}, {}
        target = self._view(self._workflow_id)
        if not target.workflow.status.terminal:
            for within, task in self._tasks(target):
                if self._blocks(task):
                    return Standstill(target, within, task)
        return Standstill(target, target)

    def _view(self, workflow_id: str) -> ExecutionView:
        view = look.execution(self._engine, workflow_id, include_tasks=True)
        self._revisions[workflow_id] = view.workflow.revision
        return view

    def _tasks(self, within: ExecutionView) -> Iterator[tuple[ExecutionView, TaskView]]:
        """Yield the tasks of a run, and after them those of the runs within it."""
        yield from ((within, task) for task in within.tasks)
        for started in filter(self._counts, within.tasks):
            child = self._child(started.task.sub_workflow_id or "")
            if child is not None:
                yield from self._tasks(child)

    def _counts(self, view: TaskView) -> bool:
        """Tell whether the run that a task started is looked at: one that is over only for the tasks that are asked for by name."""
        child = type_of(view.task) is SUB_WORKFLOW and view.task.sub_workflow_id is not None and not view.task.retried
        return child and (bool(self._references) or not view.task.status.terminal) and len(self._watched) < MAX_RUNS

    def _child(self, workflow_id: str) -> ExecutionView | None:
        self._watched.add(workflow_id)
        try:
            return self._view(workflow_id)
        except NotFound:
            return None  # it is just being started

    def _blocks(self, view: TaskView) -> bool:
        task = view.task
        if task.status.terminal:
            names = {task.task_reference_name, unsuffixed(task.task_reference_name, task.iteration)}
            return not task.retried and not self._references.isdisjoint(names)
        return type_of(task) is WAIT and task.due is None
