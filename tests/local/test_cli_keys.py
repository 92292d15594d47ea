"""The command line keeps keys and uses them, signs for a deployed stack, and makes the first key past the gateway."""

import io
import json
from datetime import UTC, datetime

import pytest
import requests
from click.testing import CliRunner
from fermata_local import server
from fermata_local.cli import main
from fermata_local.cli.conductor import Conductor
from fermata_local.cli.credentials import Credentials, signature_for
from fermata_local.cli.direct import Function
from fermata_local.clocks import SkippingClock
from fermata_local.cloud import LocalCloud

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
KEY_VARIABLES = ("CONDUCTOR_AUTH_KEY", "CONDUCTOR_AUTH_SECRET", "CONDUCTOR_AUTH_TOKEN")


@pytest.fixture(scope="module")
def served():
    with LocalCloud(SkippingClock(NOW), keys=True) as cloud, server.serving(cloud.http) as url:
        yield cloud, url


@pytest.fixture
def run(served):
    _, url = served

    def fermata(*args, key=None):
        credentials = {"CONDUCTOR_AUTH_KEY": key["keyId"], "CONDUCTOR_AUTH_SECRET": key["keySecret"]} if key else {}
        return CliRunner().invoke(main, args, env=dict.fromkeys(KEY_VARIABLES) | {"CONDUCTOR_SERVER_URL": url} | credentials)

    return fermata


@pytest.fixture
def admin(served):
    return served[0].first_key()


def test_a_key_is_made_used_rotated_disabled_and_deleted(run, admin):
    made = run("key", "create", "ci", "--role", "operator", "--expires-in-days", "30", key=admin)
    assert made.stderr == "The secret is shown this once: keep it now.\n"
    key = json.loads(made.stdout)
    assert (key["name"], key["role"], key["expireTime"] - key["createTime"]) == ("ci", "operator", 30 * 24 * 3600 * 1000)
    assert run("task", "list", key=key).stdout == "[]\n"
    refused = run("key", "list", key=key)
    assert refused.exit_code == 4
    assert "takes the role admin; this key is of the role operator" in refused.stderr
    rotated = json.loads(run("key", "rotate", key["keyId"], "--grace-hours", "1", key=admin).stdout)
    assert run("task", "list", key=rotated).exit_code == run("task", "list", key=key).exit_code == 0
    assert run("key", "disable", key["keyId"], key=admin).stdout == f"Disabled {key['keyId']}.\n"
    shut = run("task", "list", key=rotated)
    assert shut.exit_code == 4
    assert "the key is disabled or expired" in shut.stderr
    assert run("key", "enable", key["keyId"], key=admin).exit_code == 0
    assert run("task", "list", key=rotated).exit_code == 0
    assert run("key", "delete", key["keyId"], key=admin).exit_code == 0
    assert key["keyId"] not in run("key", "list", "-o", "table", key=admin).stdout


def test_a_table_shows_the_secret_that_is_shown_once(run, admin):
    made = run("key", "create", "tabled", "--role", "reader", "-o", "table", key=admin)
    names, values = (line.split() for line in made.stdout.splitlines())
    key = dict(zip(names, values, strict=False))
    assert run("task", "list", key=key).exit_code == 0
    rotated = run("key", "rotate", key["keyId"], "-o", "table", key=admin)
    assert "keySecret" in rotated.stdout
    assert "keySecret" not in run("key", "list", "-o", "table", key=admin).stdout


def test_without_a_key_the_user_is_told_what_to_set(run):
    refused = run("task", "list")
    assert refused.exit_code == 4
    assert "export CONDUCTOR_AUTH_KEY" in refused.stderr


def test_a_role_that_is_none_is_a_usage_error(run, admin):
    assert run("key", "create", "x", "--role", "root", key=admin).exit_code == 2


def test_a_token_that_expires_meanwhile_is_renewed_once(served, admin):
    cloud, url = served
    client = Conductor(url, Credentials(admin["keyId"], admin["keySecret"]))
    assert client.get("/metadata/taskdefs") == []
    cloud.clock.skip_to(cloud.clock.now().replace(year=cloud.clock.now().year + 1))
    assert client.get("/metadata/taskdefs") == []


def test_a_server_without_keys_is_used_without_a_token():
    asked = []

    def answer(request):
        asked.append((request.target, dict(request.headers).get("X-Authorization")))
        return server.refusal(404, "no") if request.target == "/api/token" else server.GatewayAnswer(200)

    with server.serving(answer) as url:
        env = dict.fromkeys(KEY_VARIABLES) | {"CONDUCTOR_SERVER_URL": url, "CONDUCTOR_AUTH_KEY": "k", "CONDUCTOR_AUTH_SECRET": "s"}
        assert CliRunner().invoke(main, ("task", "list"), env=env).exit_code == 0
    assert asked == [("/api/token", None), ("/api/metadata/taskdefs", None)]


def test_requests_to_a_deployed_stack_are_signed_where_no_key_is_at_hand(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "aws-secret")
    url = "https://a1b2c3.execute-api.eu-west-1.amazonaws.com/api"
    signature = signature_for(url, Credentials())
    prepared = requests.Request("GET", f"{url}/workflow/search", params={"query": "a b"}, auth=signature).prepare()
    assert prepared.headers["Authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/")
    assert "/eu-west-1/execute-api/aws4_request" in prepared.headers["Authorization"]
    assert "aws-secret" not in str(prepared.headers)
    assert signature_for(url, Credentials("k", "s")) is None
    assert signature_for(url, Credentials(token="t")) is None
    for other in (
        "http://localhost:8080/api",
        "https://evil.example/a.execute-api.eu-west-1.amazonaws.com",
        "https://x.execute-api.y.amazonaws.com.evil.example",
    ):
        assert signature_for(other, Credentials()) is None, "nobody else sees a signature"


class _Lambda:
    """boto3's client of the one function that the local cloud plays."""

    def __init__(self, cloud):
        self._cloud = cloud

    def invoke(self, **asked):
        assert asked["FunctionName"] == "fermata-api"
        return {"Payload": io.BytesIO(json.dumps(self._cloud.doors("api", json.loads(asked["Payload"]))).encode())}


def test_the_first_key_of_a_deployment_is_made_by_invoking_the_function(served, run):
    function = Function("fermata-api", _Lambda(served[0]))
    made = function.call("POST", "/keys", {"name": "first", "role": "admin"})
    assert run("key", "list", key=made).exit_code == 0
    with pytest.raises(Exception, match="No such key: nobody"):
        function.call("DELETE", "/keys/nobody")
    assert function.call("DELETE", f"/keys/{made['keyId']}") is None


def test_nothing_shows_a_secret_by_accident():
    assert "s3cret" not in repr(Credentials("k", "s3cret", "s3cret-token"))
