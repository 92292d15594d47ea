"""The benchmarks run, their arithmetic holds, and what a completed task costs does not grow with the run."""

import re
from pathlib import Path

import pytest

from benchmarks import cold_start, poll_cost, waiting
from benchmarks.areas import AREAS
from benchmarks.figures import Figure, as_json, as_table
from benchmarks.growth import list_iteration_cost, task_costs, whole_loop_bytes
from benchmarks.virtual_clock import POLLS, long_job

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_every_module_that_measures_is_an_area() -> None:
    assert set(AREAS) == {path.stem for path in BENCHMARKS.glob("*.py") if "def measure(" in path.read_text()}


def test_a_figure_above_its_target_is_marked_in_the_table_and_in_json() -> None:
    kept, broken = Figure("a", "calls", 3, "", 3), Figure("a", "row", 1536, "bytes", 1024, "too big")
    assert as_table([kept, broken, Figure("b", "time", 0.25, "s")]).splitlines() == [
        "figure      measured    target  ratio",
        "",
        "a",
        "  calls            3      <= 3   1.00",
        "  row    1,536 bytes  <= 1,024   1.50  over  too big",
        "",
        "b",
        "  time       0.250 s",
    ]
    assert [(row["ratio"], row["is_kept"]) for row in as_json([kept, broken])] == [(1, True), (1.5, False)]


def test_an_idle_worker_costs_what_the_docs_say() -> None:
    told = (BENCHMARKS.parent / "docs" / "workers.md").read_text()
    prices = [f"{figure.value:.2g}" for figure in waiting.idle_workers()]
    assert len(prices) == 6
    assert [price for price in prices if not re.search(rf"\| \**{re.escape(price)}\** \|", told)] == []


def test_a_million_polls_are_priced_by_their_parts() -> None:
    bill = poll_cost.bill(read_units=1, write_units=1.25)
    assert (bill.reads, bill.writes, bill.schedules, bill.requests) == (0.125, 0.78125, 1, 0.2)
    assert bill.compute == pytest.approx(2, abs=0.01)
    assert bill.total == pytest.approx(4.106, abs=0.01)


def test_a_heavy_module_that_was_loaded_is_not_absent() -> None:
    assert "requests" not in cold_start.absent_modules(["app", "requests"])
    assert cold_start.absent_modules(["app"]) == list(cold_start.HEAVY)


def test_the_long_job_may_poll_for_five_hours() -> None:
    definition = long_job()
    assert definition["timeoutSeconds"] >= POLLS * 60
    assert definition["tasks"][1]["inputParameters"]["http_request"]["maxPollCount"] > POLLS


def test_a_completed_task_costs_the_same_early_and_late_in_a_sequence() -> None:
    early, late = task_costs(40, 10, 39)
    assert late.calls == early.calls
    assert late.write_units == early.write_units
    assert late.sent_bytes + late.received_bytes <= 1.1 * (early.sent_bytes + early.received_bytes)


def test_an_iteration_costs_the_same_over_a_short_list_and_over_a_long_one() -> None:
    short, long = list_iteration_cost(10, 3), list_iteration_cost(5000, 3)
    assert long.calls == short.calls
    assert long.write_units == short.write_units
    assert long.sent_bytes + long.received_bytes <= 1.1 * (short.sent_bytes + short.received_bytes)


def test_instant_iterations_cost_the_same_in_a_longer_loop() -> None:
    assert whole_loop_bytes(300) / 300 <= 1.5 * whole_loop_bytes(100) / 100
