"""What a page of one run asks of AWS: little while nothing moves, and no payload that it does not show."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.api.gateway import Gateway
from tests.support.moto_world import Calls, MotoWorld, fresh_aws, watch
from tests.support.world import answer, step, workflow

MANY, QUERY = "dynamodb.BatchGetItem", "dynamodb.Query"
BIG = "x" * 20_000
POLLED = step("HTTP_POLL", "poll", {"http_request": {"uri": "https://a.example/", "terminationCondition": "false"}, "big": BIG})


@pytest.fixture
def world() -> Iterator[MotoWorld]:
    with fresh_aws():
        yield MotoWorld(lambda _request: answer({"page": BIG}))


def seen(world: MotoWorld, path: str, tag: str = "") -> tuple[Any, list[str]]:
    calls: Calls = watch(world.clients.values())
    found = Gateway(world.engine)("GET", path, headers={"if-none-match": tag})
    return found, calls.take_names()


def test_a_run_that_is_over_costs_its_row_when_nothing_has_moved(world: MotoWorld) -> None:
    path = f"/api/workflow/{world.start(workflow(step('INLINE', 'i', {'big': BIG, 'expression': '1'})), {'big': BIG})}?summarize=true"
    first, _ = seen(world, path)
    again, calls = seen(world, path, first.headers["ETag"])
    assert (again.status, calls) == (304, [MANY])


def test_a_run_that_polls_costs_its_row_and_the_hot_row_when_nothing_has_moved(world: MotoWorld) -> None:
    path = f"/api/workflow/{world.start(workflow(POLLED))}?summarize=true"
    world.run_until(timedelta(seconds=70))
    first, looked = seen(world, path)
    assert looked == [MANY, QUERY, MANY]  # the run, its tasks, the polls: big payloads lie in S3 and stay there
    assert first.json["tasks"][0]["inputDataSize"] > len(BIG)
    again, calls = seen(world, path, first.headers["ETag"])
    assert (again.status, calls) == (304, [MANY, MANY])
    world.run_until(timedelta(seconds=70))
    after, _ = seen(world, path, first.headers["ETag"])
    assert (after.status, after.json["tasks"][0]["pollCount"]) == (200, 3)


def test_one_task_is_read_without_its_run_s_others(world: MotoWorld) -> None:
    steps = [step("INLINE", f"i{number}", {"big": BIG, "expression": str(number)}) for number in range(5)]
    path = f"/api/workflow/{world.start(workflow(*steps), {'big': BIG})}"
    task_id = seen(world, f"{path}?summarize=true")[0].json["tasks"][3]["taskId"]
    world.clients["s3"].meta.events.register("before-call.s3.GetObject", lambda **_: pytest.fail("remembered since it was put"))
    found, calls = seen(world, f"/api/tasks/{task_id}")
    assert (found.json["outputData"], found.json["inputData"]["big"]) == ({"result": 3}, BIG)
    assert calls == [QUERY, MANY, MANY]
