"""Find task attempts, and runs by their tasks. Tasks stand in no index of their own: they are found through their runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from fermata.application import look
from fermata.application.engine import Engine
from fermata.application.views import ExecutionView, TaskView
from fermata.domain.errors import NotFound, SearchTooBroad
from fermata.domain.executions import Workflow
from fermata.domain.searching.conditions import EVERYTHING, Condition, Facts, Order
from fermata.domain.searching.fields import TASK_ID
from fermata.domain.searching.judging import judge
from fermata.domain.searching.narrowing import named
from fermata.domain.searching.ordering import ordered
from fermata.domain.searching.reaching import runs_with
from fermata.ports import WorkflowQuery
from fermata.wire.search_facts import run_facts, task_facts

MAX_RUNS = 200  # whose tasks one search looks at: each is a read of all its rows
MAX_TASKS = 5_000

T = TypeVar("T")


@dataclass(frozen=True)
class TaskQuery:
    """The condition speaks of `TASK_FIELDS`. No order: newest run first, and in a run the newest task first."""

    condition: Condition = EVERYTHING
    order: tuple[Order, ...] = ()
    start: int = 0
    size: int = 100


@dataclass(frozen=True)
class Page(Generic[T]):
    """`exact` False: counting stopped at `total_hits`, and there may be more."""

    total_hits: int
    found: Sequence[T]
    exact: bool


def find_tasks(engine: Engine, query: TaskQuery) -> Page[TaskView]:
    """Return the task attempts for which the condition holds. Raises `SearchTooBroad`."""

    def matching(view: ExecutionView) -> Sequence[TaskView]:
        return [each for each in reversed(view.tasks) if judge(query.condition, _facts(each))]

    return _page(engine, query, matching, _facts)


def find_runs_with_tasks(engine: Engine, query: TaskQuery) -> Page[Workflow]:
    """Return the runs that have a task for which the condition holds; `order` speaks of `WORKFLOW_FIELDS`. Raises `SearchTooBroad`."""

    def matching(view: ExecutionView) -> Sequence[Workflow]:
        return [view.workflow] if any(judge(query.condition, _facts(each)) for each in view.tasks) else []

    return _page(engine, query, matching, run_facts)


def _page(engine: Engine, query: TaskQuery, matching: Callable[[ExecutionView], Sequence[T]], facts_of: Callable[[T], Facts]) -> Page[T]:
    needed = query.start + query.size
    reaching = WorkflowQuery(runs_with(query.condition, _runs_of_named_tasks(engine, query.condition)), size=MAX_RUNS)
    runs = engine.executions.search(reaching)
    hits: list[T] = []
    tasks, exact = 0, runs.exact and runs.total_hits <= MAX_RUNS
    for view in _views(engine, runs.workflows):
        if tasks > MAX_TASKS or (len(hits) >= needed and not query.order):
            exact = False
            break
        hits += matching(view)
        tasks += len(view.tasks)
    if not exact and (query.order or len(hits) < needed):
        raise _too_broad()
    return Page(len(hits), ordered(hits, query.order, facts_of)[query.start : needed], exact)


def _runs_of_named_tasks(engine: Engine, condition: Condition) -> dict[str, str]:
    found = {task_id: engine.executions.workflow_of(task_id) for task_id in named(condition, TASK_ID)}
    return {task_id: workflow_id for task_id, workflow_id in found.items() if workflow_id is not None}


def _views(engine: Engine, runs: Sequence[Workflow]) -> Iterator[ExecutionView]:
    for run in runs:
        try:
            yield look.execution(engine, run.workflow_id, include_tasks=True)
        except NotFound:  # removed since the search saw it
            continue


def _facts(view: TaskView) -> Facts:
    return task_facts(view.task, view.workflow)


def _too_broad() -> SearchTooBroad:
    return SearchTooBroad(
        f"This search looks at the tasks of more than {MAX_RUNS} runs, or at more than {MAX_TASKS} tasks, more than one search may. "
        "Narrow it by taskId, workflowId, workflowType, correlationId or the times of the tasks; a search without sort needs the least."
    )
