"""The official SDK's workers on the local server, as `make bench ARGS=sdk_load` loads it."""

from benchmarks import sdk_load


def test_the_sdks_workers_work_through_the_local_server() -> None:
    seconds, *_, requests = sdk_load.measure(workflows=3)
    assert seconds.value > 0
    assert "updates" in requests.note
    assert requests.value < 60  # a start, and three tasks that are polled for or handed out by an update; idle polls go by the seconds
