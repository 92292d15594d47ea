"""A run knows whom it asks: each host once, whatever the address, the attempt or the number of polls."""

from datetime import timedelta

import pytest
from fermata.domain.searching.conditions import OneOf
from fermata.domain.searching.fields import VENDOR_HOST
from fermata.domain.vendors import MAX_HOSTS, host_of
from fermata.ports import WorkflowQuery

from tests.support.world import Vendor, World, answer, main_job, step, workflow


def asked(world: World, run_id: str) -> list[str]:
    return list(world.view(run_id).workflow.vendor_hosts)


def test_the_main_job_asks_one_host_once() -> None:
    world = World(Vendor(answer({"state": "RUNNING"}), answer({"state": "SUCCEEDED"})))
    run_id = world.start(main_job(), {"jobApiUrl": "https://Jobs.Vendor.example:8443/api?key=secret", "dataset": "d"})
    revisions = world.view(run_id).workflow.revision
    assert asked(world, run_id) == ["jobs.vendor.example"]
    assert revisions == 1, "it is noted with the decision that schedules the request"
    world.run_until(timedelta(minutes=10))
    assert asked(world, run_id) == ["jobs.vendor.example"]
    found = world.engine.executions.search(WorkflowQuery(OneOf(VENDOR_HOST, ("jobs.vendor.example",))))
    assert [run.workflow_id for run in found.workflows] == [run_id]


def test_further_hosts_are_noted_in_their_order_up_to_a_bound() -> None:
    world = World()
    calls = [step("HTTP", f"h{number}", {"http_request": {"uri": f"https://v{number}.example/", "method": "GET"}}) for number in range(12)]
    run_id = world.start(workflow(*calls))
    world.run()
    assert asked(world, run_id) == [f"v{number}.example" for number in range(MAX_HOSTS)]


@pytest.mark.parametrize("uri", ["https://${workflow.secrets.host}/", "not an address", 7, "https://[::1"])
def test_what_names_no_host_is_not_noted(uri: object) -> None:
    world = World()
    run_id = world.start(
        workflow(
            step("HTTP", "h", {"http_request": {"uri": uri, "method": "GET"}}),
            step("INLINE", "i", {"uri": "https://a.b/", "expression": "1"}),
        )
    )
    assert asked(world, run_id) == []


def test_a_host_is_told_without_the_rest_of_its_address() -> None:
    assert host_of({"uri": "https://ann:pass@Exports.example:1/x?y"}) == "exports.example"
