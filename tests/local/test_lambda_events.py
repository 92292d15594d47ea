"""Events have the shape AWS gives them."""

import base64
from datetime import UTC, datetime

import pytest
from fermata_local import lambda_events
from fermata_local.lambda_events import GatewayRequest

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def _event(method="GET", target="/api/x", headers=(), body=b""):
    return lambda_events.http_api(GatewayRequest(method, target, headers, body), "r1", NOW)


def test_the_path_is_decoded_and_the_query_string_stays_encoded():
    event = _event(target="/api/event/conductor%3Ax?query=a%20b&status=A&status=B&empty=")
    assert event["rawPath"] == event["requestContext"]["http"]["path"] == "/api/event/conductor:x"
    assert event["rawQueryString"] == "query=a%20b&status=A&status=B&empty="
    assert event["queryStringParameters"] == {"query": "a b", "status": "A,B", "empty": ""}


def test_without_query_and_body_the_fields_are_absent():
    assert not {"queryStringParameters", "body"} & set(_event())


def test_header_names_are_lower_case_and_repeats_are_joined():
    assert _event(headers=(("X-A", "1"), ("x-a", "2"), ("Host", "h")))["headers"] == {"x-a": "1,2", "host": "h"}


def test_the_context_says_when_and_what():
    context = _event("POST")["requestContext"]
    assert (context["http"]["method"], context["stage"], context["requestId"]) == ("POST", "$default", "r1")
    assert (context["timeEpoch"], context["time"]) == (1767268800000, "01/Jan/2026:12:00:00 +0000")


@pytest.mark.parametrize("content_type", ["application/json", "text/plain; charset=utf-8", ""])
def test_a_text_body_arrives_as_it_is(content_type):
    event = _event("POST", headers=(("Content-Type", content_type),), body='{"ä":1}'.encode())
    assert (event["body"], event["isBase64Encoded"]) == ('{"ä":1}', False)


@pytest.mark.parametrize(("content_type", "body"), [("application/octet-stream", b"x"), ("application/json", b"\xff\xfe")])
def test_a_body_that_is_not_text_arrives_as_base64(content_type, body):
    event = _event("POST", headers=(("Content-Type", content_type),), body=body)
    assert (base64.b64decode(event["body"]), event["isBase64Encoded"]) == (body, True)


def test_an_answer_may_be_text_or_base64_with_single_and_repeated_headers():
    answer = lambda_events.gateway_answer(
        {"statusCode": 200, "body": base64.b64encode(b"\x00").decode(), "isBase64Encoded": True, "multiValueHeaders": {"A": ["1", "2"]}}
    )
    assert (answer.status, answer.headers, answer.body) == (200, {"A": "1,2"}, b"\x00")
    assert lambda_events.gateway_answer({"statusCode": 204}).body == b""


@pytest.mark.parametrize("result", [None, "text", {"body": "x"}])
def test_what_is_no_answer_is_an_error(result):
    with pytest.raises(ValueError, match="no answer"):
        lambda_events.gateway_answer(result)


BATCH = {"Records": [{"messageId": "a"}, {"messageId": "b"}]}


@pytest.mark.parametrize(
    ("result", "failed"),
    [
        (None, set()),
        ({}, set()),
        ({"batchItemFailures": []}, set()),
        ({"batchItemFailures": [{"itemIdentifier": "b"}]}, {"b"}),
        ({"batchItemFailures": [{"itemIdentifier": "unknown"}]}, {"a", "b"}),
        ({"batchItemFailures": [{"wrong": "b"}]}, {"a", "b"}),
        ("nonsense", {"a", "b"}),
    ],
)
def test_a_batch_says_which_messages_failed_and_an_unclear_answer_fails_all(result, failed):
    assert lambda_events.sqs_failures(result, BATCH) == failed
