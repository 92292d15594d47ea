"""Five hours of polling, skipped: in memory, and through the real doors on moto."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from fermata.domain.status import WorkflowStatus
from fermata_local import checkout
from fermata_local.clocks import skipping_from_now
from fermata_local.cloud import SKIPPING_SWEEP, LocalCloud

from benchmarks.figures import Figure
from benchmarks.measured_job import RUNNING, SUCCEEDED
from tests.support.world import Vendor, World, main_job

POLLS = 300
FIVE_HOURS = timedelta(hours=5)
MEMORY_SECONDS = 1
DOORS_SECONDS = 10


def measure() -> Sequence[Figure]:
    return (
        _figure("in memory", in_memory, MEMORY_SECONDS),
        _figure("through the doors, on moto", through_doors, DOORS_SECONDS),
    )


def _figure(where: str, run: Callable[[], float], target: float) -> Figure:
    before = time.process_time()
    seconds = run()
    processor = time.process_time() - before  # on a busy machine this tells more than the wall clock
    return Figure("virtual_clock", f"{POLLS} polls {where}", seconds, "s", target, f"with its set-up {processor:.1f} s of processor time")


def long_job() -> dict[str, Any]:
    """Return the main job, allowed to take five hours."""
    definition = {**main_job(), "timeoutSeconds": int(FIVE_HOURS.total_seconds()) + 3600}
    definition["tasks"][1]["inputParameters"]["http_request"]["maxPollCount"] = POLLS + 1
    return definition


def in_memory() -> float:
    """Return the seconds that the run takes."""
    world = World(Vendor(*[RUNNING] * (POLLS - 1), SUCCEEDED))
    world.outcome({**long_job(), "name": "warm_up"}, {"jobApiUrl": "http://jobs.example"})
    world = World(Vendor(*[RUNNING] * (POLLS - 1), SUCCEEDED))
    began = time.perf_counter()
    view = world.outcome(long_job(), {"jobApiUrl": "http://jobs.example", "dataset": "d"})
    took = time.perf_counter() - began
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert view.tasks[1].task.poll_count == POLLS
    return took


def through_doors() -> float:
    """Return the seconds from the start request to the end of the run."""
    definition = long_job()
    with (
        checkout.load_job_api().serve(polls_to_finish=POLLS) as vendor,
        LocalCloud(skipping_from_now(), sweep_every=SKIPPING_SWEEP) as cloud,
    ):
        cloud.api("POST", "/api/metadata/workflow", definition)
        began = time.perf_counter()
        given = {"jobApiUrl": vendor.url, "dataset": "orders"}
        workflow_id = cloud.api("POST", f"/api/workflow/{definition['name']}", given).text
        cloud.run_until(lambda: list(vendor.jobs.polls().values()) == [POLLS])
        cloud.run_until(lambda: _status(cloud, workflow_id) != "RUNNING")
        took = time.perf_counter() - began
        assert _status(cloud, workflow_id) == "COMPLETED", cloud.failures
    return took


def _status(cloud: LocalCloud, workflow_id: str) -> str:
    status: str = cloud.api("GET", f"/api/workflow/{workflow_id}?includeTasks=false").json["status"]
    return status
