"""The estimate of a run's cost is what the run is measured to take."""

import pytest
from fermata.domain.costing import estimate

from benchmarks.measured_job import GIVEN, RUNNING, SUCCEEDED, measured, polling_job
from tests.support.world import Vendor


def test_the_estimate_of_the_main_job_is_within_a_tenth_of_what_is_measured() -> None:
    with measured(Vendor(*[RUNNING] * 13, SUCCEEDED)) as run:
        name = run.world.register(polling_job())
        run.cost()
        workflow_id = run.world.start(name=name, given=dict(GIVEN))
        costs = [run.cost()]
        while (step := run.next_step()) is not None:
            costs.append(step[1])
        view = run.world.view(workflow_id)
        found = estimate(view.workflow, [each.task for each in view.tasks], run.world.engine.min_poll_interval)
    assert (found.polls, found.requests, view.workflow.status) == (14, 15, "COMPLETED")
    assert found.write_units == pytest.approx(sum(cost.write_units for cost in costs), rel=0.1)
    assert found.invocations == len(costs)
