"""What every `Alarms` promises, and by which of the three ways AWS is asked to keep it."""

import json
import re
from datetime import timedelta, timezone
from types import SimpleNamespace

import pytest
from fermata.adapters.alarms.one_shot import FARTHEST, AwsAlarms, schedule_name
from fermata.adapters.memory.alarms import MemoryAlarms
from fermata.domain.messages import PollDue, RunTask, WakeWorkflow
from fermata.wire import deliveries

from tests.contracts.builders import RUN, T0, seconds, task_id

MESSAGES = (RunTask(RUN, task_id(1)), PollDue(RUN, task_id(1), 7), WakeWorkflow(RUN))
SEND = "provide-client-params.sqs.SendMessage"
AHEAD = (-3600, 0, 0.25, 1, 59, 59.75, 60, 61.5, 3600, 10**7, 10**9)


class AwsSide:
    """Moto's queues and schedules, with everything that was delivered or armed read back as messages."""

    def __init__(self, aws):
        self.sqs, self.scheduler = aws("sqs"), aws("scheduler")
        self.urls = {name: self.sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("work", "wakeup")}
        self.scheduler.create_schedule_group(Name="group")
        arn = "arn:aws:lambda:eu-west-1:123456789012:function:wakeup"
        role, dead = "arn:aws:iam::123456789012:role/scheduler", "arn:aws:sqs:eu-west-1:123456789012:dead"
        self.sent = []
        self.sqs.meta.events.register(SEND, self.watch)
        queues = {"work_queue_url": self.urls["work"], "wakeup_queue_url": self.urls["wakeup"]}
        targets = {"schedule_group": "group", "wakeup_target_arn": arn, "scheduler_role_arn": role, "scheduler_dlq_arn": dead}
        self.alarms = AwsAlarms(self.sqs, self.scheduler, SimpleNamespace(**queues, **targets))

    def watch(self, params, **_):
        self.sent.append(params)

    def close(self):
        self.sqs.meta.events.unregister(SEND, self.watch)

    def queued(self):
        names = {url: name for name, url in self.urls.items()}
        return [(names[each["QueueUrl"]], deliveries.from_text(each["MessageBody"]), each["DelaySeconds"]) for each in self.sent]

    def schedules(self):
        listed = self.scheduler.list_schedules(GroupName="group")["Schedules"]
        return [self.scheduler.get_schedule(GroupName="group", Name=each["Name"]) for each in listed]

    def armed(self):
        return [message for _, message, _ in self.queued()] + [deliveries.from_text(each["Target"]["Input"]) for each in self.schedules()]


class MemorySide:
    def __init__(self):
        self.alarms = MemoryAlarms()

    def armed(self):
        return [message for message, _ in self.alarms.waiting()]


@pytest.fixture(params=["memory", "moto"])
def side(request):
    return MemorySide() if request.param == "memory" else request.getfixturevalue("aws_side")


@pytest.fixture
def aws_side(aws):
    made = AwsSide(aws)
    yield made
    made.close()


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("ahead", AHEAD)
def test_a_message_is_on_its_way_whenever_it_is_due(side, message, ahead):
    side.alarms.send(message, T0 + seconds(ahead), T0)
    assert side.armed() == [message]


@pytest.mark.parametrize("ahead", AHEAD)
def test_a_repeated_send_is_harmless(side, ahead):
    for _ in range(2):
        side.alarms.send(MESSAGES[1], T0 + seconds(ahead), T0)
    assert set(side.armed()) == {MESSAGES[1]}


def test_memory_hands_out_what_is_due_earliest_first():
    alarms = MemoryAlarms()
    for message, ahead in zip(MESSAGES, (9, 3, 6), strict=True):
        alarms.send(message, T0 + seconds(ahead), T0)
    assert alarms.next_at() == T0 + seconds(3)
    assert list(alarms.take_due(T0 + seconds(6))) == [MESSAGES[1], MESSAGES[2]]
    assert list(alarms.take_due(T0 + seconds(6))) == []
    assert alarms.next_at() == T0 + seconds(9)


@pytest.mark.parametrize("ahead", [-60, 0])
def test_what_is_due_goes_to_the_queue_of_its_door(aws_side, ahead):
    for message in MESSAGES:
        aws_side.alarms.send(message, T0 + seconds(ahead), T0)
    assert aws_side.queued() == [("work", MESSAGES[0], 0), ("work", MESSAGES[1], 0), ("wakeup", MESSAGES[2], 0)]


@pytest.mark.parametrize(("ahead", "delay"), [(0.001, 1), (1, 1), (1.001, 2), (59, 59), (59.999, 60)])
def test_what_is_due_within_a_minute_waits_in_the_wakeup_queue_never_too_short(aws_side, ahead, delay):
    for message in MESSAGES:
        aws_side.alarms.send(message, T0 + seconds(ahead), T0)
    assert aws_side.queued() == [("wakeup", message, delay) for message in MESSAGES]
    assert aws_side.schedules() == []


def test_what_is_due_later_is_a_schedule_that_fires_once_and_is_gone(aws_side):
    aws_side.alarms.send(MESSAGES[1], T0 + seconds(60), T0)
    (schedule,) = aws_side.schedules()
    assert aws_side.queued() == []
    assert schedule["ScheduleExpression"] == "at(2026-03-01T12:01:01)"  # 12:01:00.25, rounded up
    assert schedule["ScheduleExpressionTimezone"] == "UTC"
    assert schedule["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert schedule["ActionAfterCompletion"] == "DELETE"
    target = schedule["Target"]
    due = {"due": 1772366460250}  # the exact moment: a schedule may fire up to a minute early
    assert json.loads(target["Input"]) == {"do": "PollDue", "workflowId": RUN, "taskId": task_id(1), "poll": 7, **due}
    assert (target["Arn"][-6:], target["RoleArn"][-9:], target["DeadLetterConfig"]["Arn"][-4:]) == ("wakeup", "scheduler", "dead")
    assert target["RetryPolicy"]["MaximumEventAgeInSeconds"] >= 60
    assert 0 < target["RetryPolicy"]["MaximumRetryAttempts"] <= 185


def test_a_repeat_is_the_same_schedule_and_another_moment_or_poll_another(aws_side):
    for ahead in (100, 100, 100.5, 101):
        aws_side.alarms.send(MESSAGES[1], T0 + seconds(ahead), T0)
    aws_side.alarms.send(PollDue(RUN, task_id(1), 8), T0 + seconds(100), T0)
    assert len(aws_side.schedules()) == 3


def test_a_time_in_another_zone_is_armed_in_utc(aws_side):
    zone = timezone(timedelta(hours=5, minutes=45))
    aws_side.alarms.send(MESSAGES[2], (T0 + seconds(600)).astimezone(zone), T0)
    assert aws_side.schedules()[0]["ScheduleExpression"] == "at(2026-03-01T12:10:01)"


def test_what_lies_farther_than_a_year_is_armed_for_a_year(aws_side):
    aws_side.alarms.send(MESSAGES[2], T0 + timedelta(days=5000), T0)
    assert aws_side.schedules()[0]["ScheduleExpression"] == f"at({T0 + FARTHEST + seconds(0.75):%Y-%m-%dT%H:%M:%S})"


@pytest.mark.parametrize("message", [*MESSAGES, PollDue("w" * 200, "t" * 200, 10**12)])
def test_the_name_of_a_schedule_keeps_to_schedulers_limits(message):
    assert re.fullmatch(r"[0-9a-zA-Z_-]{1,64}", schedule_name(message, T0 + timedelta(days=900_000)))
