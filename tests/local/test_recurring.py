"""The local cloud fires recurring schedules by their own expressions, and skips no time for their sake alone."""

import json
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import boto3
import pytest
from fermata_local import environment, moto_internals
from fermata_local.clocks import SkippingClock
from fermata_local.cloud import LocalCloud, Stuck
from fermata_local.recurring import RecurringSchedules

START = datetime(2026, 1, 1, tzinfo=UTC)  # a Thursday
HOUR = timedelta(hours=1)


@pytest.fixture
def clock():
    return SkippingClock(START)


@pytest.fixture
def played(clock):
    with moto_internals.running(clock):
        environment_region = {"region_name": moto_internals.REGION, "aws_access_key_id": "x", "aws_secret_access_key": "x"}
        scheduler = boto3.client("scheduler", **environment_region)
        scheduler.create_schedule_group(Name="recurring")

        def put(expression, zone="UTC", name="s", *, update=False, **fields):
            arn = environment.function_arn("wakeup")
            target = {"Arn": arn, "RoleArn": "arn:aws:iam::123456789012:role/r", "Input": '{"at":"<aws.scheduler.scheduled-time>"}'}
            method = scheduler.update_schedule if update else scheduler.create_schedule
            method(
                Name=name,
                GroupName="recurring",
                ScheduleExpression=expression,
                ScheduleExpressionTimezone=zone,
                FlexibleTimeWindow={"Mode": "OFF"},
                Target=target,
                **fields,
            )

        yield RecurringSchedules("recurring", clock.now), put


def fired(source, clock, count):
    moments = []
    while len(moments) < count and (at := source.next_moment()) is not None:
        clock.skip_to(at)
        moments += [delivery.event["at"] for delivery in source.due(clock.now())]
    return moments


@pytest.mark.parametrize(
    ("expression", "zone", "expected"),
    [
        ("cron(0/30 9 * * ? *)", "UTC", ["2026-01-01T09:00:00Z", "2026-01-01T09:30:00Z", "2026-01-02T09:00:00Z"]),
        ("cron(0 12 ? * 1,7 *)", "UTC", ["2026-01-03T12:00:00Z", "2026-01-04T12:00:00Z", "2026-01-10T12:00:00Z"]),
        ("cron(0 12 ? * 2-6 *)", "UTC", ["2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z", "2026-01-05T12:00:00Z"]),
        ("cron(0 12 ? * 1/2 *)", "UTC", ["2026-01-01T12:00:00Z", "2026-01-03T12:00:00Z", "2026-01-04T12:00:00Z"]),
        ("cron(30 2 28-31 3 ? *)", "Europe/Berlin", ["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"]),
        ("cron(30 2 25,26 10 ? *)", "Europe/Berlin", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
    ],
)
def test_each_fires_by_its_expression_in_its_zone(played, clock, expression, zone, expected):
    source, put = played
    put(expression, zone)
    assert fired(source, clock, len(expected)) == expected


def test_a_window_a_pause_and_a_change_are_kept_to(played, clock):
    source, put = played
    put("cron(0 * * * ? *)", StartDate=START + 2 * HOUR, EndDate=START + 3 * HOUR + timedelta(minutes=1))
    assert fired(source, clock, 9) == ["2026-01-01T02:00:00Z", "2026-01-01T03:00:00Z"]
    put("cron(0 * * * ? *)", update=True, State="DISABLED")
    assert source.next_moment() is None
    put("cron(15 * * * ? *)", update=True, State="ENABLED")
    assert fired(source, clock, 1) == ["2026-01-01T03:15:00Z"]


def test_missed_moments_are_not_made_up_for(played, clock):
    source, put = played
    put("cron(0 * * * ? *)")
    assert source.due(clock.now()) == []
    clock.skip_to(START + 5 * HOUR + timedelta(minutes=1))
    assert [delivery.event["at"] for delivery in source.due(clock.now())] == ["2026-01-01T01:00:00Z"]
    assert source.next_moment() == START + 6 * HOUR


@pytest.mark.parametrize("expression", ["cron(0 0 L * ? *)", "cron(0 0 ? * 2#1 *)", "cron(0 0 1 * ? 2027)"])
def test_what_our_adapter_never_writes_is_refused(played, expression):
    source, put = played
    put(expression)
    with pytest.raises(ValueError, match="plays no"):
        source.next_moment()


def test_time_skips_to_recurring_schedules_only_while_something_else_waits_or_for_a_stated_time():
    seen = []

    def wakeup(event, context):
        seen.append((cloud.clock.now() - START, event["do"]))

    doors = dict.fromkeys(("api", "task_runner", "sweeper"), lambda event, context: None) | {"wakeup": wakeup}
    with LocalCloud(SkippingClock(START), doors_of=lambda _clock: nullcontext(doors)) as cloud:
        target = {"Arn": environment.function_arn("wakeup"), "RoleArn": "arn:aws:iam::123456789012:role/r"}
        put = boto3.client("scheduler").create_schedule
        common = {"FlexibleTimeWindow": {"Mode": "OFF"}}
        recurs = {**target, "Input": json.dumps({"do": "recurs"})}
        put(Name="r", GroupName=environment.RECURRING_GROUP, ScheduleExpression="cron(0 * * * ? *)", Target=recurs, **common)
        cloud.run_until_idle()
        assert (seen, cloud.clock.now()) == ([], START)
        with pytest.raises(Stuck):
            cloud.run_until(lambda: False)
        once = {**target, "Input": json.dumps({"do": "once"})}
        put(Name="o", GroupName=environment.GROUP, ScheduleExpression="at(2026-01-01T02:30:00)", Target=once, **common)
        cloud.run_until_idle()
        assert seen == [(HOUR, "recurs"), (2 * HOUR, "recurs"), (2.5 * HOUR, "once")]
        cloud.run_for(2 * HOUR)
        assert seen[3:] == [(3 * HOUR, "recurs"), (4 * HOUR, "recurs")]
        assert cloud.clock.now() == START + 4.5 * HOUR
