"""The kit plays the workers of SIMPLE tasks."""

from datetime import timedelta

import pytest
from fermata.domain.tasks.registry import TASK_TYPES
from fermata_testing import Rehearsal, TaskFailed

from tests.support.world import step, workflow

pytestmark = pytest.mark.skipif("SIMPLE" not in TASK_TYPES, reason="this engine has no SIMPLE tasks yet")
POLICY = {"name": "pack", "retryCount": 2, "retryDelaySeconds": 10}


def test_a_worker_fails_and_is_asked_again_after_the_delay():
    tries = []

    def pack(task_input):
        tries.append(task_input["n"])
        if len(tries) == 1:
            raise TaskFailed("busy")
        return {"packed": task_input["n"]}

    definition = workflow(step("SIMPLE", "p", {"n": 3}, name="pack"))
    result = Rehearsal(definition, workers={"pack": pack}, task_definitions=[POLICY]).run()
    assert (result.status, result.output, result.elapsed, tries) == ("COMPLETED", {"packed": 3}, timedelta(seconds=10), [3, 3])


def test_a_task_that_nobody_plays_waits():
    assert Rehearsal(workflow(step("SIMPLE", "p", name="pack"))).run().waiting == ["p"]
