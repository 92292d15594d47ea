"""Messages survive the trip through queues and schedules; anything else is refused by name."""

import json

import pytest
from fermata.domain.errors import InvalidRequest
from fermata.domain.messages import Message, PollDue, RunTask, WakeWorkflow
from fermata.wire.deliveries import Delivery, from_event, from_text, to_text


@pytest.mark.parametrize("message", [RunTask("w", "t"), PollDue("w", "t", 3), WakeWorkflow("w")])
def test_a_message_survives_the_trip(message: Message) -> None:
    assert from_text(to_text(message)) == message


def test_the_text_of_a_due_poll() -> None:
    assert json.loads(to_text(PollDue("w", "t", 3))) == {"do": "PollDue", "workflowId": "w", "taskId": "t", "poll": 3}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "[]",
        "null",
        "[" * 100_000,
        "{}",
        '{"do":"Explode"}',
        '{"do":["PollDue"]}',
        '{"do":"RunTask","workflowId":"w"}',
        '{"do":"RunTask","workflowId":"w","taskId":7}',
        '{"do":"WakeWorkflow","workflowId":""}',
        '{"do":"PollDue","workflowId":"w","taskId":"t","poll":"3"}',
        '{"do":"PollDue","workflowId":"w","taskId":"t","poll":true}',
        '{"do":"PollDue","workflowId":"w","taskId":"t","poll":0}',
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        from_text(text)


def test_keys_of_a_later_version_are_ignored() -> None:
    assert from_text('{"do":"WakeWorkflow","workflowId":"w","later":1}') == WakeWorkflow("w")


def test_an_sqs_batch_keeps_its_order_and_names_the_bad_record() -> None:
    event = {"Records": [{"messageId": "1", "body": to_text(WakeWorkflow("w"))}, {"messageId": "2", "body": "?"}, {"messageId": "3"}]}
    first, second, third = from_event(event)
    assert first == Delivery("1", WakeWorkflow("w"))
    assert (second.delivery_id, second.message, type(second.error)) == ("2", None, InvalidRequest)
    assert (third.delivery_id, third.message, type(third.error)) == ("3", None, InvalidRequest)


def test_a_schedule_hands_over_the_message_itself() -> None:
    assert from_event({"do": "PollDue", "workflowId": "w", "taskId": "t", "poll": 3}) == [Delivery(None, PollDue("w", "t", 3))]
