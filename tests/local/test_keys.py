"""The local cloud with keys: its gateway asks the authorizer as API Gateway does, and the api door has the last word."""

from datetime import UTC, datetime, timedelta

import pytest
from fermata_local import lambda_events
from fermata_local.clocks import SkippingClock
from fermata_local.cloud import LocalCloud
from fermata_local.gateway import REMEMBERED, Authorizing
from fermata_local.lambda_events import GatewayAnswer, GatewayRequest

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def cloud():
    with LocalCloud(SkippingClock(NOW), keys=True) as opened:
        yield opened


def test_the_first_key_opens_the_api_and_makes_others(cloud):
    first = cloud.first_key()
    token = cloud.api("POST", "/api/token", first).json["token"]
    made = cloud.api("POST", "/api/keys", {"name": "dashboard", "role": "reader"}, {"X-Authorization": token}).json
    reader = {"X-Authorization": cloud.api("POST", "/api/token", made).json["token"]}
    assert cloud.api("GET", "/api/metadata/workflow", headers=reader).status == 200
    assert cloud.api("POST", "/api/metadata/taskdefs", [{"name": "t"}], reader).status == 403
    assert cloud.failures == []


def test_without_a_token_the_gateway_itself_refuses(cloud):
    refused = cloud.api("GET", "/api/metadata/workflow")
    assert (refused.status, refused.json) == (401, {"message": "Unauthorized"})


@pytest.mark.parametrize("path", ["/health", "/api/health"])
def test_anybody_may_ask_whether_it_is_healthy(cloud, path):
    assert cloud.api("GET", path).json["healthy"] is True


@pytest.mark.parametrize("token", ["garbage", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
def test_a_bad_token_is_refused_in_conductors_words(cloud, token):
    refused = cloud.api("GET", "/api/metadata/workflow", headers={"X-Authorization": token})
    assert (refused.status, refused.json["error"], refused.json["status"]) == (401, "INVALID_TOKEN", 401)


def test_a_disabled_key_is_out_when_the_gateways_memory_ends(cloud):
    admin = {"X-Authorization": cloud.api("POST", "/api/token", cloud.first_key()).json["token"]}
    made = cloud.api("POST", "/api/keys", {"name": "ci", "role": "reader"}, admin).json
    reader = {"X-Authorization": cloud.api("POST", "/api/token", made).json["token"]}
    assert cloud.api("GET", "/api/version", headers=reader).status == 200
    assert cloud.api("PUT", f"/api/keys/{made['keyId']}/disable", headers=admin).status == 200
    assert cloud.api("GET", "/api/version", headers=reader).status == 200
    cloud.clock.skip_to(cloud.clock.now() + REMEMBERED)
    assert cloud.api("GET", "/api/version", headers=reader).status == 401


def test_an_answer_is_remembered_by_the_token_and_a_no_is_the_gateways_403():
    asked, now = [], [NOW]

    def ask(event):
        asked.append(event)
        return {"isAuthorized": event["identitySource"] == ["good"], "context": {"role": "reader"}}

    authorize = Authorizing(ask, lambda: now[0])

    def request(token):
        return authorize(lambda_events.http_api(GatewayRequest("GET", "/api/x?q=1", (("X-Authorization", token),)), "r", NOW))

    assert request("good")["requestContext"]["authorizer"] == {"lambda": {"role": "reader"}}
    assert request("good")["rawQueryString"] == "q=1"
    assert len(asked) == 1
    assert asked[0]["routeArn"].endswith("/GET/api/x")
    now[0] += REMEMBERED
    request("good")
    assert len(asked) == 2
    refused = request("bad")
    assert isinstance(refused, GatewayAnswer)
    assert refused.status == 403
    assert timedelta(seconds=0) < REMEMBERED
