"""What fits in no request and no answer goes past the api door: on the laptop through the local server, deployed through S3."""

import json
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from fermata import bootstrap
from fermata.adapters.external_payloads import ADDRESS_SECONDS
from fermata.api import fitting
from fermata_local import environment, payloads, server
from fermata_local.clocks import RealClock, SkippingClock
from fermata_local.cloud import LocalCloud
from fermata_local.lambda_events import GatewayRequest

HOLD = {
    "name": "flow",
    "schemaVersion": 2,
    "tasks": [{"name": "hold", "taskReferenceName": "hold", "type": "HUMAN", "inputParameters": {"all": "${workflow.input.big}"}}],
}
PLACE = "externalstoragelocation?operation={}&payloadType=WORKFLOW_INPUT&path={}"


@pytest.fixture
def url():
    with LocalCloud(SkippingClock(datetime(2026, 1, 1, tzinfo=UTC))) as cloud, server.serving(cloud.http) as address:
        yield address


def test_a_run_too_large_for_an_answer_is_started_and_read_on_the_laptop(url, monkeypatch):
    monkeypatch.setattr(fitting, "MAX_PAYLOAD_BYTES", 256 * 1024)  # the real limit would only make it slow
    big = {"big": "x" * 300_000}
    requests.post(f"{url}/api/metadata/workflow", json=HOLD, timeout=5).raise_for_status()
    place = requests.get(f"{url}/api/workflow/" + PLACE.format("WRITE", ""), timeout=5).json()
    assert place["uri"] == f"{url}/payloads/{place['path']}"
    assert requests.get(place["uri"], timeout=5).status_code == 404
    assert requests.put(place["uri"], data=json.dumps(big), timeout=5).status_code == 200
    started = requests.post(f"{url}/api/workflow", json={"name": "flow", "externalInputPayloadStoragePath": place["path"]}, timeout=20)
    shown = requests.get(f"{url}/api/workflow/{started.text}", headers={"Accept-Encoding": "identity"}, timeout=20).json()
    (task,) = shown["tasks"]
    assert (shown["input"], task["inputData"], task["status"]) == ({}, {}, "IN_PROGRESS")
    found = requests.get(f"{url}/api/tasks/" + PLACE.format("READ", shown["externalInputPayloadStoragePath"]), timeout=5).json()
    assert requests.get(found["uri"], timeout=20).json() == big


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "external/left/../shown/x.json"),
        ("GET", "payloads/run/0123456789012345678901234567890123456789"),
        ("GET", ""),
        ("PUT", f"external/shown/{'0' * 40}.json"),
        ("PUT", "external/left/x.json"),
        ("DELETE", f"external/left/{'0' * 32}.json"),
    ],
)
def test_nothing_else_is_given_or_taken(method, path):
    refused = payloads.answer(GatewayRequest(method, f"/payloads/{path}", (), b"{}"))
    assert (refused.status, json.loads(refused.body)["status"]) == (404, 404)


@pytest.mark.parametrize("to_leave", [True, False])
def test_a_deployed_address_is_signed_for_minutes_for_one_object_in_the_region(to_leave):
    deployed = {**environment.variables(None), "FERMATA_PAYLOAD_URL": "", "AWS_DEFAULT_REGION": "eu-west-1", "AWS_REGION": "eu-west-1"}
    with environment.applied(deployed):
        bootstrap.use_clock(RealClock())
        external = bootstrap.engine().external
        path = external.new_path()
        address = urlsplit(external.address(path, to_leave=to_leave))
        bootstrap.use_clock(RealClock())
    signed = parse_qs(address.query)
    assert (address.scheme, address.netloc, address.path) == ("https", f"{environment.BUCKET}.s3.eu-west-1.amazonaws.com", f"/{path}")
    assert signed["X-Amz-Expires"] == [str(ADDRESS_SECONDS)]
    assert signed["X-Amz-SignedHeaders"] == ["host"]
