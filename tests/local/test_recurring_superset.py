"""Scheduler is asked to fire whenever a cron has a moment: its expression, read by itself, misses none."""

from datetime import UTC, datetime, timedelta
from itertools import islice

from fermata.adapters.alarms.recurring import expression
from fermata.domain.cron import parse
from fermata.domain.cron.moments import moments_after, time_zone
from fermata_local.moto_internals import Recurring
from fermata_local.recurring import next_after
from hypothesis import given, settings
from hypothesis import strategies as st

START = datetime(2026, 2, 20, tzinfo=UTC)


def numbers(low, high):
    one = st.integers(low, high)
    span = st.tuples(one, one).map(lambda pair: f"{min(pair)}-{max(pair)}")
    step = st.tuples(one.map(str) | span | st.just("*"), st.integers(1, 30)).map(lambda pair: f"{pair[0]}/{pair[1]}")
    return st.lists(one.map(str) | span | step | st.just("*"), min_size=1, max_size=3).map(",".join)


MONTH_DAYS = numbers(1, 31) | st.sampled_from(["?", "*", "L", "LW", "L-3", "15W", "1W", "31W", "1,L", "L-30,10W"])
WEEK_DAYS = numbers(0, 7) | st.sampled_from(["?", "*", "5L", "MON#1", "0#5,2", "SUN-TUE", "6-7", "7L"])
CRONS = st.tuples(st.just("0"), numbers(0, 59), numbers(0, 23), MONTH_DAYS, numbers(1, 12), WEEK_DAYS).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(CRONS, st.sampled_from(["UTC", "Europe/Berlin", "Africa/Cairo", "Asia/Kathmandu"]))
def test_no_moment_of_a_cron_is_missed(cron, zone):
    parsed, told = parse(cron), expression(parse(cron))
    assert len(told) <= 256
    schedule = Recurring("s", told, zone, None, None, "", "")
    for moment in islice(moments_after(parsed, time_zone(zone), START), 8):
        assert next_after(schedule, moment - timedelta(seconds=1)) == moment
