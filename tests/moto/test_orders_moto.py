"""Orders between deliveries over the real adapters: rows that a rerun forgets and runs that are removed, on DynamoDB as moto plays it."""

from collections.abc import Iterator

import pytest
from fermata.adapters.dynamodb import keys
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant

from tests.engine.test_chaos_of_orders import AnyOrders
from tests.moto.test_crash_safety_moto import AnyInterleavingOnMoto
from tests.support import recount
from tests.support.moto_world import fresh_aws, shared_client


@pytest.fixture(autouse=True)
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(keys, "DUE_SHARDS", 2)  # most of the calls here are the sweeper's, which reads every shard
    with fresh_aws():
        yield


class AnyOrdersOnMoto(AnyInterleavingOnMoto, AnyOrders):
    @invariant()
    def the_row_counts_what_the_tasks_say(self) -> None:
        stored = self.sound.executions.load(self.workflow_id) if hasattr(self, "workflow_id") else None
        if stored is not None and stored.outbox is None:
            recount.check(stored.workflow, self.sound.executions.all_tasks(self.workflow_id))

    def _check_nothing_is_left(self) -> None:
        super()._check_nothing_is_left()
        rows = shared_client("dynamodb").scan(TableName=self.world.table_name)["Items"]
        mine = [row for row in rows if row["pk"]["S"] == keys.run_partition(self.workflow_id)]
        assert not mine, "a row of the removed run is left"


TestAnyOrdersOnMoto = AnyOrdersOnMoto.TestCase
TestAnyOrdersOnMoto.settings = settings(
    max_examples=8,
    stateful_step_count=12,
    phases=[Phase.generate],  # twelve steps can be read as they are; to shrink them takes minutes on moto
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
