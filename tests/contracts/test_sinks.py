"""What every `Sinks` promises, and what the AWS one says about refusals."""

import json

import pytest
from botocore.exceptions import ClientError
from fermata.adapters.memory.sinks import MemorySinks
from fermata.adapters.sinks import BUS_BYTES, SQS_BYTES, AwsSinks
from fermata.domain.errors import EngineBug, TransientError
from fermata.domain.event_handlers import EventMessage
from fermata.domain.sinks import Provider, Sink
from fermata.wire.event_messages import from_batch

OWN, ORDERS, BUS = Sink(Provider.CONDUCTOR, "flow:done"), Sink(Provider.SQS, "orders"), Sink(Provider.EVENTBRIDGE, "default")
PAYLOAD = {"order": 7, "text": "é"}


class Received:
    """An AWS with our queue, a user's queue, and a bus whose events come into our queue; and what handlers would see."""

    def __init__(self, aws):
        self.sqs, self.events = aws("sqs"), aws("events")
        self.urls = {name: self.sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("events", "orders")}
        fifo = {"FifoQueue": "true"}
        self.urls["orders.fifo"] = self.sqs.create_queue(QueueName="orders.fifo", Attributes=fifo)["QueueUrl"]
        self.events.put_rule(Name="in", EventPattern=json.dumps({"account": ["123456789012"]}))
        arn = "arn:aws:sqs:eu-west-1:123456789012:events"
        template = '{"event": "eventbridge:default", "busEvent": <aws.events.event.json>}'
        self.events.put_targets(Rule="in", Targets=[{"Id": "q", "Arn": arn, "InputTransformer": {"InputTemplate": template}}])
        self.sinks = AwsSinks(self.sqs, self.events, self.urls["events"])

    def messages(self, queue):
        answer = self.sqs.receive_message(QueueUrl=self.urls[queue], MaxNumberOfMessages=10, MessageAttributeNames=["All"])
        return answer.get("Messages", [])

    def seen(self, queue):
        records = [
            {
                "messageId": message["MessageId"],
                "body": message["Body"],
                "eventSourceARN": f"arn:aws:sqs:eu-west-1:123456789012:{queue}",
                "messageAttributes": {
                    name: {"stringValue": value["StringValue"]} for name, value in message.get("MessageAttributes", {}).items()
                },
            }
            for message in self.messages(queue)
        ]
        return [delivery.message for delivery in from_batch({"Records": records}, "events")]


@pytest.fixture
def received(aws):
    return Received(aws)


@pytest.fixture(params=["memory", "moto"])
def published(request):
    """A function that publishes and returns what handlers would be handed."""
    if request.param == "memory":
        sinks = MemorySinks()

        def publish(sink, queue):
            assert sinks.publish(sink, "task-1", PAYLOAD, 3) is None
            return list(sinks.take())
    else:
        received = request.getfixturevalue("received")

        def publish(sink, queue):
            assert received.sinks.publish(sink, "task-1", PAYLOAD, 3) is None
            return received.seen(queue)

    return publish


@pytest.mark.parametrize(("sink", "queue"), [(OWN, "events"), (ORDERS, "orders")])
def test_a_message_arrives_under_its_event_with_its_id_and_chain(published, sink, queue):
    assert published(sink, queue) == [EventMessage(sink.event, "task-1", PAYLOAD, 3)]


def test_a_bus_hands_its_whole_event_on_and_the_id_survives(received):
    assert received.sinks.publish(BUS, "task-1", PAYLOAD) is None
    [message] = received.seen("events")
    assert (message.event, message.message_id) == ("eventbridge:default", "task-1")
    assert (message.payload["source"], message.payload["detail-type"]) == ("fermata", "EVENT task")
    assert message.payload["detail"] == PAYLOAD


def test_a_queue_may_be_named_by_its_url(received):
    assert received.sinks.publish(Sink(Provider.SQS, received.urls["orders"]), "task-1", PAYLOAD) is None
    [message] = received.messages("orders")
    assert json.loads(message["Body"]) == PAYLOAD


def test_a_fifo_queue_drops_a_repeat(received):
    for _ in range(2):
        assert received.sinks.publish(Sink(Provider.SQS, "orders.fifo"), "task-1", PAYLOAD) is None
    assert len(received.messages("orders.fifo")) == 1


@pytest.mark.parametrize("sink", [Sink(Provider.SQS, "nobody"), Sink(Provider.EVENTBRIDGE, "nobody")])
def test_what_is_not_there_is_said(received, sink):
    refused = received.sinks.publish(sink, "task-1", PAYLOAD)
    assert "was refused" in refused.reason


@pytest.mark.parametrize(("sink", "limit"), [(OWN, SQS_BYTES), (ORDERS, SQS_BYTES), (BUS, BUS_BYTES)])
def test_what_is_too_big_is_said_with_its_size_and_the_limit(received, sink, limit):
    refused = received.sinks.publish(sink, "task-1", {"text": "x" * limit})
    assert str(limit) in refused.reason
    assert "bytes" in refused.reason


@pytest.mark.parametrize("sink", [OWN, ORDERS, BUS])
def test_throttling_may_pass(sink):
    with pytest.raises(TransientError):
        _answering("ThrottlingException").publish(sink, "task-1", PAYLOAD)


def test_a_permission_that_is_missing_is_the_users_matter_unless_the_queue_is_ours():
    for sink in (ORDERS, BUS):
        assert "AccessDenied" in _answering("AccessDenied").publish(sink, "task-1", PAYLOAD).reason
    with pytest.raises(EngineBug):
        _answering("AccessDenied").publish(OWN, "task-1", PAYLOAD)


@pytest.mark.parametrize("entry", [{"ErrorCode": "ThrottlingException"}, {"ErrorCode": "InternalFailure"}])
def test_an_entry_that_a_bus_did_not_take_for_now_is_tried_again(entry):
    with pytest.raises(TransientError):
        AwsSinks(None, _Bus(entry), "").publish(BUS, "task-1", PAYLOAD)


def test_an_entry_that_a_bus_does_not_take_is_said():
    refused = AwsSinks(None, _Bus({"ErrorCode": "NotAuthorizedForSourceException", "ErrorMessage": "no"}), "").publish(
        BUS, "task-1", PAYLOAD
    )
    assert refused.reason == "PutEvents was refused: NotAuthorizedForSourceException: no"


class _Bus:
    """PutEvents with this answer: moto has none that refuses an entry of ours."""

    def __init__(self, entry):
        self._entry = entry

    def put_events(self, **_):
        return {"FailedEntryCount": 1, "Entries": [self._entry]}


class _Failing:
    def __init__(self, code):
        self._code = code

    def __getattr__(self, name):
        def operation(**_):
            raise ClientError({"Error": {"Code": self._code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": 400}}, name)

        return operation


def _answering(code):
    return AwsSinks(_Failing(code), _Failing(code), "https://sqs/own")
