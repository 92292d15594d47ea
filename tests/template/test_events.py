"""Every file under events/ is the JSON that AWS hands that door."""

import json

import pytest
from fermata.wire.deliveries import from_event
from fermata.wire.event_messages import from_batch
from fermata_local.airpipe import values_of
from fermata_local.gateway import route_of


def _events(root):
    return {f"{path.parent.name}/{path.stem}": json.loads(path.read_text()) for path in sorted(root.glob("events/*/*.json"))}


@pytest.fixture(scope="module")
def events(root):
    return _events(root)


def test_every_door_has_events(events, root):
    assert {name.split("/")[0] for name in events} == {path.parent.name for path in root.glob("functions/*/app.py")}


def test_every_event_is_fed_to_its_built_door(events, root):
    tests = "".join(path.read_text() for path in (root / "tests/built").glob("test_*.py"))
    for name in events:
        door, event = name.split("/")
        assert f'"{name}"' in tests or (f'f"{door}/{{event}}"' in tests and f'"{event}"' in tests)


def test_the_apis_events_are_payload_2_from_a_signed_caller(events):
    for name, event in events.items():
        if name.startswith("api/"):
            assert event["version"] == "2.0"
            assert event["routeKey"] == event["requestContext"]["routeKey"] == "$default"
            assert event["requestContext"]["authorizer"]["iam"]["userArn"]


def test_the_web_doors_events_are_payload_2_from_a_browser_that_nobody_knows(events):
    for name, event in events.items():
        if name.startswith("web/"):
            assert event["version"] == "2.0"
            assert event["routeKey"] == event["requestContext"]["routeKey"] == route_of(event["rawPath"])
            assert "authorizer" not in event["requestContext"]


def test_the_interfaces_events_are_payload_2_from_a_signed_caller_below_the_prefix(events):
    found = {name: event for name, event in events.items() if name.startswith("airpipe/")}
    assert found
    for event in found.values():
        assert event["version"] == "2.0"
        assert event["routeKey"] == event["requestContext"]["routeKey"] == "ANY /airpipe/{proxy+}"
        assert event["rawPath"] == event["requestContext"]["http"]["path"] == f"/airpipe/{event['pathParameters']['proxy']}"
        assert event["requestContext"]["authorizer"]["iam"]["userArn"]


def test_the_published_configuration_is_the_one_in_the_examples(events, root):
    assert json.loads(events["api/publish-airpipe"]["body"]) == values_of(root / "examples/airpipe/demo.yml")


def test_the_authorizers_events_are_payload_2_questions_about_the_token(events):
    for name, event in events.items():
        if name.startswith("authorizer/"):
            assert (event["version"], event["type"]) == ("2.0", "REQUEST")
            assert event["identitySource"] == [event["headers"]["x-authorization"]]


def test_the_registered_definition_is_the_one_in_the_examples(events, root):
    example = json.loads((root / "examples/http-poll-external-job.json").read_text())
    assert json.loads(events["api/register-workflow"]["body"]) == [example]


def test_every_delivery_is_one_that_the_doors_understand(events):
    for name, event in events.items():
        if name.split("/")[0] in {"task_runner", "wakeup"}:
            assert [delivery.error for delivery in from_event(event)] == [None], name
        if name.startswith("events/"):
            assert [delivery.error for delivery in from_batch(event, "fermata-events")] == [None], name


def test_the_events_come_from_each_kind_of_source(events):
    found = {name: from_batch(event, "fermata-events")[0].message for name, event in events.items() if name.startswith("events/")}
    assert {(message.event, message.message_id) for message in found.values()} == {
        ("conductor:order:paid", "7d0c1a52-92f3-5f6e-8a4b-1c2d3e4f5a6b"),
        ("eventbridge:default", "6a7e8feb-b491-4cf7-a9f1-bf3703467718"),
        ("sqs:orders", "order-7-paid"),
    }
