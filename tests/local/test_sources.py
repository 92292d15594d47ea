"""The local cloud plays what lies between the services: queues, one-shots, the sweeper's minute. Moto stores; the clock is ours."""

import json
from datetime import UTC, datetime, timedelta

import boto3
import pytest
from fermata_local import environment, moto_internals, resources
from fermata_local.clocks import SkippingClock
from fermata_local.doors import Doors
from fermata_local.pump import Pump
from fermata_local.sources import EveryMinute, Queue, Schedules

START = datetime(2026, 1, 1, tzinfo=UTC)


class Cloud:
    """The pump over one queue and one schedule group, with doors that record what they get."""

    def __init__(self):
        self.clock = SkippingClock(START)
        self.seen = []
        self.reports = []
        self.answers = {}

    def open(self):
        sqs = boto3.client("sqs")
        resources.create_queue(sqs, environment.WAKEUP_QUEUE, environment.DEAD_LETTERS[environment.WAKEUP_QUEUE])
        boto3.client("scheduler").create_schedule_group(Name=environment.GROUP)
        doors = Doors({name: self._door(name) for name in ("wakeup", "sweeper")})
        sources = (Queue(environment.WAKEUP_QUEUE, "wakeup", sqs), Schedules(environment.GROUP, self.clock.now))
        self.pump = Pump(sources, EveryMinute("sweeper", START), self.clock, doors, self.reports.append)
        return self

    def _door(self, name):
        def handler(event, context):
            self.seen.append((name, self.clock.now() - START, event))
            return self.answers.get(name, lambda _event: None)(event)

        return handler

    def send(self, body, delay=0):
        boto3.client("sqs").send_message(QueueUrl=environment.queue_url(environment.WAKEUP_QUEUE), MessageBody=body, DelaySeconds=delay)

    def schedule(self, name, after, event, target="wakeup", action="DELETE"):
        boto3.client("scheduler").create_schedule(
            Name=name,
            GroupName=environment.GROUP,
            ScheduleExpression=f"at({(START + after):%Y-%m-%dT%H:%M:%S})",
            FlexibleTimeWindow={"Mode": "OFF"},
            ActionAfterCompletion=action,
            Target={"Arn": environment.function_arn(target), "RoleArn": "arn:aws:iam::123456789012:role/r", "Input": json.dumps(event)},
        )

    def run(self, until=timedelta(days=1)):
        while self.pump.step() or self.pump.skip(START + until):
            pass

    def of(self, door):
        return [(after, event) for name, after, event in self.seen if name == door]


@pytest.fixture
def cloud():
    made = Cloud()
    with environment.applied(environment.variables(None)), moto_internals.running(made.clock):
        yield made.open()


def _seconds(moments):
    return [round(after.total_seconds(), 2) for after, _ in moments]


def test_messages_arrive_in_one_batch_with_every_field_of_a_record(cloud):
    cloud.send("a")
    cloud.send("b")
    cloud.run()
    [(_, event)] = cloud.of("wakeup")
    assert sorted(record["body"] for record in event["Records"]) == ["a", "b"]
    record = event["Records"][0]
    assert record["eventSource"] == "aws:sqs"
    assert record["eventSourceARN"] == "arn:aws:sqs:us-east-1:123456789012:fermata-wakeup"
    assert record["attributes"]["ApproximateReceiveCount"] == "1"
    assert int(record["attributes"]["SentTimestamp"]) == START.timestamp() * 1000
    assert set(record) == {
        "messageId", "receiptHandle", "body", "attributes", "messageAttributes", "md5OfBody", "eventSource", "eventSourceARN", "awsRegion",
    }  # fmt: skip


def test_a_delayed_message_arrives_when_the_virtual_clock_says_so(cloud):
    cloud.send("later", delay=10)
    assert not cloud.pump.step()
    cloud.run()
    assert _seconds(cloud.of("wakeup")) == [10.0]


def test_only_the_failed_message_of_a_batch_comes_back_after_the_visibility_timeout(cloud):
    def first_time_fails(event):
        bad = [r for r in event["Records"] if r["body"] == "bad" and r["attributes"]["ApproximateReceiveCount"] == "1"]
        return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in bad]}

    cloud.answers["wakeup"] = first_time_fails
    cloud.send("bad")
    cloud.send("good")
    cloud.run()
    assert [[record["body"] for record in event["Records"]] for _, event in cloud.of("wakeup")] == [["bad", "good"], ["bad"]]
    assert _seconds(cloud.of("wakeup")) == [0.0, resources.VISIBILITY_TIMEOUT_SECONDS]
    assert len(cloud.reports) == 1


def test_a_message_that_always_raises_ends_among_the_dead_letters(cloud):
    cloud.answers["wakeup"] = lambda event: 1 / 0
    cloud.send("poison")
    cloud.run()
    assert len(cloud.of("wakeup")) == resources.MAX_RECEIVE_COUNT
    assert moto_internals.next_message(environment.WAKEUP_QUEUE) is None
    assert moto_internals.next_message("fermata-wakeup-dead") is not None
    assert "ZeroDivisionError" in cloud.reports[0]


def test_a_one_shot_fires_at_its_moment_with_its_input_and_is_deleted(cloud):
    cloud.schedule("far", timedelta(hours=5), {"hello": "later"})
    cloud.schedule("near", timedelta(minutes=2), {"hello": "soon"})
    cloud.run()
    assert cloud.of("wakeup") == [(timedelta(minutes=2), {"hello": "soon"}), (timedelta(hours=5), {"hello": "later"})]
    assert moto_internals.one_shots(environment.GROUP) == []


def test_the_next_one_shot_is_found_among_many(cloud):
    for number in (3, 1, 2):
        cloud.schedule(f"s{number}", timedelta(minutes=number), {})
    boto3.client("scheduler").delete_schedule(GroupName=environment.GROUP, Name="s1")
    moments = [shot.at for shot in moto_internals.one_shots(environment.GROUP)]
    assert moments == sorted(moments)
    assert len(moments) == 2
    assert moto_internals.next_one_shot(environment.GROUP) == moments[0]
    assert moto_internals.one_shots(environment.GROUP, moments[0] - timedelta(seconds=1)) == []
    assert [shot.name for shot in moto_internals.one_shots(environment.GROUP, moments[0])] == ["s2"]


def test_a_one_shot_that_keeps_itself_does_not_fire_twice(cloud):
    cloud.schedule("kept", timedelta(minutes=1), {}, action="NONE")
    cloud.run()
    assert len(cloud.of("wakeup")) == 1
    assert boto3.client("scheduler").list_schedules(GroupName=environment.GROUP)["Schedules"]


def test_a_failing_one_shot_is_tried_twice_more_and_then_given_up_aloud(cloud):
    cloud.answers["wakeup"] = lambda event: 1 / 0
    cloud.schedule("doomed", timedelta(minutes=2), {"poll": 1})
    cloud.run()
    assert _seconds(cloud.of("wakeup")) == [120.0, 180.0, 300.0]
    assert "given up" in cloud.reports[-1]


def test_the_sweeper_runs_every_minute_while_something_waits_and_not_without(cloud):
    cloud.run()
    assert cloud.of("sweeper") == []
    cloud.schedule("far", timedelta(minutes=3, seconds=30), {})
    cloud.run()
    assert _seconds(cloud.of("sweeper")) == [60.0, 120.0, 180.0]
    assert cloud.of("sweeper")[0][1]["detail-type"] == "Scheduled Event"


def test_time_does_not_skip_past_a_limit(cloud):
    cloud.schedule("far", timedelta(days=3), {})
    cloud.run(until=timedelta(minutes=1))
    assert cloud.clock.now() <= START + timedelta(minutes=1)
    assert cloud.of("wakeup") == []
