"""Runs: the row, its conditional commit, its outbox. Tasks, search and retention are next door and joined here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from fermata.adapters.dynamodb import keys, outbox
from fermata.adapters.dynamodb.content import RECORD_BYTES, RUN_INLINE_BYTES, Content
from fermata.adapters.dynamodb.due_index import due_attributes
from fermata.adapters.dynamodb.retention import Retention
from fermata.adapters.dynamodb.search_rows import DEFAULT_LIMITS, SearchLimits, search_attributes
from fermata.adapters.dynamodb.start_keys import StartKeys
from fermata.adapters.dynamodb.table import Item, Table, number
from fermata.adapters.dynamodb.tasks import Tasks
from fermata.domain.effects import Decision
from fermata.domain.executions import Task, Workflow
from fermata.domain.outcomes import Outcome
from fermata.domain.working import WorkKey
from fermata.ports import OUTBOX_GRACE, Glimpse, KeyHolder, Payloads, StoredWorkflow, WorkflowPage, WorkflowQuery

PAYLOAD_FIELDS = ("input", "output", "variables")

assert 3 * RUN_INLINE_BYTES + RECORD_BYTES + outbox.OUTBOX_INLINE_BYTES < 400 * 1024, "a run's row must fit an item"


class DynamoExecutions:
    """An `Executions`. `retention`: how long finished runs are kept, None for ever."""

    def __init__(
        self, table: Table, payloads: Payloads, retention: timedelta | None = None, search_limits: SearchLimits = DEFAULT_LIMITS
    ) -> None:
        self._table = table
        self._content = Content(payloads)
        self._tasks = Tasks(table, self._content)
        self._search_limits = search_limits
        self._start_keys = StartKeys(table)
        self._retention = Retention(table, self._content, retention)

    def load(self, workflow_id: str) -> StoredWorkflow | None:
        item = self._table.get(keys.run(workflow_id))
        if item is None:
            return None
        workflow = self._content.value(Workflow, item)
        return StoredWorkflow(workflow, self._outbox(item, workflow) if "x" in item else None)

    def _outbox(self, item: Item, workflow: Workflow) -> Decision:
        decision = outbox.load(self._content.bytes_of(item["x"]), workflow, self._content.payloads)
        recorded = [task.task_id for task in decision.tasks if task.output_recorded]
        outcomes = self._tasks.outcomes(workflow.workflow_id, recorded) if recorded else {}
        return replace(decision, tasks=tuple(outbox.dressed(task, outcomes) for task in decision.tasks))

    def revisions(self, workflow_ids: Collection[str]) -> Mapping[str, int]:
        wanted = {keys.run_partition(workflow_id): workflow_id for workflow_id in workflow_ids}
        rows = self._table.batch_get([keys.run(workflow_id) for workflow_id in wanted.values()], only="pk, v")
        return {wanted[row["pk"]["S"]]: int(row["v"]["N"]) for row in rows}

    def glance(self, workflow_ids: Collection[str]) -> Mapping[str, StoredWorkflow]:
        wanted = [keys.run(workflow_id) for workflow_id in dict.fromkeys(workflow_ids) if keys.can_be_in_key(workflow_id)]
        found = [self._glanced(item) for item in self._table.batch_get(wanted, only="pk, sk, b, o, x")]
        return {stored.workflow.workflow_id: stored for stored in found}

    def _glanced(self, item: Item) -> StoredWorkflow:
        workflow, left_out = self._content.inline(Workflow, item)
        pending = outbox.glanced(self._content.bytes_of(item["x"]), workflow) if "x" in item else None
        return StoredWorkflow(workflow, pending, left_out)

    def glance_at(self, tasks: Collection[WorkKey]) -> Sequence[Glimpse]:
        return self._tasks.glance_at(tasks)

    def glance_at_all(self, workflow_id: str) -> Sequence[Glimpse]:
        return self._tasks.glance_at_all(workflow_id)

    def commit(self, decision: Decision) -> bool:
        run = decision.workflow
        change = {
            **self._content.attributes(run.workflow_id, run, PAYLOAD_FIELDS, RUN_INLINE_BYTES),
            **search_attributes(run),
            **due_attributes(run.workflow_id, (run.update_time or run.create_time) + OUTBOX_GRACE),
            "v": number(run.revision),
            "x": self._content.whole(run.workflow_id, outbox.dump(decision, self._content.payloads), outbox.OUTBOX_INLINE_BYTES),
        }
        if not run.status.terminal:
            change["ttl"] = None  # a run that was over and is retried lives again
        if run.revision == 1:
            return self._table.update(keys.run(run.workflow_id), change, "attribute_not_exists(pk)", {}) is not None
        return self._table.update(keys.run(run.workflow_id), change, "v = :before", {":before": number(run.revision - 1)}) is not None

    def settle_tasks(self, decision: Decision) -> None:
        self._tasks.settle(decision)

    def settled(self, decision: Decision) -> None:
        run = decision.workflow
        change = {"x": None, **due_attributes(run.workflow_id, run.look_at)}
        condition, values = "v = :mine AND attribute_exists(x)", {":mine": number(run.revision)}
        row = self._table.update(keys.run(run.workflow_id), change, condition, values, returning=self._retention.returning)
        if row is not None and not run.status.terminal:
            self._retention.revive(run.workflow_id, row)

    def load_tasks(self, workflow_id: str, task_ids: Collection[str]) -> Mapping[str, Task | None]:
        return self._tasks.load(workflow_id, task_ids)

    def all_tasks(self, workflow_id: str) -> Sequence[Task]:
        return self._tasks.all(workflow_id)

    def record(self, outcome: Outcome) -> Outcome:
        return self._tasks.record(outcome)

    def outcomes(self, workflow_id: str, task_ids: Collection[str]) -> Mapping[str, Outcome]:
        return self._tasks.outcomes(workflow_id, task_ids)

    def workflow_of(self, task_id: str) -> str | None:
        return self._tasks.workflow_of(task_id)

    def search(self, query: WorkflowQuery) -> WorkflowPage:
        # Only the api door searches; what searching imports takes 15 ms of a cold start.
        from fermata.adapters.dynamodb.search import Search

        return Search(self._table, self._content, self._search_limits).find(query)

    def hold_key(self, workflow_name: str, key: str, holder: KeyHolder, instead_of: KeyHolder | None = None) -> KeyHolder:
        return self._start_keys.hold(workflow_name, key, holder, instead_of)

    def remove(self, workflow_id: str) -> None:
        """The run's own row goes last: whoever finds it can repeat a removal that was cut short."""
        row = self._table.get(keys.run(workflow_id), only="b, o")
        self._tasks.remove_all(workflow_id)
        if row is not None:
            self._start_keys.release(self._content.value(Workflow, row))
            self._table.delete(keys.run(workflow_id))

    def expire(self, workflow_id: str) -> None:
        self._retention.expire(workflow_id)
