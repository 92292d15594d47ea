"""What was done to runs, in the partition of each run."""

from collections.abc import Iterator, Sequence

from fermata.adapters.dynamodb import keys
from fermata.adapters.dynamodb.table import Item, Table, text
from fermata.domain.operations import Operation
from fermata.wire import records


class DynamoOperations:
    """An `Operations`: one small row each. The rows expire with the run's others, whoever wrote them last."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def write(self, operation: Operation) -> None:
        row = {**keys.operation(operation.workflow_id, operation.key), "b": {"B": records.dump(operation)}}
        self._table.put(row, "attribute_not_exists(pk)")

    def of(self, workflow_id: str) -> Sequence[Operation]:
        found = [records.load(Operation, row["b"]["B"]) for row in self._rows(workflow_id)]
        return sorted(found, key=lambda each: (each.at, each.key))

    def remove(self, workflow_id: str) -> None:
        for row in list(self._rows(workflow_id, ProjectionExpression="pk, sk")):
            self._table.delete(keys.key(*keys.identity(row)))

    def _rows(self, workflow_id: str, **options: str) -> Iterator[Item]:
        values = {":run": text(keys.run_partition(workflow_id)), ":operations": text(keys.OPERATIONS)}
        return self._table.query("pk = :run AND begins_with(sk, :operations)", values, **options)
