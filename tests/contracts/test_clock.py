"""What every `Clock` promises: the present moment, aware, UTC, in whole milliseconds, never going back."""

from datetime import UTC, datetime, timedelta

import pytest
from fermata.adapters.clock import SystemClock
from fermata.adapters.memory.clock import VirtualClock
from fermata_local.clocks import RealClock, SkippingClock, skipping_from_now

ODD = datetime(2026, 1, 1, 12, 0, 0, 123_456, tzinfo=UTC)
CLOCKS = {
    "system": SystemClock,
    "virtual": VirtualClock,
    "real": RealClock,
    "skipping": lambda: SkippingClock(ODD, lambda: 0.000_7),
    "skipping from now": skipping_from_now,
}
SKIPPING = {name: make for name, make in CLOCKS.items() if name.startswith("skipping")}


@pytest.fixture(params=CLOCKS)
def clock(request):
    return CLOCKS[request.param]()


def test_now_is_aware_and_utc(clock):
    assert clock.now().tzinfo is UTC


def test_now_is_what_a_store_gives_back(clock):
    """Moments are stored in whole milliseconds: one that had more would come back as another, perhaps as one still to come."""
    for _ in range(20):
        assert clock.now().microsecond % 1000 == 0


def test_now_never_goes_back(clock):
    moments = [clock.now() for _ in range(20)]
    assert moments == sorted(moments)


@pytest.mark.parametrize("name", SKIPPING)
@pytest.mark.parametrize("microseconds", [0, 1, 999, 1000])
def test_a_clock_that_skips_has_reached_the_moment_it_skipped_to(name, microseconds):
    clock = SKIPPING[name]()
    moment = clock.now() + timedelta(hours=1, microseconds=microseconds)
    assert clock.skip_to(moment)
    assert clock.now() >= moment


def test_a_virtual_clock_has_reached_the_moment_it_was_moved_to():
    clock = VirtualClock()
    assert clock.move_to(ODD) >= ODD
    assert clock.advance(timedelta(microseconds=1)) > ODD
