"""Task attempts and their outcomes, in the partition of their run."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fermata.adapters.dynamodb import keys, outbox
from fermata.adapters.dynamodb.content import Content, present
from fermata.adapters.dynamodb.due_index import due_attributes
from fermata.adapters.dynamodb.schema import TASK_INDEX
from fermata.adapters.dynamodb.search_rows import further_hosts
from fermata.adapters.dynamodb.table import Item, Table, number, text
from fermata.domain.effects import Decision
from fermata.domain.executions import Task
from fermata.domain.outcomes import Outcome
from fermata.domain.working import WorkKey
from fermata.ports import Glimpse

ROW_OF_THE_SAME_OR_A_LATER_DECISION_STAYS = "attribute_not_exists(pk) OR d < :revision"


class Tasks:
    """Task rows (`d`: the revision that decided them) and outcome items, which are written once and never change."""

    def __init__(self, table: Table, content: Content) -> None:
        self._table = table
        self._content = content

    def settle(self, decision: Decision) -> None:
        """Write the rows one by one: a batch has no conditions, and a transaction costs twice."""
        revision = number(decision.workflow.revision)
        for task in decision.tasks:
            row = {**self._row(task), "d": revision}
            self._table.put(row, ROW_OF_THE_SAME_OR_A_LATER_DECISION_STAYS, {":revision": revision})
            for further in further_hosts(decision.workflow, task.task_id):
                self._table.put(further, "attribute_not_exists(pk)")
        for task_id in decision.removed:
            self._table.delete(keys.task(decision.workflow.workflow_id, task_id))
            self._table.delete(keys.outcome(decision.workflow.workflow_id, task_id))

    def remove_all(self, workflow_id: str) -> None:
        """Drop every task row and outcome of a run, and the rows of the hosts that it asked."""
        values = {":run": text(keys.run_partition(workflow_id)), ":first": text("O#"), ":last": text("V$")}
        condition = "pk = :run AND sk BETWEEN :first AND :last"
        for row in list(self._table.query(condition, values, ProjectionExpression="pk, sk")):
            self._table.delete(keys.key(*keys.identity(row)))

    def _row(self, task: Task) -> dict[str, Any]:
        content = self._content.attributes(task.workflow_id, outbox.bare(task), ("input", "output"))
        due = due_attributes(task.workflow_id, task.look_at)
        row = {**keys.task(task.workflow_id, task.task_id), **content, **due, "tk": text(task.task_id), "ty": text(task.task_type)}
        return present(row)

    def load(self, workflow_id: str, task_ids: Collection[str]) -> Mapping[str, Task | None]:
        """Return each asked task or None, with recorded outputs joined from the outcomes."""
        asked = [keys.task(workflow_id, task_id) for task_id in dict.fromkeys(task_ids)]
        tasks = [self._content.value(Task, item) for item in self._table.batch_get(asked)]
        recorded = [task.task_id for task in tasks if task.output_recorded]
        outcomes = self.outcomes(workflow_id, recorded)
        found = {task.task_id: outbox.dressed(task, outcomes) for task in tasks}
        return {task_id: found.get(task_id) for task_id in task_ids}

    def all(self, workflow_id: str) -> Sequence[Task]:
        """Return all tasks by `seq`: one pass over their rows."""
        rows = list(self._rows(workflow_id))
        tasks = [self._content.value(Task, row) for row in rows if row["sk"]["S"].startswith("T#")]
        recorded = {keys.outcome(workflow_id, task.task_id)["sk"]["S"] for task in tasks if task.output_recorded}
        outcomes = [self._content.value(Outcome, row) for row in rows if row["sk"]["S"] in recorded]
        by_id = {outcome.task_id: outcome for outcome in outcomes}
        return sorted((outbox.dressed(task, by_id) for task in tasks), key=lambda task: task.seq)

    def glance_at(self, tasks: Collection[WorkKey]) -> Sequence[Glimpse]:
        asked = [keys.task(key.workflow_id, key.task_id) for key in dict.fromkeys(tasks)]
        return [Glimpse(*self._content.inline(Task, item)) for item in self._table.batch_get(asked)]

    def glance_at_all(self, workflow_id: str) -> Sequence[Glimpse]:
        """Return what `all` returns, without fetching what is kept apart."""
        rows = {row["sk"]["S"]: row for row in self._rows(workflow_id)}
        found = [Glimpse(*self._content.inline(Task, row)) for name, row in rows.items() if name.startswith("T#")]
        return sorted((self._dressed(glimpse, rows) for glimpse in found), key=lambda glimpse: glimpse.task.seq)

    def _dressed(self, glimpse: Glimpse, rows: Mapping[str, Item]) -> Glimpse:
        if not glimpse.task.output_recorded:
            return glimpse
        row = rows.get(keys.outcome(glimpse.task.workflow_id, glimpse.task.task_id)["sk"]["S"])
        if row is None:  # recorded after the page of the outcomes was read, and before that of the tasks
            return replace(glimpse, task=outbox.dressed(glimpse.task, self.outcomes(glimpse.task.workflow_id, [glimpse.task.task_id])))
        outcome, apart = self._content.inline(Outcome, row)
        return Glimpse(replace(glimpse.task, output=outcome.output), {**glimpse.left_out, **apart})

    def _rows(self, workflow_id: str) -> Iterator[Item]:
        """Yield the outcome and task rows, which lie next to each other."""
        values = {":run": text(keys.run_partition(workflow_id)), ":first": text("O#"), ":last": text("T$")}  # `$` follows `#`
        return self._table.query("pk = :run AND sk BETWEEN :first AND :last", values)

    def record(self, outcome: Outcome) -> Outcome:
        """Store the outcome unless one stands; return the one that stands then."""
        content = self._content.attributes(outcome.workflow_id, outcome, ("output",))
        item = present({**keys.outcome(outcome.workflow_id, outcome.task_id), **content})
        standing = self._table.put(item, "attribute_not_exists(pk)")
        return outcome if standing is None else self._content.value(Outcome, standing)

    def outcomes(self, workflow_id: str, task_ids: Collection[str]) -> Mapping[str, Outcome]:
        asked = [keys.outcome(workflow_id, task_id) for task_id in dict.fromkeys(task_ids)]
        found = [self._content.value(Outcome, item) for item in self._table.batch_get(asked)]
        return {outcome.task_id: outcome for outcome in found}

    def workflow_of(self, task_id: str) -> str | None:
        if not keys.can_be_in_key(task_id):
            return None
        entries = self._table.query("tk = :task", {":task": text(task_id)}, IndexName=TASK_INDEX, Limit=1)
        entry = next(entries, None)
        return None if entry is None else entry["pk"]["S"].removeprefix(keys.run_partition(""))
