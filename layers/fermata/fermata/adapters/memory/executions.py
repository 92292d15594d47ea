"""Runs, task rows and outcomes in memory, with the same commit point and the same outbox as the real store."""

import threading
from collections.abc import Collection, Mapping, Sequence

from fermata.adapters.memory.due_index import DueKey, MemoryDueIndex
from fermata.domain.effects import Decision
from fermata.domain.executions import Task, Workflow
from fermata.domain.outcomes import Outcome
from fermata.domain.searching.judging import judge
from fermata.domain.searching.ordering import newest_first, ordered
from fermata.domain.working import WorkKey
from fermata.ports import OUTBOX_GRACE, DueKind, Glimpse, KeyHolder, StoredWorkflow, WorkflowPage, WorkflowQuery
from fermata.ports.queries import Place
from fermata.wire.records import epoch_ms
from fermata.wire.search_facts import run_facts


class MemoryExecutions:
    """An `Executions`. `expired` shows for which runs the retention clock was started; nothing is ever dropped."""

    def __init__(self, due: MemoryDueIndex | None = None) -> None:
        self._due = due or MemoryDueIndex()
        self._lock = threading.RLock()
        self._rows: dict[str, StoredWorkflow] = {}
        self._tasks: dict[str, dict[str, tuple[int, Task]]] = {}  # workflow id -> task id -> (deciding revision, task)
        self._outcomes: dict[tuple[str, str], Outcome] = {}
        self._workflow_of: dict[str, str] = {}
        self._keys: dict[tuple[str, str], KeyHolder] = {}
        self.expired: set[str] = set()

    def load(self, workflow_id: str) -> StoredWorkflow | None:
        with self._lock:
            return self._rows.get(workflow_id)

    def revisions(self, workflow_ids: Collection[str]) -> Mapping[str, int]:
        with self._lock:
            return {name: self._rows[name].workflow.revision for name in workflow_ids if name in self._rows}

    def glance(self, workflow_ids: Collection[str]) -> Mapping[str, StoredWorkflow]:
        with self._lock:
            return {name: self._rows[name] for name in workflow_ids if name in self._rows}

    def glance_at(self, tasks: Collection[WorkKey]) -> Sequence[Glimpse]:
        with self._lock:
            found = [self._tasks.get(key.workflow_id, {}).get(key.task_id) for key in tasks]
            return [Glimpse(each[1]) for each in found if each]

    def glance_at_all(self, workflow_id: str) -> Sequence[Glimpse]:
        return [Glimpse(task) for task in self.all_tasks(workflow_id)]

    def commit(self, decision: Decision) -> bool:
        workflow = decision.workflow
        with self._lock:
            stored = self._rows.get(workflow.workflow_id)
            if (stored.workflow.revision if stored else 0) != workflow.revision - 1:
                return False
            self._rows[workflow.workflow_id] = StoredWorkflow(workflow, decision)
            self._due.set(_row_key(workflow), (workflow.update_time or workflow.create_time) + OUTBOX_GRACE)
            return True

    def settle_tasks(self, decision: Decision) -> None:
        revision, workflow_id = decision.workflow.revision, decision.workflow.workflow_id
        with self._lock:
            rows = self._tasks.setdefault(workflow_id, {})
            for task in decision.tasks:
                if task.task_id in rows and rows[task.task_id][0] >= revision:
                    continue
                rows[task.task_id] = (revision, task)
                self._workflow_of[task.task_id] = workflow_id
                self._due.set((DueKind.TASK, workflow_id, task.task_id), task.look_at)
            for task_id in decision.removed:
                rows.pop(task_id, None)
                self._outcomes.pop((workflow_id, task_id), None)
                self._due.set((DueKind.TASK, workflow_id, task_id), None)

    def settled(self, decision: Decision) -> None:
        with self._lock:
            stored = self._rows.get(decision.workflow.workflow_id)
            if stored is None or stored.outbox is None or stored.workflow.revision != decision.workflow.revision:
                return
            self._rows[decision.workflow.workflow_id] = StoredWorkflow(stored.workflow)
            self._due.set(_row_key(stored.workflow), stored.workflow.look_at)

    def load_tasks(self, workflow_id: str, task_ids: Collection[str]) -> Mapping[str, Task | None]:
        with self._lock:
            rows = self._tasks.get(workflow_id, {})
            return {task_id: rows[task_id][1] if task_id in rows else None for task_id in task_ids}

    def all_tasks(self, workflow_id: str) -> Sequence[Task]:
        with self._lock:
            return sorted((task for _, task in self._tasks.get(workflow_id, {}).values()), key=lambda task: task.seq)

    def record(self, outcome: Outcome) -> Outcome:
        with self._lock:
            return self._outcomes.setdefault((outcome.workflow_id, outcome.task_id), outcome)

    def outcomes(self, workflow_id: str, task_ids: Collection[str]) -> Mapping[str, Outcome]:
        with self._lock:
            return {key: self._outcomes[workflow_id, key] for key in task_ids if (workflow_id, key) in self._outcomes}

    def workflow_of(self, task_id: str) -> str | None:
        with self._lock:
            return self._workflow_of.get(task_id)

    def search(self, query: WorkflowQuery) -> WorkflowPage:
        with self._lock:
            runs = [stored.workflow for stored in self._rows.values() if judge(query.wanted, run_facts(stored.workflow))]
        runs.sort(key=lambda run: (run.create_time, run.workflow_id), reverse=True)
        found = ordered(runs, query.order, run_facts)
        newest, end = newest_first(query.order), query.start + query.size
        if query.after is not None and newest is not None:
            found = [run for run in found if _is_behind(_place(run), query.after, newest=newest)]
        page = found[query.start : end]
        last = _place(page[-1]) if page and newest is not None and len(found) > end else None
        return WorkflowPage(len(found), page, last=last)

    def hold_key(self, workflow_name: str, key: str, holder: KeyHolder, instead_of: KeyHolder | None = None) -> KeyHolder:
        with self._lock:
            if self._keys.get((workflow_name, key)) == instead_of:
                self._keys[workflow_name, key] = holder
            return self._keys[workflow_name, key]

    def remove(self, workflow_id: str) -> None:
        with self._lock:
            self._rows.pop(workflow_id, None)
            self._due.set((DueKind.WORKFLOW, workflow_id, None), None)
            for task_id in self._tasks.pop(workflow_id, {}):
                self._workflow_of.pop(task_id, None)
                self._due.set((DueKind.TASK, workflow_id, task_id), None)
            self._outcomes = {name: outcome for name, outcome in self._outcomes.items() if name[0] != workflow_id}
            self._keys = {name: holder for name, holder in self._keys.items() if holder.workflow_id != workflow_id}

    def expire(self, workflow_id: str) -> None:
        with self._lock:
            self.expired.add(workflow_id)


def _place(run: Workflow) -> Place:
    return Place(epoch_ms(run.create_time), run.workflow_id)


def _is_behind(place: Place, other: Place, *, newest: bool) -> bool:
    one, two = ((each.start, each.workflow_id) for each in (place, other))
    return one < two if newest else one > two


def _row_key(workflow: Workflow) -> DueKey:
    return (DueKind.WORKFLOW, workflow.workflow_id, None)
