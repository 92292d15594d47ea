"""What every `RecurringAlarms` promises, and how AWS is asked to keep it."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from botocore.exceptions import ClientError
from fermata.adapters.alarms.recurring import SCHEDULED_TIME, AwsRecurringAlarms, expression, schedule_name
from fermata.adapters.memory.recurring import MemoryRecurringAlarms
from fermata.domain.cron import parse
from fermata.domain.errors import EngineBug, TransientError
from fermata.domain.messages import StartScheduled
from fermata.domain.schedules import Recurrence
from fermata.ports import RecurrencePart, RecurrenceRefused
from fermata.wire import deliveries

NOW = datetime(2090, 1, 1, 12, 0, 30, tzinfo=UTC)  # far ahead: moto asks the system's clock whether a start is past
HOUR = timedelta(hours=1)


def nightly(**fields):
    return Recurrence("nightly", fields.pop("entry", 1), parse(fields.pop("cron", "0 30 2 * * *")), "Europe/Berlin", **fields)


class AwsSide:
    def __init__(self, aws):
        self.scheduler = aws("scheduler")
        self.scheduler.create_schedule_group(Name="recurring")
        arn, role = "arn:aws:lambda:eu-west-1:123456789012:function:wakeup", "arn:aws:iam::123456789012:role/scheduler"
        targets = {"recurring_group": "recurring", "wakeup_target_arn": arn, "scheduler_role_arn": role}
        dead = "arn:aws:sqs:eu-west-1:123456789012:dead"
        self.alarms = AwsRecurringAlarms(self.scheduler, SimpleNamespace(**targets, scheduler_dlq_arn=dead))

    def schedules(self):
        listed = self.scheduler.list_schedules(GroupName="recurring")["Schedules"]
        return sorted((self.scheduler.get_schedule(GroupName="recurring", Name=each["Name"]) for each in listed), key=lambda s: s["Name"])

    def armed(self):
        return [(json.loads(each["Target"]["Input"])["entry"], each["State"] == "ENABLED") for each in self.schedules()]


class MemorySide:
    def __init__(self):
        self.alarms = MemoryRecurringAlarms()

    def armed(self):
        return [(each.entry, each.enabled) for each in self.alarms.armed()]


@pytest.fixture(params=["memory", "moto"])
def side(request):
    return MemorySide() if request.param == "memory" else AwsSide(request.getfixturevalue("aws"))


@pytest.fixture
def aws_side(aws):
    return AwsSide(aws)


def test_a_repeated_put_is_one_alarm_and_each_cron_has_its_own(side):
    for recurrence in (nightly(), nightly(), nightly(entry=2), nightly()):
        side.alarms.put(recurrence, NOW)
    assert side.armed() == [(1, True), (2, True)]


def test_an_alarm_is_silenced_and_let_go_on(side):
    side.alarms.put(nightly(), NOW)
    side.alarms.put(nightly(enabled=False), NOW)
    assert side.armed() == [(1, False)]
    side.alarms.put(nightly(), NOW)
    assert side.armed() == [(1, True)]


def test_a_removed_alarm_is_gone_also_when_it_is_removed_twice(side):
    side.alarms.put(nightly(), NOW)
    side.alarms.put(nightly(entry=2), NOW)
    for _ in range(2):
        side.alarms.remove("nightly", 1)
    side.alarms.remove("unknown", 1)
    assert side.armed() == [(2, True)]


# --- memory fires ---


def test_memory_fires_each_minute_that_has_a_moment_while_it_is_armed():
    alarms = MemoryRecurringAlarms()
    alarms.put(replace(nightly(cron="15,45 */20 * * * *"), start=NOW + HOUR, end=NOW + 2 * HOUR), NOW)
    assert alarms.next_at() == datetime(2090, 1, 1, 13, 0, tzinfo=UTC)  # the minute in which the window begins
    fired = alarms.take_due(NOW + HOUR + timedelta(minutes=30))
    assert fired == [StartScheduled("nightly", 1, datetime(2090, 1, 1, 13, minute, tzinfo=UTC)) for minute in (0, 20)]
    assert alarms.take_due(NOW + HOUR + timedelta(minutes=30)) == []
    rest = [message.at.minute for message in alarms.take_due(NOW + timedelta(days=9))]
    assert rest == [40, 0]  # the window has ended
    assert alarms.next_at() is None


def test_memory_keeps_its_place_when_the_same_is_put_again():
    alarms = MemoryRecurringAlarms()
    alarms.put(nightly(), NOW)
    alarms.put(nightly(), NOW + timedelta(days=2))
    assert len(alarms.take_due(NOW + timedelta(days=2))) == 2


# --- AWS is asked ---


def test_aws_gets_a_recurring_schedule_that_tells_us_its_moment(aws_side):
    aws_side.alarms.put(nightly(), NOW)
    [schedule] = aws_side.schedules()
    assert schedule["ScheduleExpression"] == "cron(30 2 * * ? *)"
    assert schedule["ScheduleExpressionTimezone"] == "Europe/Berlin"
    assert schedule["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert schedule["ActionAfterCompletion"] == "NONE"
    target = schedule["Target"]
    assert (target["Arn"][-6:], target["RoleArn"][-9:], target["DeadLetterConfig"]["Arn"][-4:]) == ("wakeup", "scheduler", "dead")
    assert 60 <= target["RetryPolicy"]["MaximumEventAgeInSeconds"] <= 86400
    fired = target["Input"].replace(SCHEDULED_TIME, "2090-01-02T01:30:00Z")
    assert deliveries.from_text(fired) == StartScheduled("nightly", 1, datetime(2090, 1, 2, 1, 30, tzinfo=UTC))


def test_aws_is_told_of_the_window_in_whole_minutes_and_of_no_past_start(aws_side):
    window = {"start": NOW + HOUR, "end": NOW + 2 * HOUR}
    aws_side.alarms.put(nightly(**window), NOW)
    [schedule] = aws_side.schedules()
    assert schedule["StartDate"].timestamp() == datetime(2090, 1, 1, 13, 0, tzinfo=UTC).timestamp()
    assert schedule["EndDate"].timestamp() == datetime(2090, 1, 1, 14, 1, tzinfo=UTC).timestamp()
    aws_side.alarms.put(nightly(**window), NOW + HOUR)
    assert "StartDate" not in aws_side.schedules()[0]


def test_aws_has_nothing_for_a_window_that_is_over(aws_side):
    aws_side.alarms.put(nightly(), NOW)
    aws_side.alarms.put(nightly(end=NOW - HOUR), NOW)
    assert aws_side.schedules() == []


def test_a_change_replaces_everything(aws_side):
    aws_side.alarms.put(nightly(end=NOW + HOUR), NOW)
    aws_side.alarms.put(replace(nightly(cron="0 0 * * * MON"), zone="UTC"), NOW)
    [schedule] = aws_side.schedules()
    assert (schedule["ScheduleExpression"], schedule["ScheduleExpressionTimezone"]) == ("cron(0 * ? * 2 *)", "UTC")
    assert "EndDate" not in schedule


@pytest.mark.parametrize("operation", ["update_schedule", "delete_schedule"])
def test_a_change_that_meets_another_one_is_to_be_tried_again(aws_side, operation):
    def refused(**_):
        raise ClientError({"Error": {"Code": "ConflictException", "Message": "changing"}}, operation)

    scheduler = SimpleNamespace(create_schedule=refused, **{operation: refused})
    alarms = AwsRecurringAlarms(scheduler, aws_side.alarms._targets)
    with pytest.raises(TransientError, match="ConflictException"):
        alarms.remove("nightly", 1) if operation == "delete_schedule" else alarms.put(nightly(), NOW)


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("Invalid Schedule Expression cron(0 0 31 2 ? *).", RecurrencePart.CRON),
        ("Invalid Schedule Expression Timezone Mars/Base.", RecurrencePart.ZONE),
        ("1 validation error detected: Value at 'scheduleExpressionTimezone' failed to satisfy constraint", RecurrencePart.ZONE),
        ("The StartDate you specify cannot be earlier than 5 minutes ago.", RecurrencePart.START),
        ("The EndDate you specify cannot be earlier than the StartDate.", RecurrencePart.END),
    ],
)
@pytest.mark.parametrize("exists", [False, True])
def test_what_aws_does_not_take_is_told_by_its_part(aws_side, message, part, exists):
    alarms = AwsRecurringAlarms(strict_scheduler(message, exists=exists), aws_side.alarms._targets)
    with pytest.raises(RecurrenceRefused, match=re.escape(message)) as refused:
        alarms.put(nightly(entry=3), NOW)
    assert (refused.value.entry, refused.value.part) == (3, part)


def test_what_the_author_of_a_schedule_cannot_mend_is_our_own_fault(aws_side):
    message = "The execution role you provide must allow AWS EventBridge Scheduler to assume the role."
    with pytest.raises(EngineBug, match="execution role"):
        AwsRecurringAlarms(strict_scheduler(message), aws_side.alarms._targets).put(nightly(), NOW)


def strict_scheduler(message, *, exists=False):
    def refuses(code):
        def operation(**_):
            raise ClientError({"Error": {"Code": code, "Message": message}}, "CreateSchedule")

        return operation

    creation = "ConflictException" if exists else "ValidationException"
    return SimpleNamespace(create_schedule=refuses(creation), update_schedule=refuses("ValidationException"))


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("0 * * * * *", "cron(* * * * ? *)"),
        ("0 0/15 9-17 * * MON-FRI", "cron(0/15 9-17 ? * 2-6 *)"),
        ("0 0 12 * * SUN,SAT", "cron(0 12 ? * 1,7 *)"),  # Sunday is 1 there
        ("0 0 12 ? 1-3,DEC 7", "cron(0 12 ? 1-3,12 1 *)"),
        ("*/10 5,7 0 1 * ?", "cron(5,7 0 1 * ? *)"),  # seconds are ours
        ("0 0 0 13 * FRI", "cron(0 0 13 * ? *)"),  # both days: the day of the week is looked at when it fires
        ("0 0 0 L * ?", "cron(0 0 28-31 * ? *)"),
        ("0 0 0 L-3 * ?", "cron(0 0 25-28 * ? *)"),
        ("0 0 0 LW * ?", "cron(0 0 26-31 * ? *)"),
        ("0 0 0 15W * ?", "cron(0 0 13-17 * ? *)"),
        ("0 0 0 1W,20 * ?", "cron(0 0 1-3,20 * ? *)"),
        ("0 0 0 ? * 5L", "cron(0 0 ? * 6 *)"),
        ("0 0 0 ? * MON#1,TUE", "cron(0 0 ? * 2,3 *)"),
        ("0 3-59/4 0 * * *", "cron(3/4 0 * * ? *)"),
        ("0 1,2,3,10,30 0/6 * * *", "cron(1-3,10,30 0/6 * * ? *)"),
    ],
)
def test_a_cron_becomes_one_of_schedulers_that_fires_whenever_it_comes(cron, expected):
    assert expression(parse(cron)) == expected


def test_the_longest_cron_there_can_be_is_not_too_long_for_scheduler():
    """Pairs take most characters: a row of three is told as a range, and single numbers leave out more."""
    fields = [",".join(str(number) for number in range(low, high) if number % 3) for low, high in ((0, 60), (0, 24), (1, 32), (1, 13))]
    assert 240 <= len(expression(parse(f"0 {' '.join(fields)} *"))) <= 256


@pytest.mark.parametrize("name", ["a", "nightly", "Größe, Leerzeichen/Schrägstrich", "x" * 500, "<aws.scheduler.execution-id>"])
def test_the_name_of_a_schedule_keeps_to_schedulers_limits_and_its_own_name_is_never_filled_in(name, aws_side):
    assert re.fullmatch(r"[0-9a-zA-Z_.-]{1,64}", schedule_name(name, 50))
    aws_side.alarms.put(replace(nightly(), schedule=name), NOW)
    text = aws_side.schedules()[0]["Target"]["Input"]
    assert text.count("<aws.scheduler") == 1
    assert deliveries.from_text(text.replace(SCHEDULED_TIME, "2090-01-02T01:30:00Z")).schedule == name
