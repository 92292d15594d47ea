"""Tokens for keys, keys for admins, and no word about secrets to anybody else."""

import json
import logging
from datetime import timedelta
from typing import Any

import jwt
import pytest
from fermata.adapters.memory.access import MemorySigningKeys
from fermata.domain.access import SIGNING_PERIOD, Authorization, Role, hash_of, signing_period

from tests.api.gateway import Gateway
from tests.api.keyring import Keyring

READER, OPERATOR, ADMIN = Role
DEFINITION = {"name": "job", "version": 1, "tasks": [{"name": "n", "taskReferenceName": "n", "type": "NOOP"}]}


@pytest.fixture
def ring() -> Keyring:
    return Keyring()


def refusal(answer: Any) -> tuple[int, str | None]:
    assert answer.headers["Content-Type"] == "application/json"
    assert {"status", "message", "instance", "retryable"} <= answer.json.keys()
    return answer.status, answer.json.get("error")


def test_an_open_server_gives_no_tokens_which_tells_sdks_to_go_on_without(call: Gateway) -> None:
    assert call("POST", "/api/token", {"keyId": "a", "keySecret": "b"}).status == 404
    assert call("GET", "/api/keys").status == 404


def test_a_key_is_exchanged_for_a_token_that_opens_what_its_role_may(ring: Keyring) -> None:
    token = ring.token(OPERATOR)
    assert ring.with_token(token, "GET", "/api/metadata/workflow").json == []
    refused = ring.with_token(token, "POST", "/api/metadata/taskdefs", [{"name": "t"}])
    assert refusal(refused) == (403, None)
    assert refused.json["message"] == "POST /api/metadata/taskdefs takes the role admin; this key is of the role operator."


def test_a_caller_is_told_who_they_are_and_what_they_may_do(ring: Keyring, call: Gateway) -> None:
    key_id, secret = ring.key(OPERATOR)
    token = ring.exchange(key_id, secret).json["token"]
    asked = ring.with_token(token, "GET", "/api/token/userInfo").json
    assert asked == {"id": key_id, "name": "test", "role": "operator", "authorization": "KEYS"}
    signed = ring.signed("GET", "/api/token/userInfo").json
    assert signed == {"id": "arn:aws:iam::123456789012:user/caller", "name": "caller", "role": "admin", "authorization": "AWS_IAM"}
    assert ring.nobody("GET", "/api/token/userInfo").status == 401
    opened = call("GET", "/api/token/userInfo").json
    assert opened == {"id": "anybody", "name": "anybody", "role": "admin", "authorization": "NONE"}


def test_the_sent_secret_has_to_be_the_keys_and_nothing_tells_which_half_is_wrong(ring: Keyring) -> None:
    (key_id, secret), (_, other) = ring.key(READER), ring.key(READER)
    wrong = [
        (key_id, other),
        (key_id, ""),
        (key_id, secret[:-1]),
        (key_id, hash_of(secret)),
        ("fk-nobody", secret),
        ("", ""),
        ("x" * 9999, ""),
    ]
    answers = [ring.exchange(*pair) for pair in wrong]
    assert {refusal(answer) for answer in answers} == {(401, "INVALID_CREDENTIALS")}
    assert len({answer.text for answer in answers}) == 1


@pytest.mark.parametrize("body", ["", "[]", "7", "{", {"keyId": "a"}, {"keyId": 1, "keySecret": {"s3cret": 1}}, {"keySecret": None}])
def test_credentials_that_are_none_are_bad_input_and_are_not_repeated(ring: Keyring, body: Any) -> None:
    refused = ring.nobody("POST", "/api/token", body)
    assert refusal(refused)[0] == 400 if "validationErrors" not in refused.json else refused.status == 400
    assert "s3cret" not in refused.text


def test_an_expired_token_is_told_from_a_bad_one_so_that_an_sdk_fetches_another(ring: Keyring) -> None:
    token = ring.token(READER)
    remembered = ring.said_of(token)
    ring.clock.advance(timedelta(hours=1))
    assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "EXPIRED_TOKEN")
    assert refusal(ring.with_context(remembered, "GET", "/api/version")) == (401, "EXPIRED_TOKEN"), "what the gateway remembers expires too"


@pytest.mark.parametrize("token", ["garbage", "a.b.c", "Bearer x", "null", "undefined", "x" * 10_000, "é", "\x00"])
def test_garbage_is_an_invalid_token(ring: Keyring, token: str) -> None:
    ring.token(READER)
    assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "INVALID_TOKEN")


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_forged_tokens_are_invalid(ring: Keyring) -> None:
    good = ring.token(ADMIN)
    said, period = jwt.decode(good, options={"verify_signature": False}), signing_period(ring.clock.now())
    signing_key = ring.access.signing.get(period) or b""
    forged = [
        jwt.encode(said, b"x" * 32, "HS256", headers={"kid": str(period)}),
        jwt.encode(said, "", "none", headers={"kid": str(period)}),
        jwt.encode(said, signing_key, "HS512", headers={"kid": str(period)}),
        jwt.encode(said, signing_key, "HS256", headers={"kid": str(period - 1)}),
        jwt.encode(said, signing_key, "HS256", headers={"kid": str(period + 1)}),
        jwt.encode(said, signing_key, "HS256"),
        jwt.encode(said | {"sub": "fk-nobody"}, signing_key, "HS256", headers={"kid": str(period)}),
        jwt.encode(said | {"gen": 2}, signing_key, "HS256", headers={"kid": str(period)}),
        jwt.encode(said | {"gen": 0}, signing_key, "HS256", headers={"kid": str(period)}),
    ]
    assert ring.with_token(good, "GET", "/api/version").status == 200
    for token in forged:
        assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "INVALID_TOKEN")


@pytest.mark.parametrize(
    "context", [None, {}, {"role": "admin"}, {"keyId": "k", "role": "root", "expiresAt": "9999999999"}, {"problem": "?"}]
)
def test_what_the_authorizer_did_not_say_lets_nobody_in(ring: Keyring, context: Any) -> None:
    assert refusal(ring.with_context(context, "GET", "/api/version")) == (401, "INVALID_TOKEN")


def test_a_claim_of_a_role_in_a_header_or_query_means_nothing(ring: Keyring) -> None:
    sent = {"x-authorization": ring.token(ADMIN), "role": "admin"}
    assert ring.gateway("GET", "/api/version?role=admin", headers=sent).status == 401, "the door reads what the gateway says, nothing else"


def test_a_disabled_or_deleted_key_opens_nothing_any_more(ring: Keyring) -> None:
    key_id, secret = ring.key(READER)
    token = ring.exchange(key_id, secret).json["token"]
    assert ring.as_role(ADMIN, "PUT", f"/api/keys/{key_id}/disable").json["disabled"] is True
    assert refusal(ring.exchange(key_id, secret)) == (401, "INVALID_CREDENTIALS")
    assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "INVALID_TOKEN")
    assert ring.as_role(ADMIN, "PUT", f"/api/keys/{key_id}/enable").json["disabled"] is False
    assert ring.with_token(token, "GET", "/api/version").status == 200
    assert ring.as_role(ADMIN, "DELETE", f"/api/keys/{key_id}").status == 200
    assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "INVALID_TOKEN")
    assert ring.as_role(ADMIN, "DELETE", f"/api/keys/{key_id}").status == 404


def test_an_expired_key_opens_nothing(ring: Keyring) -> None:
    made = ring.as_role(ADMIN, "POST", "/api/keys", {"name": "ci", "role": "reader", "expiresInDays": 1}).json
    ring.clock.advance(timedelta(hours=23, minutes=30))
    token = ring.exchange(made["keyId"], made["keySecret"]).json["token"]
    ring.clock.advance(timedelta(minutes=30))
    assert refusal(ring.exchange(made["keyId"], made["keySecret"])) == (401, "INVALID_CREDENTIALS")
    assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "INVALID_TOKEN")


def test_a_rotated_key_has_another_secret_and_the_old_one_is_gone_at_once(ring: Keyring) -> None:
    key_id, old = ring.key(READER)
    token = ring.exchange(key_id, old).json["token"]
    new = ring.as_role(ADMIN, "POST", f"/api/keys/{key_id}/rotate").json["keySecret"]
    assert ring.exchange(key_id, new).status == 200
    assert refusal(ring.exchange(key_id, old)) == (401, "INVALID_CREDENTIALS")
    assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "INVALID_TOKEN")


def test_a_grace_lets_both_secrets_work_for_a_while(ring: Keyring) -> None:
    key_id, old = ring.key(READER)
    new = ring.as_role(ADMIN, "POST", f"/api/keys/{key_id}/rotate", {"graceSeconds": 600}).json["keySecret"]
    token = ring.exchange(key_id, old).json["token"]
    assert ring.with_token(token, "GET", "/api/version").status == ring.exchange(key_id, new).status == 200
    ring.clock.advance(timedelta(seconds=600))
    assert refusal(ring.exchange(key_id, old)) == (401, "INVALID_CREDENTIALS")
    assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "INVALID_TOKEN")
    assert ring.exchange(key_id, new).status == 200


def test_signing_keys_change_with_the_period_and_a_token_outlives_the_change(ring: Keyring) -> None:
    ring.clock.advance(
        SIGNING_PERIOD - (ring.clock.now().timestamp() % SIGNING_PERIOD.total_seconds()) * timedelta(seconds=1) - timedelta(minutes=5)
    )
    key_id, secret = ring.key(READER)
    before = ring.exchange(key_id, secret).json["token"]
    ring.clock.advance(timedelta(minutes=10))
    after = ring.exchange(key_id, secret).json["token"]
    kids = [int(jwt.get_unverified_header(token)["kid"]) for token in (before, after)]
    assert kids[1] == kids[0] + 1
    assert ring.access.signing.get(kids[0]) != ring.access.signing.get(kids[1])
    assert ring.with_token(before, "GET", "/api/version").status == ring.with_token(after, "GET", "/api/version").status == 200


def test_a_lost_signing_key_costs_one_more_token(ring: Keyring) -> None:
    key_id, secret = ring.key(READER)
    token = ring.exchange(key_id, secret).json["token"]
    signing = ring.access.signing
    assert isinstance(signing, MemorySigningKeys)
    signing._keys.clear()
    assert refusal(ring.with_token(token, "GET", "/api/version")) == (401, "INVALID_TOKEN")
    assert ring.with_token(ring.exchange(key_id, secret).json["token"], "GET", "/api/version").status == 200


def test_a_secret_is_shown_once_and_stored_nowhere(ring: Keyring) -> None:
    made = ring.as_role(ADMIN, "POST", "/api/keys", {"name": "ci", "role": "operator"}).json
    secret = made.pop("keySecret")
    assert len(secret) > 40
    shown = ring.as_role(ADMIN, "GET", f"/api/keys/{made['keyId']}")
    assert shown.json == made == {**made, "name": "ci", "role": "operator", "disabled": False}
    assert made in ring.as_role(ADMIN, "GET", "/api/keys").json
    stored = repr(ring.access.keys.list())
    assert secret not in stored
    assert hash_of(secret) in stored
    assert hash_of(secret) not in shown.text


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"role": "reader"}, "name"),
        ({"name": "", "role": "reader"}, "name"),
        ({"name": "a\nb", "role": "reader"}, "name"),
        ({"name": "x" * 201, "role": "reader"}, "name"),
        ({"name": "a"}, "role"),
        ({"name": "a", "role": "root"}, "role"),
        ({"name": "a", "role": ["admin"]}, "role"),
        ({"name": "a", "role": "reader", "expiresInDays": 0}, "expiresInDays"),
        ({"name": "a", "role": "reader", "expiresInDays": True}, "expiresInDays"),
        ({"name": "a", "role": "reader", "expiresInDays": 10**9}, "expiresInDays"),
        ({"name": "a", "role": "reader", "expiresInDays": "7"}, "expiresInDays"),
        ({"name": "a", "role": "reader", "expires_in_days": 7}, "expires_in_days"),
    ],
)
def test_a_key_that_cannot_be_is_refused_by_field(ring: Keyring, body: Any, path: str) -> None:
    refused = ring.as_role(ADMIN, "POST", "/api/keys", body)
    assert (refused.status, [found["path"] for found in refused.json["validationErrors"]]) == (400, [path])


@pytest.mark.parametrize("seconds", [-1, "60", 10**9, True, None, 1.5])
def test_a_grace_that_cannot_be_is_refused(ring: Keyring, seconds: Any) -> None:
    key_id, _ = ring.key(READER)
    assert ring.as_role(ADMIN, "POST", f"/api/keys/{key_id}/rotate", {"graceSeconds": seconds}).status == 400


def test_a_rotation_with_a_field_that_there_is_not_is_refused_and_rotates_nothing(ring: Keyring) -> None:
    key_id, secret = ring.key(READER)
    refused = ring.as_role(ADMIN, "POST", f"/api/keys/{key_id}/rotate", {"graceHours": 24})
    assert (refused.status, [found["path"] for found in refused.json["validationErrors"]]) == (400, ["graceHours"])
    assert ring.exchange(key_id, secret).status == 200


def test_a_definition_that_is_not_registered_is_an_admins_to_start(ring: Keyring) -> None:
    start = {"name": "job", "workflowDef": DEFINITION}
    refused = ring.as_role(OPERATOR, "POST", "/api/workflow", start)
    assert refused.status == 403
    assert "workflowDef" in refused.json["message"]
    assert ring.as_role(OPERATOR, "POST", "/api/workflow/execute/job/1", start).status == 403
    assert ring.as_role(ADMIN, "POST", "/api/workflow", start).status == 200
    assert ring.as_role(ADMIN, "POST", "/api/workflow/execute/job/1", start).status == 200
    assert ring.as_role(ADMIN, "POST", "/api/metadata/workflow", DEFINITION).status == 200
    assert ring.as_role(OPERATOR, "POST", "/api/workflow", {"name": "job"}).status == 200


def test_unknown_paths_and_wrong_verbs_keep_their_answers(ring: Keyring) -> None:
    token = ring.token(READER)
    assert refusal(ring.with_token(token, "GET", "/api/nothing")) == (404, None)
    assert refusal(ring.with_token(token, "PATCH", "/api/version")) == (405, None)
    assert refusal(ring.nobody("GET", "/api/token")) == (405, None)


def test_who_signs_is_let_in_by_iam(ring: Keyring) -> None:
    assert ring.signed("GET", "/api/keys").json == []
    closed = Keyring(Authorization.AWS_IAM)
    assert closed.signed("GET", "/api/version").status == 200
    assert refusal(closed.nobody("GET", "/api/version")) == (401, "NOT_SIGNED")
    assert refusal(closed.with_context({"keyId": "k", "role": "admin", "expiresAt": "9999999999"}, "GET", "/api/version")) == (
        401,
        "NOT_SIGNED",
    )


def test_nothing_of_it_is_logged(ring: Keyring, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        key_id, secret = ring.key(READER)
        token = ring.exchange(key_id, secret).json["token"]
        ring.exchange(key_id, secret + "x")
        ring.with_token(token, "GET", "/api/version")
        ring.with_token(token + "x", "POST", "/api/keys", {"a": secret})
    logged = json.dumps([record.getMessage() for record in caplog.records])
    assert secret not in logged
    assert token not in logged
