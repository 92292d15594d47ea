"""Crash safety over the real adapters: the adversary of `tests/engine`, on DynamoDB and S3 as moto plays them.

A process dies here between any two writes of an adapter, too: after the specification of a poll and before its hot row, between
two task rows, after a pack of the ledger and before the row. A crash after a read leaves what a crash before it left.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from fermata.adapters.dynamodb import keys
from fermata.domain.http_exchange import HttpAnswer, HttpRequest, HttpResult
from hypothesis import HealthCheck, Phase, settings

from tests.engine.test_crash_safety import GIVEN, AnyInterleaving
from tests.engine.test_every_crash import RUNS, OneCrash, crash_everywhere
from tests.support.chaos import CrashPlan
from tests.support.moto_world import BUCKET, MotoWorld, fresh_aws, shared_client
from tests.support.random_interfaces import interface, state_action

WRITES = ("dynamodb.PutItem", "dynamodb.UpdateItem", "dynamodb.DeleteItem", "s3.PutObject")
PADDING = "x" * 9000  # no row holds that much: each answer and the run's input become payloads in S3


@pytest.fixture(autouse=True)
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(keys, "DUE_SHARDS", 2)  # most of the calls here are the sweeper's, which reads every shard
    with fresh_aws():
        yield


class _After:
    """A port with a crash boundary after each call. Before it is after the write before it."""

    def __init__(self, port: Any, plan: CrashPlan) -> None:
        self._port = port
        self._plan = plan

    def __getattr__(self, name: str) -> Any:
        def breaking(*args: Any) -> Any:
            result = getattr(self._port, name)(*args)
            self._plan.pass_boundary()
            return result

        return breaking


class AnyInterleavingOnMoto(AnyInterleaving):
    given: ClassVar[dict[str, Any]] = {**GIVEN, "padding": PADDING}
    world: MotoWorld

    def __init__(self) -> None:
        super().__init__()
        self._closed = False
        self.engine = replace(self.sound, alarms=_After(self.mailbox, self.plan), http=_After(self.client, self.plan))
        for event in WRITES:
            self._events(event).register(f"after-call.{event}", self._written)

    def make_world(self) -> MotoWorld:
        return MotoWorld()

    def make_vendor(self) -> Any:
        script = super().make_vendor()

        def padded(request: HttpRequest) -> HttpResult:
            result: HttpResult = script(request)
            if not isinstance(result, HttpAnswer):
                return result
            return replace(result, body=json.dumps({**json.loads(result.body), "padding": PADDING}).encode())

        return padded

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the clients and the table. Safe to repeat."""
        if self._closed:
            return
        self._closed = True
        for event in WRITES:
            self._events(event).unregister(f"after-call.{event}", self._written)
        self.world.close()

    def _events(self, event: str) -> Any:
        return self.world.clients[event.partition(".")[0]].meta.events

    def _written(self, **_: Any) -> None:
        self.plan.pass_boundary()


TestAnyInterleavingOnMoto = AnyInterleavingOnMoto.TestCase
TestAnyInterleavingOnMoto.settings = settings(
    max_examples=15,
    stateful_step_count=12,
    phases=[Phase.generate],  # twelve steps can be read as they are; to shrink them takes minutes on moto
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


class OneCrashOnMoto(AnyInterleavingOnMoto, OneCrash):
    def play(self, definition: dict[str, Any], delivery: int, boundary: int, *, lost: bool) -> bool:
        try:
            return super().play(definition, delivery, boundary, lost=lost)
        finally:
            self.close()


@pytest.mark.parametrize("lost", [False, True], ids=["redelivered", "lost"])
def test_a_crash_after_any_write_of_any_delivery_changes_no_end(*, lost: bool) -> None:
    assert crash_everywhere(OneCrashOnMoto, RUNS["submit, poll, compute"], lost=lost) > 20, "the run has more writes than that"
    assert shared_client("s3").list_objects_v2(Bucket=BUCKET)["KeyCount"] > 0, "no payload was too big for a row"


def test_a_crash_after_any_write_applies_no_state_operation_twice() -> None:
    assert crash_everywhere(OneCrashOnMoto, interface(state_action("Set", "set", "k0")), lost=False) > 4
